import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stopped, type Closer } from "./bench-processes.js";
import { freePort } from "./bench-service.js";

const CONFIG = fileURLToPath(new URL("../../../deploy/haproxy/haproxy.cfg", import.meta.url));
const CERTIFICATE =
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";

/**
 * Starts the edge of deploy/haproxy in front of two cells. The generator speaks no TLS, so a plain listener of the same
 * HAProxy forwards its requests to the edge by TLS.
 */
export async function startEdge(a: string, b: string, closers: Closer[]): Promise<string> {
  const [dir, port, plainPort] = [
    await mkdtemp(join(tmpdir(), "payinference-bench-edge-")),
    await freePort(),
    await freePort(),
  ];
  closers.push(() => rm(dir, { recursive: true, force: true }));
  const [key, chain, pem, plain] = ["key.pem", "chain.pem", "edge.pem", "plain.cfg"].map((name) =>
    join(dir, name),
  ) as [string, string, string, string];
  spawnSync("openssl", [...CERTIFICATE.split(" "), "-keyout", key, "-out", chain]);
  await writeFile(pem, (await readFile(chain, "utf8")) + (await readFile(key, "utf8")), { mode: 0o600 });
  await writeFile(
    plain,
    `listen plain\n    bind 127.0.0.1:${plainPort}\n    server edge 127.0.0.1:${port} ssl verify none\n`,
  );
  const child = spawn("haproxy", ["-db", "-f", CONFIG, "-f", plain], {
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      EDGE_ADDRESS: `127.0.0.1:${port}`,
      EDGE_CONTROL: join(dir, "edge.sock"),
      TLS_CERTIFICATE: pem,
      NODES: new URL(a).host,
      NODES_B: new URL(b).host,
    },
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  closers.push(async () => {
    child.kill("SIGTERM");
    await stopped(child);
  });
  await Promise.race([failed, listens(plainPort)]);
  return `http://127.0.0.1:${plainPort}`;
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(20);
  }
}
