import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clusterDir, configureCluster, ensureCluster, readLockFile, removeStaleLock } from "./cluster.js";
import { endLeftovers, servesCluster } from "./cluster-processes.js";
import { locatePostgres, type PostgresInstall } from "./install.js";
import { claimForProcess } from "../../node/process-claim.js";
import { ensureTenantRole } from "../tenant-role.js";
import {
  adoptPostgres,
  SharedMemoryHeldError,
  spawnPostgres,
  stopPostgres,
  type PostgresProcess,
} from "./process.js";

/** Of an orderly stop that has all the time it may want. */
const STOP_TIMEOUT_MS = 9_000;
/** What is asked of a server that does not answer. */
const TAKE_OVER_STOP_MS = 4_000;
/** A killed server's child may be in the middle of a query. */
const SHARED_MEMORY_HELD_MS_MAX = 30_000;
const RESTART_DELAY_MIN_MS = 50;
const RESTART_DELAY_MAX_MS = 2_000;
const DATABASE = "payinference";

/** The part of a pino logger used here. */
export interface PostgresLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; the cluster is its `postgres`, the server's log its `postgres.log`. */
  dataDir: string;
  log: PostgresLog;
  /** Whose binaries run; by default the packaged ones. */
  install?: PostgresInstall;
  /** Aborted where the start is given up: it ends what has begun, and rejects with an AbortError. */
  stopping?: AbortSignal;
  /** The server died without `stop()`; it is being restarted. */
  onDown?: () => void;
  /** It accepts connections again, at the same URL. */
  onUp?: () => void;
}

export interface EmbeddedPostgres {
  /** Database `payinference` as its owner, who is no superuser; stays valid across restarts of the server. */
  url: string;
  /** Database `postgres` as superuser; for tests and maintenance. */
  adminUrl: string;
  /** The postmaster now running. */
  pid(): number;
  /** Fast shutdown, forced where it takes longer than most of `withinMs`. Repeated calls share one shutdown. */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Starts, or takes over, the real PostgreSQL that serves a node with no DATABASE_URL, and restarts it when it dies
 * (SET-2: within 10 s). It listens on a unix socket in a directory of mode 0700 and on no network address.
 * Rejects when another live process owns the same DATA_DIR.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const install = options.install ?? (await locatePostgres());
  const dir = await clusterDir(options.dataDir);
  const release = await claimForProcess(`${dir}.owner`);
  const logPath = resolve(options.dataDir, "postgres.log");
  const { stopping: stopSignal } = options;
  let supervisor: ReturnType<typeof supervise> | undefined;
  try {
    stopSignal?.throwIfAborted();
    await ensureCluster(dir, install, stopSignal);
    let { server, socketDir } = await takeOver(install, dir, options.log);
    if (server === undefined) {
      socketDir = await configureCluster(dir, install.user);
      server = await spawnBehindKilled(install, dir, logPath, stopSignal);
    }
    const restart = async (): Promise<PostgresProcess> => {
      await endLeftovers(dir);
      return spawnPostgres(install, dir, logPath);
    };
    const supervised = (supervisor = supervise(server, restart, dir, options));
    const adminUrl = urlOf(socketDir, "postgres", "postgres");
    stopSignal?.throwIfAborted();
    await ensureDatabase(adminUrl);
    stopSignal?.throwIfAborted();
    let stopping: Promise<void> | undefined;
    const stop = async (withinMs: number): Promise<void> => {
      await supervised.stop(Math.min(withinMs, STOP_TIMEOUT_MS));
      await rm(socketDir, { recursive: true, force: true });
      await release();
    };
    return {
      url: urlOf(socketDir, DATABASE, DATABASE),
      adminUrl,
      pid: supervised.pid,
      stop: (withinMs = STOP_TIMEOUT_MS) => (stopping ??= stop(withinMs)),
    };
  } catch (error) {
    await supervisor?.stop(STOP_TIMEOUT_MS);
    await release();
    // Ctrl-C reaches initdb as well, which then says that it failed.
    stopSignal?.throwIfAborted();
    throw error;
  }
}

/** A server that a killed process left behind: adopted while it answers, stopped when it does not. */
async function takeOver(
  install: PostgresInstall,
  dir: string,
  log: PostgresLog,
): Promise<{ server: PostgresProcess | undefined; socketDir: string }> {
  const lock = await readLockFile(dir);
  if (lock !== undefined && (await servesCluster(lock.pid, dir))) {
    if (lock.status === "ready" && (await answers(urlOf(lock.socketDir, "postgres", "postgres")))) {
      log.info({ pid: lock.pid }, "took over the running embedded PostgreSQL");
      return { server: adoptPostgres(install, dir, lock.pid), socketDir: lock.socketDir };
    }
    log.warn({ pid: lock.pid }, "stopping an embedded PostgreSQL that does not answer");
    await stopPostgres(lock.pid, dir, TAKE_OVER_STOP_MS);
  }
  await endLeftovers(dir);
  if (lock !== undefined) await removeStaleLock(dir, lock);
  return { server: undefined, socketDir: "" };
}

/** The first start, perhaps just behind the death of a server whose children are still there. */
async function spawnBehindKilled(
  install: PostgresInstall,
  dir: string,
  logPath: string,
  stopping?: AbortSignal,
): Promise<PostgresProcess> {
  const giveUpMs = performance.now() + SHARED_MEMORY_HELD_MS_MAX;
  for (;;) {
    try {
      return await spawnPostgres(install, dir, logPath, stopping);
    } catch (error) {
      if (!(error instanceof SharedMemoryHeldError) || performance.now() > giveUpMs) throw error;
    }
    stopping?.throwIfAborted();
    await sleep(RESTART_DELAY_MIN_MS);
  }
}

function supervise(
  first: PostgresProcess,
  restart: () => Promise<PostgresProcess>,
  dir: string,
  options: EmbeddedPostgresOptions,
): { pid(): number; stop(withinMs: number): Promise<void> } {
  const stopped = new AbortController();
  let server = first;
  const loop = async (): Promise<void> => {
    while (true) {
      await server.exited;
      server.release();
      if (stopped.signal.aborted) return;
      options.log.warn({ pid: server.pid }, "embedded PostgreSQL died, restarting it");
      options.onDown?.();
      // Where there is no /proc the first attempts may fail: the dead postmaster's children still hold its shared memory.
      for (let delayMs = RESTART_DELAY_MIN_MS; ; delayMs = Math.min(2 * delayMs, RESTART_DELAY_MAX_MS)) {
        await sleep(delayMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
        if (stopped.signal.aborted) return;
        try {
          server = await restart();
          // Nobody would end this one: the stop ended the one before, and waits for us.
          if (stopped.signal.aborted) return;
          break;
        } catch (error) {
          options.log.warn({ reason: (error as Error).message }, "embedded PostgreSQL did not restart yet");
        }
      }
      options.log.info({ pid: server.pid }, "embedded PostgreSQL is back");
      options.onUp?.();
    }
  };
  const running = loop();
  return {
    pid: () => server.pid,
    async stop(withinMs) {
      const deadlineMs = performance.now() + withinMs;
      const leftMs = (): number => Math.max(withinMs / 4, deadlineMs - performance.now());
      stopped.abort();
      // The server's handles do not keep this process alive; waiting for its end must.
      const keepAlive = setInterval(() => undefined, 1_000);
      try {
        await stopPostgres(server.pid, dir, leftMs());
        // One that is being started in its place, which may take long to recover.
        const starting = await readLockFile(dir);
        if (starting !== undefined) await stopPostgres(starting.pid, dir, leftMs());
        await running;
        // One that had just been started.
        await stopPostgres(server.pid, dir, leftMs());
        server.release();
      } finally {
        clearInterval(keepAlive);
      }
    },
  };
}

function urlOf(socketDir: string, user: string, database: string): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(socketDir)}`;
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query("select 1"));
    return true;
  } catch {
    return false;
  }
}

/** Idempotent, so that a start that died half-way is completed by the next. */
async function ensureDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
              exists (select from pg_database where datname = $1) as has_database`,
      [DATABASE],
    );
    if (rows[0]?.has_role !== true) await client.query(`create role ${DATABASE} login`);
    if (rows[0]?.has_database !== true) await client.query(`create database ${DATABASE} owner ${DATABASE}`);
    // The owner may make no roles, so what a DATABASE_URL's superuser is asked for is done here.
    await ensureTenantRole(client, DATABASE);
  });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_500,
    query_timeout: 5_000,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
