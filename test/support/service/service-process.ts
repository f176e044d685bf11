import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serviceStarts } from "../cpu-time.js";
import { START_ARGUMENTS } from "./main.js";
import { readLockFile } from "../../../src/platform/postgres/embedded/cluster.js";
import { closeLater } from "../closing.js";
import { PROBED, STRETCHED } from "./node.js";
import { freePort } from "../machine/free-port.js";
import { SHORT_LIVED_ARGUMENTS } from "../machine/short-lived.js";

/** The service as a process that the test itself starts and stops. All other tests use `startTestService`. */
export interface ServiceProcess {
  url: string;
  metricsUrl: string;
  dataDir: string;
  /** The process of the last start. */
  child: ChildProcess;
  log(): string;
  /** Starts a process and waits for nothing. */
  start(): void;
  /** Waits until `GET path` answers `status`. Resolves to the milliseconds since the last start. */
  untilStatus(path: string, status: number, timeoutMs?: number): Promise<number>;
  /** Sends the signal, if given, and resolves to the exit code, or to the name of the signal that ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  /** The demo workspace's key. */
  key(): Promise<string>;
}

export async function createServiceProcess(
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const { DATABASE_URL: _ignored, ...inherited } = process.env;
  const environment = {
    ...inherited,
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: dataDir,
    DEMO: "1",
    RATE_LIMIT_PER_MINUTE: "0",
    LOG_LEVEL: "warn",
    ...STRETCHED,
    ...PROBED,
    ...env,
  };
  const url = `http://127.0.0.1:${port}`;
  let log = "";
  let startedMs = 0;
  const spawnService = (): ChildProcess => {
    serviceStarts.count++;
    startedMs = performance.now();
    const child = spawn(process.execPath, [...SHORT_LIVED_ARGUMENTS, ...START_ARGUMENTS], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
    return child;
  };
  const service: ServiceProcess = {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    dataDir,
    child: spawnService(),
    log: () => log,
    start() {
      service.child = spawnService();
    },
    async untilStatus(path, status, timeoutMs = 300_000) {
      const deadlineMs = performance.now() + timeoutMs;
      let last: number | string = "";
      while (performance.now() < deadlineMs) {
        if (service.child.exitCode !== null) throw new Error(`exited with ${service.child.exitCode}: ${log}`);
        last = await fetch(url + path).then(
          (response) => response.status,
          (error: unknown) => String(error),
        );
        if (last === status) return performance.now() - startedMs;
        await sleep(20);
      }
      throw new Error(`${path} is not ${status} but ${last}: ${log}`);
    },
    async end(signal) {
      const { child } = service;
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        if (signal !== undefined) child.kill(signal);
        await exited;
      }
      return child.signalCode ?? child.exitCode;
    },
    async key() {
      const demo = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as { api_key: string };
      return demo.api_key;
    },
  };
  // SIGTERM also ends an embedded PostgreSQL.
  closeLater(() => service.end("SIGTERM"));
  return service;
}

/** The address of the database that a service runs in embedded mode. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const lock = await readLockFile(join(dataDir, "postgres"));
  if (lock === undefined) throw new Error("the embedded PostgreSQL does not run");
  return `postgres://payinference@/payinference?host=${encodeURIComponent(lock.socketDir)}`;
}
