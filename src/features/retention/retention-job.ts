import type { Pool } from "pg";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { Pace } from "../../platform/timing/pace.js";
import type { StorePart } from "./archive/archive-part.js";
import { RETENTION_TUNING } from "./retention-tuning.js";

export interface RetentionJobOptions {
  /** The pool is separate, because a statement may take long. */
  pool: Pool;
  serviceDays: number;
  /** RET-10: archives rows. Null if there is no archive. */
  store: StorePart | null;
  /** RET-27: true with ANALYTICS_URL. */
  waitsForCopies: boolean;
  /** Makes the pace of a run. */
  createPace(): Pace;
  /** Returns false while PostgreSQL is unreachable, or while this host's clock has jumped. */
  mayRun(): boolean;
  /** Unix milliseconds. */
  now(): number;
  metrics: Pick<Metrics, "gauge" | "counter">;
  log: Logger;
}

export interface RetentionJob {
  /** RET-9: true if no node has finished a run for a day. */
  isOverdue(): boolean;
  /** Starts a run, unless one is in progress or `mayRun` returns false. Never rejects. */
  look(): Promise<void>;
  close(): void;
}

/**
 * RET-7: removes old data in the background, on one node at a time. PostgreSQL does the work. The node only sends
 * statements.
 */
export function startRetentionJob(options: RetentionJobOptions): RetentionJob {
  const { pool, serviceDays, store, waitsForCopies, createPace, mayRun, now, log } = options;
  const metrics = createRetentionMetrics(options.metrics);
  /** A node counts from its start, so it does not report an overdue run before it has been up for a day. */
  let finishedAtMs = now();
  let isRunning = false;

  const run = async (): Promise<void> => {
    // The code is loaded here, so that the start of a node does not wait for it.
    const { runRetention } = await import("./retention-run.js");
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      const left = await runRetention(client, {
        serviceDays,
        now,
        pace: createPace(),
        store: store === null ? null : counted(store, metrics.archived),
        waitsForCopies,
        onDropped(isCopied) {
          metrics.weeks("dropped");
          if (isCopied) return;
          metrics.weeks("uncopied");
          log.error("a week was dropped although ClickHouse lacks some of its rows");
        },
        onRewritten: () => metrics.weeks("rewritten"),
      });
      // Another node that runs shows its own number.
      if (left === null) metrics.waiting(0);
      else {
        metrics.oldest(left.oldestStartMs);
        metrics.waiting(left.waiting);
        if (left.postponed + left.waiting === 0) await client.query(NOTE_RUN);
      }
      const { rows } = await client.query<{ finished_at: Date }>("select finished_at from retention_runs");
      finishedAtMs = Math.max(finishedAtMs, rows[0]?.finished_at.getTime() ?? 0);
      metrics.finished(finishedAtMs);
    } catch (error) {
      // Closing the connection also releases its advisory lock.
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
  const look = async (): Promise<void> => {
    if (isRunning || !mayRun()) return;
    isRunning = true;
    try {
      await run();
    } catch (error) {
      metrics.failed();
      log.warn({ err: error }, "old data could not be let go of; trying again");
    } finally {
      isRunning = false;
    }
  };
  const looking = setInterval(() => void look(), RETENTION_TUNING.lookIntervalMs).unref();
  return {
    look,
    isOverdue: () => now() - finishedAtMs > RETENTION_TUNING.overdueMs,
    close: () => clearInterval(looking),
  };
}

/** RET-14: counts for each part whether it was archived. */
function counted(store: StorePart, note: (result: "stored" | "failed", bytes: number) => void): StorePart {
  return async (job) => {
    try {
      const stored = await store(job);
      note("stored", stored.bytes);
      return stored;
    } catch (error) {
      note("failed", 0);
      throw error;
    }
  };
}

const NOTE_RUN = `insert into retention_runs (finished_at) values (now())
  on conflict (only_row) do update set finished_at = excluded.finished_at`;

function createRetentionMetrics({ gauge, counter }: Pick<Metrics, "gauge" | "counter">) {
  const oldest = gauge(
    "payinference_retention_oldest_week_timestamp_seconds",
    "When the oldest week of decisions on disk begins.",
  );
  const finished = gauge(
    "payinference_retention_last_run_timestamp_seconds",
    "When any node last let go of all that was past its limit; the node's start where none has.",
  );
  const waiting = gauge(
    "payinference_retention_waiting_weeks",
    "Weeks past the limit that stay until ClickHouse has their rows.",
  );
  const weeks = counter(
    "payinference_retention_weeks_total",
    "Weeks that this node dropped, or rewrote without the rows of a workspace whose limit is shorter; uncopied: those dropped that ClickHouse lacks rows of.",
  );
  const parts = counter(
    "payinference_archive_parts_total",
    "Parts of weeks that this node put into the archive and read back, or could not.",
  );
  const byteCount = counter(
    "payinference_archive_bytes_total",
    "Bytes that this node put into the archive.",
  ).child({});
  const byArchive = { stored: parts.child({ result: "stored" }), failed: parts.child({ result: "failed" }) };
  const failures = counter("payinference_retention_failures_total", "Runs of this node that failed.");
  const failed = failures.child({});
  const byResult = {
    dropped: weeks.child({ result: "dropped" }),
    rewritten: weeks.child({ result: "rewritten" }),
    uncopied: weeks.child({ result: "uncopied" }),
  };
  return {
    oldest: (startMs: number | null) => oldest.set((startMs ?? 0) / 1000),
    finished: (atMs: number) => finished.set(atMs / 1000),
    waiting: (count: number) => waiting.set(count),
    weeks: (result: keyof typeof byResult) => byResult[result].add(1),
    failed: () => failed.add(1),
    archived(result: "stored" | "failed", bytes: number): void {
      byArchive[result].add(1);
      byteCount.add(bytes);
    },
  };
}
