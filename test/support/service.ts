import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { START_ARGUMENTS } from "./main.js";
import { closeLater } from "./closing.js";
import { assertDocumented, readDocument } from "./documented.js";
import { freePort } from "./free-port.js";
import { createTestDatabase, openPool, temporaryDir } from "./postgres.js";

const READY_TIMEOUT_MS = 90_000;

export interface RunningService {
  url: string;
  metricsUrl: string;
  /** The demo workspace's key: test mode, all scopes. */
  key: string;
  workspaceId: string;
  dataDir: string;
  /** On the service's own database. */
  pool: pg.Pool;
  process: ChildProcess;
  /** What the process wrote to stderr so far. */
  log(): string;
  /** What it wrote to stdout, one text per start. */
  printed(): readonly string[];
  /** SIGKILL, then a new process on the same DATA_DIR, database and ports; resolves once it is ready. */
  killAndRestart(): Promise<void>;
  /** After `stop`: a new process on the same DATA_DIR, database and ports; resolves once it is ready. */
  start(): Promise<void>;
  /** Resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the real service, as `npm start` does, on a database of its own with the schema and a fresh DATA_DIR; resolves once /ready says so. */
export async function startTestService(env: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const [dataDir, database, port, metricsPort] = await Promise.all([
    temporaryDir(),
    createTestDatabase(),
    freePort(),
    freePort(),
  ]);
  const environment = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DEMO: "1",
    LOG_LEVEL: "warn",
    ...env,
  };
  let log = "";
  const printed: string[] = [];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, START_ARGUMENTS, {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const starts = printed.push("");
    child.stdout?.on("data", (chunk: Buffer) => (printed[starts - 1] += chunk.toString()));
    closeLater(() => endNow(child));
    child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
    await untilReady(url, child, () => log);
    return child;
  };
  const url = `http://127.0.0.1:${port}`;
  const service = {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    key: "",
    workspaceId: "",
    dataDir: environment.DATA_DIR,
    pool: openPool(environment.DATABASE_URL),
    process: await start(),
    log: () => log,
    printed: () => printed,
    async killAndRestart() {
      await service.stop("SIGKILL");
      await service.start();
    },
    async start() {
      service.process = await start();
    },
    async stop(signal: NodeJS.Signals = "SIGTERM") {
      if (service.process.exitCode !== null) return service.process.exitCode;
      service.process.kill(signal);
      await once(service.process, "exit");
      return service.process.exitCode;
    },
  };
  await readDocument(url);
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
  // It says when it listens: asking all the while takes from the time of what is asked.
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

/** Asks until `check` passes; fails with its last error after `timeoutMs`. */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

/**
 * Asked again for up to 30 s while the answer is 503. What asks PostgreSQL has 1.5 s, and a node's first read also starts
 * the thread that reads: on a starved host that is not enough. Any other answer is returned at once, as it is.
 */
export async function untilAnswered<R extends { status: number }>(ask: () => Promise<R>): Promise<R> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const reply = await ask();
    if (reply.status !== 503 || performance.now() > deadline) return reply;
    await sleep(100);
  }
}

/** What reads: `send` until it is answered. */
export const sendRead = (...request: Parameters<typeof send>): Promise<Reply> =>
  untilAnswered(() => send(...request));

/** A decision request of the demo merchant that any deployment answers; `changes` replaces top-level fields. */
export function decisionBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    merchant_id: "demo_merchant",
    order_id: "order_1",
    transaction: { amount: 129_900, currency: "USD", country: "US", payment_method: "card" },
    available_providers: ["provider_1", "provider_2"],
    ...changes,
  };
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** One JSON request with the service's demo key; its reply is held against the service's own document. */
export async function send(
  service: RunningService,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Readonly<Record<string, string>>; key?: string | null } = {},
): Promise<Reply> {
  const { body, headers = {}, key = service.key } = options;
  const response = await fetch(service.url + path, {
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get("content-type");
  const replied = { status: response.status, contentType, text, headers: [...response.headers.keys()] };
  await assertDocumented(service.url + path, method, replied);
  const isJson = contentType?.startsWith("application/json") === true && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
