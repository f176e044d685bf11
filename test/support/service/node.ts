import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { serviceStarts } from "../cpu-time.js";
import { START_ARGUMENTS } from "./main.js";
import { closeLater } from "../closing.js";
import { readDocument } from "../http/documented.js";
import { freePort } from "../machine/free-port.js";
import { SHORT_LIVED_ARGUMENTS } from "../machine/short-lived.js";
import { createTestDatabase, openPool, temporaryDir } from "../postgres/postgres.js";
import type { SharedLog } from "./shared-log.js";

/** Ends a start that hangs. Beside a full test run, at the lowest priority, a start can take minutes. */
const READY_TIMEOUT_MS = 300_000;

/**
 * On a starved host the product's own limits answer 503. Most tests are not about those limits, so this setting
 * stretches them.
 */
export const STRETCHED = { PAYINFERENCE_TEST_PATIENCE: "10" } as const;
/** A start replays five minutes of probes. With the default eight currencies they take a sixth of its CPU. */
export const PROBED = { PROBE_CURRENCIES: "USD" } as const;
/** Probes the currencies that `npm start` probes. */
export const PROBED_AS_DELIVERED = { PROBE_CURRENCIES: undefined } as const;

/** The service's environment variables. An undefined variable is not set. */
export type TestSettings = Readonly<Record<string, string | undefined>>;

/**
 * Keeps the product's limits. It is for tests of those limits and of promises to customers: a read answers within 2 s.
 */
export const AS_DELIVERED = { PAYINFERENCE_TEST_PATIENCE: "1" } as const;

export interface RunningService {
  url: string;
  metricsUrl: string;
  /** The demo workspace's key, in test mode with all scopes. */
  key: string;
  workspaceId: string;
  dataDir: string;
  /** The processes behind this service. A single node lists only itself. */
  nodes: readonly RunningService[];
  /** A pool on the service's own database. */
  pool: pg.Pool;
  process: ChildProcess;
  /** Everything the process wrote to stderr so far. */
  log(): string;
  /** Everything the process wrote to stdout, one text for each start. */
  printed(): readonly string[];
  /** Sends SIGKILL and starts a new process on the same DATA_DIR, database and ports. Resolves once it is ready. */
  killAndRestart(): Promise<void>;
  /**
   * Starts a new process after `stop`, on the same DATA_DIR, database and ports. Resolves once it is ready. `build` has
   * the arguments for Node of another build than before.
   */
  start(build?: readonly string[]): Promise<void>;
  /** Stops the process and resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Present when the service is several nodes. */
  sharedLog?: SharedLog;
}

/**
 * Starts the real service as `npm start` does, with its own migrated database and a fresh DATA_DIR. Resolves once
 * /ready reports that it is ready.
 */
export async function startNode(
  env: TestSettings = {},
  build: readonly string[] = START_ARGUMENTS,
): Promise<RunningService> {
  const [dataDir, databaseUrl, port, metricsPort] = await Promise.all([
    temporaryDir(),
    env["DATABASE_URL"] ?? createTestDatabase().then(({ url }) => url),
    env["PORT"] ?? freePort(),
    freePort(),
  ]);
  const environment = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DEMO: "1",
    LOG_LEVEL: "warn",
    ...STRETCHED,
    ...PROBED,
    ...env,
  };
  let log = "";
  const printed: string[] = [];
  /**
   * The process of the last start. The closer of the first start ends it, even if a later test file restarted the node.
   */
  let last: ChildProcess | undefined;
  let started = build;
  const start = async (): Promise<ChildProcess> => {
    serviceStarts.count++;
    const child = spawn(process.execPath, [...SHORT_LIVED_ARGUMENTS, ...started], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const starts = printed.push("");
    child.stdout?.on("data", (chunk: Buffer) => (printed[starts - 1] += chunk.toString()));
    if (last === undefined) closeLater(() => endNow(last as ChildProcess));
    last = child;
    child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
    await untilReady(url, child, () => log);
    return child;
  };
  const url = `http://127.0.0.1:${port}`;
  const nodes: RunningService[] = [];
  const service = {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    key: "",
    workspaceId: "",
    dataDir: environment.DATA_DIR,
    nodes,
    pool: openPool(environment.DATABASE_URL),
    process: await start(),
    log: () => log,
    printed: () => printed,
    async killAndRestart() {
      await service.stop("SIGKILL");
      await service.start();
    },
    async start(build = started) {
      started = build;
      service.process = await start();
    },
    async stop(signal: NodeJS.Signals = "SIGTERM") {
      if (service.process.exitCode !== null) return service.process.exitCode;
      service.process.kill(signal);
      await once(service.process, "exit");
      return service.process.exitCode;
    },
  };
  nodes.push(service);
  await readDocument(url, env["PROVIDERS"]);
  if (environment.DEMO === "1") {
    const demo = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as {
      api_key: string;
      workspace_id: string;
    };
    service.key = demo.api_key;
    service.workspaceId = demo.workspace_id;
  }
  return service;
}

async function endNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function untilReady(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  // Waits for the line which says that the service listens. Polling would slow down the start itself.
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  await Promise.race([
    once(child.stdout as Readable, "data", { signal }),
    once(child, "exit", { signal }),
  ]).catch(() => undefined);
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service exited with ${child.exitCode}: ${log()}`);
    const ready = await fetch(`${url}/ready`).then(
      (response) => response.status === 200,
      () => false,
    );
    if (ready) return;
    await sleep(20);
  }
  throw new Error(`the service is not ready: ${log()}`);
}
