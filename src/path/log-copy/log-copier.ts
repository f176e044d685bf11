import type { Pool } from "pg";
import { LOG_COPY } from "../../domain/vocabulary/tuning/log-copy.js";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";
import { failureOf, inClickHouse } from "./clickhouse-failure.js";
import { createCopySteps } from "./copy-steps.js";
import { dropOldNotes, listLanes, oldestNoteSeconds } from "./lane-queries.js";
import type { LogCopyReport } from "./messages.js";

export interface LogCopierOptions {
  /** A pool whose connections see the rows of all tenants. */
  pool: Pool;
  clickHouse: ClickHouse;
  nodeId: string;
  /** Creates or updates ClickHouse's schema. */
  prepare(): Promise<void>;
  /** CH-17: removes from ClickHouse the rows that workspaces no longer keep. */
  removePast(): Promise<void>;
  report(report: LogCopyReport): void;
  /** A monotonic clock in milliseconds. */
  monotonicMs(): number;
}

export interface LogCopier {
  begin(): void;
  /** Resolves when the copier has stopped. Records that are not copied yet wait in PostgreSQL. */
  end(): Promise<void>;
}

/**
 * Copies decisions and outcomes that PostgreSQL has stored to ClickHouse.
 *
 * | Event | next |
 * |---|---|
 * | the look interval has passed | prepare ClickHouse, unless that is done; then lease each lane that waits |
 * | another node has the lane | the next lane |
 * | a lane has batches | fix a range, read its rows, insert them with the range as token, confirm |
 * | another node took the lane before the confirmation | the next lane; the other node's insert has no effect |
 * | PostgreSQL or ClickHouse is away, slow or refuses | look again after a pause, which doubles |
 * | feedback outside of batches waits, and no other node copies it | read its rows, insert them, drop its notes |
 * | a day has passed | remove rows older than a workspace's own limit |
 * | a note has waited too long | drop it, and count its records as left |
 */
export function createLogCopier(options: LogCopierOptions): LogCopier {
  const { pool, clickHouse, nodeId, prepare, removePast, report, monotonicMs } = options;
  const { copyRange, copyFeedback } = createCopySteps(pool, clickHouse, nodeId);
  let isPrepared = false;
  let isEnding = false;
  let pauseMs: number = LOG_COPY.lookIntervalMs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let sweptMs = monotonicMs();
  /** -Infinity makes the first removal run at once, because a node may never be up for a whole day. */
  let removedMs = -Infinity;

  const sweep = async (): Promise<void> => {
    if (monotonicMs() - sweptMs < LOG_COPY.sweepIntervalMs) return;
    sweptMs = monotonicMs();
    report({ ...NOTHING, left: await dropOldNotes(pool) });
  };

  /** Repeats a step until it has nothing more to copy. */
  const untilDone = async (step: () => Promise<Partial<LogCopyReport> | null>): Promise<void> => {
    while (!isEnding) {
      const copied = await step();
      if (copied === null) return;
      report({ ...NOTHING, ...copied });
    }
  };

  const look = async (): Promise<void> => {
    await sweep();
    if (!isPrepared) {
      await inClickHouse(prepare);
      isPrepared = true;
    }
    for (const lane of await listLanes(pool, nodeId)) {
      await untilDone(() => copyRange(lane));
    }
    await untilDone(copyFeedback);
    if (isEnding || monotonicMs() - removedMs < LOG_COPY.ownLimitsIntervalMs) return;
    await inClickHouse(removePast);
    removedMs = monotonicMs();
  };

  const run = async (): Promise<void> => {
    try {
      await look();
      pauseMs = LOG_COPY.lookIntervalMs;
    } catch (error) {
      report({ ...NOTHING, failures: [failureOf(error)] });
      pauseMs = Math.min(LOG_COPY.retryMsMax, Math.max(LOG_COPY.retryMsMin, 2 * pauseMs));
    }
    const lagSeconds = await oldestNoteSeconds(pool).catch(() => null);
    report({ ...NOTHING, lagSeconds });
  };

  const next = (): void => {
    if (isEnding) return;
    timer = setTimeout(() => {
      running = run().finally(next);
    }, pauseMs);
  };

  return {
    begin: next,
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const NOTHING: LogCopyReport = {
  type: "status",
  decisions: 0,
  outcomes: 0,
  reviews: 0,
  left: 0,
  failures: [],
  lagSeconds: null,
};
