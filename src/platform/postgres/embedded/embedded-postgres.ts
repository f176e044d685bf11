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

/** An orderly stop takes at most this long. */
const STOP_TIMEOUT_MS = 9_000;
/** How long a server that does not answer may take to stop. */
const TAKE_OVER_STOP_MS = 4_000;
/**
 * The longest wait for a killed server's children. A child in the middle of a query holds shared memory until it
 * notices the death.
 */
const SHARED_MEMORY_HELD_MS_MAX = 30_000;
const RESTART_DELAY_MIN_MS = 50;
const RESTART_DELAY_MAX_MS = 2_000;
/** A server that does not answer within this time is taken for dead, and is replaced. */
const ANSWER_TIMEOUT_MS = 5_000;
/** A slow disk may need this long to create a database, whose files are copied. */
const SETUP_TIMEOUT_MS = 60_000;
const DATABASE = "payinference";

/** The part of a pino logger that is used. */
export interface PostgresLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR. It contains the cluster in `postgres` and the server's log in `postgres.log`. */
  dataDir: string;
  log: PostgresLog;
  /** The binaries to run. By default they are the packaged ones. */
  install?: PostgresInstall;
  /**
   * Aborted when the start is given up. The start then ends the processes that it began, and rejects with an
   * AbortError.
   */
  stopping?: AbortSignal;
  /** Called when the server died without `stop()`. A restart follows. */
  onDown?: () => void;
  /** Called when the server accepts connections again. The URL is the same. */
  onUp?: () => void;
}

export interface EmbeddedPostgres {
  /**
   * The URL of the database `payinference` for its owner, which is not a superuser. It stays valid across restarts of
   * the server.
   */
  url: string;
  /** The URL of the database `postgres` as superuser, for tests and maintenance. */
  adminUrl: string;
  /** The process id of the running postmaster. */
  pid(): number;
  /**
   * Shuts the server down in mode "fast", and by force when most of `withinMs` has passed. Simultaneous calls share one
   * shutdown.
   */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Starts or takes over the real PostgreSQL of a node without DATABASE_URL, and restarts it when it dies (SET-2: within
 * 10 s). It listens on a unix socket in a directory of mode 0700, and on no network address. Rejects if another live
 * process owns the same DATA_DIR.
 *
 * | State \ event | server is ready | server exits or fails | `stop` or `stopping` aborted |
 * |---|---|---|---|
 * | starting | serving | the start rejects | stopped |
 * | serving | – | restarting, `onDown` | stopped |
 * | restarting | serving, `onUp` | restarting, after a longer delay | stopped |
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
    // Ctrl-C also reaches initdb. Its failure must not hide the abort.
    stopSignal?.throwIfAborted();
    throw error;
  }
}

/** Handles a server that a killed process left behind: adopts it if it answers, and otherwise stops it. */
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

/** Starts the server for the first time. Another server may have died just before, and its children may still run. */
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
      // On systems without /proc, the first attempts may fail, because the dead postmaster's children still hold its
      // shared memory.
      for (let delayMs = RESTART_DELAY_MIN_MS; ; delayMs = Math.min(2 * delayMs, RESTART_DELAY_MAX_MS)) {
        await sleep(delayMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
        if (stopped.signal.aborted) return;
        try {
          server = await restart();
          // `stop` ended the previous server and waits for this loop. Afterwards `stop` also ends this server.
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
      // The server's handles do not keep this process alive, but this process must live until the server has ended.
      const keepAlive = setInterval(() => undefined, 1_000);
      try {
        await stopPostgres(server.pid, dir, leftMs());
        // The restart loop may be starting a server, whose recovery may take long.
        const starting = await readLockFile(dir);
        if (starting !== undefined) await stopPostgres(starting.pid, dir, leftMs());
        await running;
        // The restart loop may have started a server just before it ended.
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
    await withClient(url, ANSWER_TIMEOUT_MS, (client) => client.query("select 1"));
    return true;
  } catch {
    return false;
  }
}

/** Creates role and database if missing. It is idempotent, so the next start completes a run that died half-way. */
async function ensureDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, SETUP_TIMEOUT_MS, async (client) => {
    const { rows } = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
              exists (select from pg_database where datname = $1) as has_database`,
      [DATABASE],
    );
    if (rows[0]?.has_role !== true) await client.query(`create role ${DATABASE} login`);
    if (rows[0]?.has_database !== true) await client.query(`create database ${DATABASE} owner ${DATABASE}`);
    // The owner may not create roles. With DATABASE_URL an operator's superuser creates the role. Here the service
    // does, as the embedded server's superuser.
    await ensureTenantRole(client, DATABASE);
  });
}

/** `timeoutMs` bounds the connect, and each query. */
async function withClient<T>(
  url: string,
  timeoutMs: number,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
