import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { LOG_COPY } from "../../domain/vocabulary/tuning/log-copy.js";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";
import {
  claimBatches,
  confirmBatches,
  dropFeedbackNotes,
  dropOldNotes,
  FEEDBACK_LANE,
  leaseLane,
  listLanes,
  oldestNoteSeconds,
  readFeedbackNotes,
  type FeedbackNotes,
} from "./lane-queries.js";
import { whileCopying } from "./copy-lock.js";
import { LineRoom } from "./with-documents.js";
import type { LogCopyReport } from "./messages.js";
import {
  DECISION_COLUMNS,
  OUTCOME_COLUMNS,
  readDecisions,
  readOutcomes,
  readReviews,
  REVIEW_COLUMNS,
} from "./stored-rows.js";

export interface LogCopierOptions {
  /** Sees the rows of all tenants. */
  pool: Pool;
  clickHouse: ClickHouse;
  nodeId: string;
  /** Creates or updates ClickHouse's schema. */
  prepare(): Promise<void>;
  /** CH-17: removes rows from ClickHouse that workspaces no longer keep. */
  removePast(): Promise<void>;
  report(report: LogCopyReport): void;
  /** A monotonic clock in milliseconds. */
  monotonicMs(): number;
}

export interface LogCopier {
  begin(): void;
  /** Resolves once the copier has stopped. Records that are not copied yet wait in PostgreSQL. */
  end(): Promise<void>;
}

/**
 * Copies what PostgreSQL stores of decisions and outcomes to ClickHouse.
 *
 * | Event | next |
 * |---|---|
 * | the time to look has come | prepare ClickHouse, unless that is done; then lease each lane that waits |
 * | another node has the lane | the next lane |
 * | a lane has batches | fix a range, read its rows, insert them with the range as token, confirm |
 * | another node took the lane before the confirmation | the next lane: that node inserts the same range again, without effect |
 * | PostgreSQL or ClickHouse is away, slow or refuses | look again after a pause, which doubles |
 * | feedback outside of batches waits, and no other node copies it | read its rows, insert them, drop its notes |
 * | a day has passed | remove what is past a workspace's own limit |
 * | a note has waited for too long | forget it, and count its records as left |
 */
export function createLogCopier(options: LogCopierOptions): LogCopier {
  const { pool, clickHouse, nodeId, prepare, removePast, report, monotonicMs } = options;
  const room = new LineRoom();
  let isPrepared = false;
  let isEnding = false;
  let pauseMs: number = LOG_COPY.lookIntervalMs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let sweptMs = monotonicMs();
  /** The first removal runs at once, because a node may never be up for a whole day. */
  let removedMs = -Infinity;

  /** Copies one range. Returns false if no batch waits, or if another node has the lane. */
  const copyRange = (laneOf: string): Promise<boolean> =>
    whileCopying(pool, async () => {
      const lane = await leaseLane(pool, laneOf, nodeId);
      const batches = lane === null ? null : await claimBatches(pool, lane, nodeId);
      if (lane === null || batches === null) return false;
      const token = `${laneOf} ${lane.position} ${batches.through}`;
      const decisions = await readDecisions(pool, batches, room);
      const outcomes = await readOutcomes(pool, batches.outcomes);
      await inClickHouse(async () => {
        if (decisions.rows > 0)
          await clickHouse.insert("decisions", DECISION_COLUMNS, decisions.bytes, token);
        if (outcomes.rows > 0) await clickHouse.insert("outcomes", OUTCOME_COLUMNS, outcomes.bytes, token);
      });
      const isOwn = await confirmBatches(pool, lane, batches.through, nodeId);
      if (isOwn) report({ ...NOTHING, decisions: decisions.rows, outcomes: outcomes.rows });
      return isOwn;
    });

  /** CH-21: copies feedback outside of batches. Returns false if none waits, or if another node copies it. */
  const copyFeedback = async (): Promise<boolean> => {
    const notes = await readFeedbackNotes(pool);
    if (notes === null || (await leaseLane(pool, FEEDBACK_LANE, nodeId)) === null) return false;
    await whileCopying(pool, () => sendFeedback(notes));
    return true;
  };

  const sendFeedback = async (notes: FeedbackNotes): Promise<void> => {
    const outcomes = await readOutcomes(pool, notes);
    const reviews = await readReviews(pool, notes);
    // After a failure the rows are sent again, with another token. The newer versions replace the older ones.
    const token = `${FEEDBACK_LANE} ${randomUUID()}`;
    await inClickHouse(async () => {
      if (outcomes.rows > 0) await clickHouse.insert("outcomes", OUTCOME_COLUMNS, outcomes.bytes, token);
      if (reviews.rows > 0) await clickHouse.insert("reviews", REVIEW_COLUMNS, reviews.bytes, token);
    });
    await dropFeedbackNotes(pool, notes);
    report({ ...NOTHING, outcomes: outcomes.rows, reviews: reviews.rows });
  };

  const sweep = async (): Promise<void> => {
    if (monotonicMs() - sweptMs < LOG_COPY.sweepIntervalMs) return;
    sweptMs = monotonicMs();
    report({ ...NOTHING, left: await dropOldNotes(pool) });
  };

  const look = async (): Promise<void> => {
    await sweep();
    if (!isPrepared) {
      await inClickHouse(prepare);
      isPrepared = true;
    }
    for (const lane of await listLanes(pool, nodeId)) {
      while (!isEnding && (await copyRange(lane)));
    }
    while (!isEnding && (await copyFeedback()));
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

class ClickHouseFailure extends Error {}

async function inClickHouse(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ClickHouseFailure("ClickHouse failed", { cause: error });
  }
}

/** Only the code is reported, because an error's message may contain rows. */
function failureOf(error: unknown): LogCopyReport["failures"][number] {
  const isClickHouse = error instanceof ClickHouseFailure;
  const { code, type, name } = (isClickHouse ? error.cause : error) as {
    code?: string;
    type?: string;
    name?: string;
  };
  return { where: isClickHouse ? "clickhouse" : "postgresql", reason: type ?? code ?? name ?? "unknown" };
}
