import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";
import { inClickHouse } from "./clickhouse-failure.js";
import { whileCopying } from "./copy-lock.js";
import {
  claimBatches,
  confirmBatches,
  dropFeedbackNotes,
  FEEDBACK_LANE,
  leaseLane,
  readFeedbackNotes,
  releaseLane,
  type FeedbackNotes,
} from "./lane-queries.js";
import type { LogCopyReport } from "./messages.js";
import {
  DECISION_COLUMNS,
  OUTCOME_COLUMNS,
  readDecisions,
  readOutcomes,
  readReviews,
  REVIEW_COLUMNS,
} from "./stored-rows.js";
import { LineRoom } from "./with-documents.js";

/** How many rows of each kind a step has copied. */
type Copied = Partial<Pick<LogCopyReport, "decisions" | "outcomes" | "reviews">>;

export interface CopySteps {
  /** Copies one range of the node `laneOf`'s lane. Null if no batch waits, or if another node has the lane. */
  copyRange(laneOf: string): Promise<Copied | null>;
  /** CH-21: copies feedback that came outside of batches. Null if none waits, or if another node is copying it. */
  copyFeedback(): Promise<Copied | null>;
}

export function createCopySteps(pool: Pool, clickHouse: ClickHouse, nodeId: string): CopySteps {
  const room = new LineRoom();

  const copyRange = async (laneOf: string): Promise<Copied | null> => {
    const lane = await leaseLane(pool, laneOf, nodeId);
    const batches = lane === null ? null : await claimBatches(pool, lane, nodeId);
    if (lane === null || batches === null) return null;
    const token = `${laneOf} ${lane.position} ${batches.through}`;
    const decisions = await readDecisions(pool, batches, room);
    const outcomes = await readOutcomes(pool, batches.outcomes);
    await inClickHouse(async () => {
      if (decisions.rows > 0) await clickHouse.insert("decisions", DECISION_COLUMNS, decisions.bytes, token);
      if (outcomes.rows > 0) await clickHouse.insert("outcomes", OUTCOME_COLUMNS, outcomes.bytes, token);
    });
    const isOwn = await confirmBatches(pool, lane, batches.through, nodeId);
    return isOwn ? { decisions: decisions.rows, outcomes: outcomes.rows } : null;
  };

  const sendFeedback = async (notes: FeedbackNotes): Promise<Copied> => {
    const outcomes = await readOutcomes(pool, notes);
    const reviews = await readReviews(pool, notes);
    // After a failure the rows are sent again with another token. Their newer versions replace the earlier rows.
    const token = `${FEEDBACK_LANE} ${randomUUID()}`;
    await inClickHouse(async () => {
      if (outcomes.rows > 0) await clickHouse.insert("outcomes", OUTCOME_COLUMNS, outcomes.bytes, token);
      if (reviews.rows > 0) await clickHouse.insert("reviews", REVIEW_COLUMNS, reviews.bytes, token);
    });
    await dropFeedbackNotes(pool, notes);
    return { outcomes: outcomes.rows, reviews: reviews.rows };
  };

  /** CH-4: runs `work` on a lane. If it fails, another node can have the lane at once. */
  const onLane = async <T>(laneOf: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await whileCopying(pool, work);
    } catch (error) {
      // If PostgreSQL is away as well, the lease ends by itself.
      await releaseLane(pool, laneOf, nodeId).catch(() => undefined);
      throw error;
    }
  };

  return {
    copyRange: (laneOf) => onLane(laneOf, () => copyRange(laneOf)),
    async copyFeedback() {
      const notes = await readFeedbackNotes(pool);
      if (notes === null || (await leaseLane(pool, FEEDBACK_LANE, nodeId)) === null) return null;
      return onLane(FEEDBACK_LANE, () => sendFeedback(notes));
    },
  };
}
