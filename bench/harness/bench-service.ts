import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { insertPolicy } from "../../src/features/policies/queries.js";
import { createTenantDb } from "../../src/platform/postgres/tenant-db.js";
import { countStored, servicePostgres, stopOrphanedPostgres } from "./bench-postgres.js";
import { stopped, type Closer, type RowServer } from "./bench-processes.js";
import { TimeLimitError } from "./quiet-host.js";
import { BENCH_RULES } from "../rows/rival-policy.js";
import { createTraffic, DEFAULT_PROVIDERS } from "../client/traffic.js";

const MAIN = fileURLToPath(new URL("../../service/main.js", import.meta.url));
/** The flags of `npm start`. */
const NODE_FLAGS = ["--single-threaded-gc"];
const READY_TIMEOUT_MS = 60_000;
const DRAIN_TIMEOUT_MS = 60_000;
/**
 * The time limit for a bench that hangs. It is longer than the five seconds of POL-13, which a slow host alone could
 * exceed.
 */
const POLICY_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

export interface BenchService extends RowServer {
  key: string;
  metricsUrl: string;
  dataDir: string;
}

/**
 * Starts this service on an empty DATA_DIR with its embedded PostgreSQL. Row (b) uses it as it is, and row (c) without
 * persistence.
 */
export async function startService(closers: Closer[], env: NodeJS.ProcessEnv = {}): Promise<BenchService> {
  const dataDir = await emptyDataDir(closers);
  return withBenchPolicy(await startServiceOn(dataDir, closers, env), dataDir);
}

/** Publishes the policy of all rows on a started service. */
export async function withBenchPolicy(
  { pid, origin, metricsUrl }: StartedService,
  dataDir: string,
): Promise<BenchService> {
  const demo = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as Demo;
  const service = { pid, url: `${origin}/v1/decision`, key: demo.api_key, metricsUrl, dataDir };
  await publishBenchPolicy(service, demo);
  return service;
}

export async function emptyDataDir(closers: Closer[]): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-bench-"));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  // When the bench runs as root, the embedded server's user must still reach its cluster.
  await chmod(dataDir, 0o755);
  return dataDir;
}

export interface StartedService {
  pid: number;
  origin: string;
  metricsUrl: string;
  /** The time from the spawn to the first 200 of /ready. */
  readyMs: number;
}

/** Starts the service as `npm start` does, on an existing DATA_DIR. `PORT` is a free one unless `env` has it. */
export async function startServiceOn(
  dataDir: string,
  closers: Closer[],
  env: NodeJS.ProcessEnv = {},
  readyTimeoutMs = READY_TIMEOUT_MS,
): Promise<StartedService> {
  const [port, metricsPort] = [Number(env["PORT"] ?? (await freePort())), await freePort()];
  const beganMs = performance.now();
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      HOST: "127.0.0.1",
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: dataDir,
      DEMO: "1",
      RATE_LIMIT_PER_MINUTE: "0",
      LOG_LEVEL: "warn",
      ...env,
    },
  });
  closers.push(async () => {
    child.kill("SIGTERM");
    await stopped(child);
    await stopOrphanedPostgres(dataDir);
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await answersOk(`${origin}/ready`))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error("the service ended before it was ready");
    if (performance.now() - beganMs > readyTimeoutMs)
      throw new TimeLimitError(`the service was not ready within ${readyTimeoutMs / 1000} s`);
    await sleep(POLL_MS);
  }
  return {
    pid: child.pid as number,
    origin,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    readyMs: performance.now() - beganMs,
  };
}

interface Demo {
  api_key: string;
  workspace_id: string;
  merchant_id: string;
}

const BENCH_POLICY_ID = "pol_00000000000000000000000001";

/** Publishes the ten rules that rows (b) to (e) share. Resolves once the service decides by them. */
async function publishBenchPolicy(service: BenchService, demo: Demo): Promise<void> {
  const tenants = createTenantDb({
    connectionString: (await servicePostgres(service.dataDir)).url,
    connectionsMax: 1,
    statementTimeoutMs: 10_000,
    applicationName: "bench",
  });
  const tenant = tenants.of(demo.workspace_id);
  const policy = {
    policy_id: BENCH_POLICY_ID,
    name: "Bench",
    default_provider: null,
    rules: [...BENCH_RULES],
  };
  const stored = await insertPolicy(tenant, demo.workspace_id, demo.merchant_id, policy, true);
  await tenants.end();
  if (stored === null) throw new Error("the demo workspace has no demo merchant");
  const body = JSON.stringify(
    createTraffic({ seed: 0, merchants: [demo.merchant_id], providers: DEFAULT_PROVIDERS }).next(),
  );
  const giveUpMs = performance.now() + POLICY_TIMEOUT_MS;
  while (performance.now() < giveUpMs) {
    const headers = { "x-api-key": service.key, "content-type": "application/json" };
    const reply = await fetch(service.url, { method: "POST", headers, body });
    const decision = (await reply.json()) as { policy?: { policy_id: string | null } };
    if (decision.policy?.policy_id === BENCH_POLICY_ID) return;
    await sleep(POLL_MS);
  }
  throw new TimeLimitError(
    `the service did not take up the bench policy within ${POLICY_TIMEOUT_MS / 1000} s`,
  );
}

/**
 * Waits until the journal is empty, and checks that PostgreSQL holds `expected` records. Resolves to the moment the
 * last of them arrived, on the clock of performance.now().
 */
export async function drained(
  service: BenchService,
  client: pg.Client,
  expected: number,
  kind: "decisions" | "outcomes" = "decisions",
): Promise<number> {
  const giveUpMs = performance.now() + DRAIN_TIMEOUT_MS;
  while (performance.now() < giveUpMs) {
    if ((await journalDepth(service)) === 0) {
      const emptyMs = performance.now();
      if ((await countStored(client, kind)) >= expected) return emptyMs;
    }
    await sleep(POLL_MS);
  }
  const stored = await countStored(client, kind);
  const message = `60 s after the load PostgreSQL holds ${stored} of ${expected} acknowledged ${kind}`;
  // Nothing arrives after the journal is empty. A missing record is then lost, not late.
  throw (await journalDepth(service)) === 0 ? new Error(message) : new TimeLimitError(message);
}

async function journalDepth(service: BenchService): Promise<number> {
  const text = await (await fetch(service.metricsUrl)).text();
  const samples = [...text.matchAll(/^payinference_journal_depth_records(?:\{[^}]*\})? (\S+)$/gm)];
  if (samples.length === 0) throw new Error("the metric payinference_journal_depth_records is missing");
  return samples.reduce((sum, [, value]) => sum + Number(value), 0);
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url);
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
