import { createServer, connect } from "node:net";
import { once } from "node:events";
import type { Settings } from "../platform/settings/settings.js";
import type { Report } from "./finding.js";

/** Packages with binaries, which exist only for some versions of Node and some processors. */
const NATIVE = ["uWebSockets.js", "lmdb", "@node-rs/argon2", "lz4-napi"] as const;

/** DOC-2: checks that this Node can load the native modules. */
export async function checkProgram(report: Report): Promise<void> {
  for (const name of NATIVE) await import(name);
  report("ok", `Node ${process.versions.node} on ${process.platform} ${process.arch} loads its native parts`);
}

/** Checks that the ports of the two listeners are free. */
export async function checkPorts(settings: Settings, holder: string | null, report: Report): Promise<void> {
  if (holder !== null) return report("skipped", `process ${holder} serves this DATA_DIR, and has the ports`);
  await listenOnce(settings.host, settings.port);
  await listenOnce(settings.metricsHost, settings.metricsPort);
  report(
    "ok",
    `${settings.host}:${settings.port} and ${settings.metricsHost}:${settings.metricsPort} are free`,
  );
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === "EADDRINUSE"
        ? `another program listens on ${host}:${port}`
        : `${host}:${port} cannot be listened on (${code})`,
      { cause: error },
    );
  }
  server.close();
  await once(server, "close");
}

const CONNECT_MS_MAX = 3000;

/** Checks that the collector of traces accepts connections. */
export async function checkTraces(endpoint: string | null, report: Report): Promise<void> {
  if (endpoint === null)
    return report("skipped", "OTEL_EXPORTER_OTLP_ENDPOINT is not set: there are no traces");
  const { protocol, hostname, port } = new URL(endpoint);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    timeout: CONNECT_MS_MAX,
  });
  socket.on("timeout", () => socket.destroy(new Error(`${endpoint} does not answer`)));
  try {
    await once(socket, "connect");
  } finally {
    socket.destroy();
  }
  report("ok", `${endpoint} takes connections`);
}
