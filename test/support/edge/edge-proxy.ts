import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { closeLater } from "../closing.js";
import { createEdgeCertificate, type EdgeCertificate } from "./edge-certificate.js";
import { temporaryDir } from "../postgres/postgres.js";
import { openTlsConnection, type RawConnection } from "../http/raw-http.js";
import { freePort } from "../machine/free-port.js";
import { eventually } from "../waiting/eventually.js";
import { noEdge } from "../machine/installed.js";

/** Debian's HAProxy runs deploy/haproxy/haproxy.cfg in front of real services. */

export const EDGE_CONFIG = fileURLToPath(new URL("../../../../deploy/haproxy/haproxy.cfg", import.meta.url));

/** The reason to skip tests of the edge, or false. */
export const edgeSkip: string | false = noEdge();

export interface EdgeProxy {
  /** https://127.0.0.1:port */
  url: string;
  /** The certificate as PEM. A client should trust no other. */
  certificate: string;
  open(): Promise<RawConnection>;
  /** Everything that HAProxy wrote, including its log. */
  output(): string;
  stop(): Promise<void>;
}

export const createCertificate = async (): Promise<EdgeCertificate> =>
  createEdgeCertificate(await temporaryDir());

/** The settings that the configuration reads. */
export function edgeEnvironment(nodeUrl: string, certificateFile: string, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    EDGE_ADDRESS: `127.0.0.1:${port}`,
    TLS_CERTIFICATE: certificateFile,
    NODES: new URL(nodeUrl).host,
  };
}

export interface EdgeOptions {
  /** By default, a certificate is made for this edge. */
  certificate?: Pick<EdgeCertificate, "file" | "certificate">;
  /** Files that HAProxy reads after its configuration. */
  more?: readonly string[];
  /** Further variables that the configuration reads. */
  environment?: Readonly<Record<string, string>>;
}

/** Resolves once the edge passes requests to a ready node. */
export async function startEdgeProxy(nodeUrl: string, options: EdgeOptions = {}): Promise<EdgeProxy> {
  const { more = [] } = options;
  const [{ file, certificate }, port] = await Promise.all([
    options.certificate ?? createCertificate(),
    freePort(),
  ]);
  const files = [EDGE_CONFIG, ...more].flatMap((path) => ["-f", path]);
  const child = spawn("haproxy", ["-db", ...files], {
    env: { ...edgeEnvironment(nodeUrl, file, port), ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  closeLater(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = `https://127.0.0.1:${port}`;
  const open = (): Promise<RawConnection> => openTlsConnection(url, certificate);
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
