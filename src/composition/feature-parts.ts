import { superviseReader, type Reader } from "../features/reader/reader-thread.js";
import type { ReadRequest } from "../features/reader/reads.js";
import type { Attempt } from "../path/access/attempt.js";
import { ownFile } from "../platform/node/own-files.js";
import { OlderLogUnavailableError } from "../platform/postgres/tenant-db.js";
import type { CellName } from "../path/access/cell.js";
import { createDatabaseRead, type DatabaseRead, type ReadLog } from "../platform/postgres/database-read.js";
import { createRefusalLog } from "../platform/postgres/refusals.js";
import type { Pool } from "pg";
import type { KeptLimits } from "../domain/vocabulary/kept-limits.js";
import type { ApplyChangesNow } from "../path/changes/change-queries.js";
import type { BoundedWorkOptions } from "../platform/postgres/bounded-work.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import { monotonicMs, now } from "../platform/timing/clock.js";
import type { Database } from "./database.js";
import type { DecisionThreads } from "./decision-threads.js";
import type { Copies } from "./node-copies.js";
import type { OpenNode } from "./node.js";
import type { Persistence } from "./persistence.js";

/** The parts that a start builds before the features. */
export interface Built {
  node: OpenNode;
  threads: DecisionThreads;
  database: Database;
  reader: Reader;
  persistence: Persistence;
}

interface Reads {
  /** Reads PostgreSQL after everything that this node has acknowledged is stored. */
  read: DatabaseRead;
  /** Like `read`, but on the reader thread. */
  readLog: ReadLog<ReadRequest>;
  /** Reads and writes PostgreSQL directly, not through the journal. */
  attempt: Attempt;
}

/** The parts that features share. Each feature uses some of them. */
export interface FeatureParts extends Built, Reads {
  /**
   * A pool that sees all tenants' rows. It is needed because a person is looked up before their workspace is known, and
   * because the platform's administrator sees everything.
   */
  pool: Pool;
  tenants: TenantDb;
  copies: Copies;
  applyChangesNow: ApplyChangesNow;
  isReachable(): boolean;
  /** DUR-5: the time limit of a read or change. */
  timeoutMs: number;
  /** Makes an error handler that logs a feature's failures of PostgreSQL with `message`. */
  logsFailures(message: string): Pick<BoundedWorkOptions, "onError">;
  providers: readonly string[];
  kept: KeptLimits;
  /** CELL-1: the name of this node's cell. */
  cell: CellName;
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** RETENTION_DAYS */
  retentionDays: number;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

/** Builds the functions that query PostgreSQL, and what else features share. */
export function composeFeatureParts(built: Built): FeatureParts {
  const { node, threads, database, reader, persistence } = built;
  const { settings, log, nextId } = node;
  const { copies } = persistence;
  return {
    ...built,
    ...composeReads(node, threads, database, reader, persistence),
    pool: database.pool,
    tenants: database.tenants,
    copies,
    applyChangesNow: copies.applyChangesNow,
    isReachable: database.isReachable,
    timeoutMs: settings.patience.databaseReadTimeoutMs,
    logsFailures: (message) => ({ onError: (err, suppressed) => log.warn({ err, suppressed }, message) }),
    providers: settings.providers,
    kept: settings.kept,
    cell: settings.cell,
    riskBlockThreshold: settings.riskBlockThreshold,
    retentionDays: settings.retentionDays,
    nextId,
    now,
  };
}

/** Starts the reader thread. It loads while PostgreSQL is prepared, and connects with the first read. */
export function startReader({ settings, metrics, log, closers }: OpenNode, { url }: Database): Reader {
  const reader = superviseReader({
    file: ownFile("workers/reader.js"),
    workerData: {
      databaseUrl: url,
      retentionDays: settings.retentionDays,
      statementTimeoutMs: settings.patience.databaseReadTimeoutMs,
      clickHouseUrl: settings.analyticsUrl,
    },
    patience: settings.patience,
    metrics,
    log,
    now: monotonicMs,
  });
  closers.push(() => reader.stop());
  return reader;
}

/** The functions that query PostgreSQL. Each answers within its time limit. */
function composeReads(
  { settings, log }: OpenNode,
  { pool }: DecisionThreads,
  { isReachable }: Database,
  reader: Reader,
  { writer }: Persistence,
): Reads {
  const timeoutMs = settings.patience.databaseReadTimeoutMs;
  const onRefusal = createRefusalLog(log, "PostgreSQL refuses what is asked of it");
  const persisted = (withinMs: number): Promise<boolean> =>
    writer.persistedThrough(pool.committedSequence(), withinMs);
  const read = createDatabaseRead({ isReachable, persisted, timeoutMs, onRefusal });
  return {
    read,
    readLog: (request) =>
      read(async () => {
        try {
          const json = await reader.read(request);
          return json === null ? null : { json };
        } catch (error) {
          if (error instanceof OlderLogUnavailableError) return "older_unavailable";
          throw error;
        }
      }),
    attempt: createDatabaseRead({
      isReachable,
      persisted: () => Promise.resolve(true),
      timeoutMs,
      onRefusal,
    }),
  };
}
