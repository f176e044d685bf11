import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryDir } from "./postgres.js";
import { openTlsConnection, type RawConnection } from "./raw-http.js";
import { freePort } from "./free-port.js";
import { eventually } from "./service.js";

/** deploy/haproxy/haproxy.cfg, run by Debian's HAProxy in front of real services. */

export const EDGE_CONFIG = fileURLToPath(new URL("../../../deploy/haproxy/haproxy.cfg", import.meta.url));

const has = (command: string, argument: string): boolean =>
  spawnSync(command, [argument]).error === undefined;
/** What a test of the edge is skipped with, or false. */
export const edgeSkip: string | false = !has("haproxy", "-v")
  ? "haproxy is not installed here (apt-get install haproxy)"
  : !has("openssl", "version")
    ? "openssl is not installed here"
    : false;

export interface EdgeProxy {
  /** https://localhost:port */
  url: string;
  /** PEM; the only one to trust. */
  certificate: string;
  open(): Promise<RawConnection>;
  /** What it wrote, its log included. */
  output(): string;
  stop(): Promise<void>;
}

/** A certificate for localhost of its own, in one file with its key, as HAProxy reads it. */
export async function createCertificate(): Promise<{ file: string; certificate: string }> {
  const dir = await temporaryDir();
  const [key, certificate, file] = [
    join(dir, "key.pem"),
    join(dir, "certificate.pem"),
    join(dir, "edge.pem"),
  ];
  const made = spawnSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
      " ",
    ),
    { encoding: "utf8" },
  );
  assert.equal(made.status, 0, made.stderr);
  const text = await readFile(certificate, "utf8");
  await writeFile(file, text + (await readFile(key, "utf8")), { mode: 0o600 });
  return { file, certificate: text };
}

/** The settings that the configuration reads. */
export function edgeEnvironment(nodeUrl: string, certificateFile: string, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    EDGE_ADDRESS: `127.0.0.1:${port}`,
    TLS_CERTIFICATE: certificateFile,
    NODES: new URL(nodeUrl).host,
  };
}

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Resolves once the edge passes requests on to a node that is ready. */
export async function startEdgeProxy(nodeUrl: string): Promise<EdgeProxy> {
  const [{ file, certificate }, port] = await Promise.all([createCertificate(), freePort()]);
  const child = spawn("haproxy", ["-db", "-f", EDGE_CONFIG], {
    env: edgeEnvironment(nodeUrl, file, port),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.on("exit", () => running.delete(child));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = `https://localhost:${port}`;
  const open = (): Promise<RawConnection> => openTlsConnection(`https://127.0.0.1:${port}`, certificate);
  await eventually(async () => {
    assert.equal(child.exitCode, null, output);
    const connection = await open();
    connection.write("GET /ready HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const { status } = await connection.reply();
    connection.destroy();
    assert.equal(status, 200);
  });
  return {
    url,
    certificate,
    open,
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
