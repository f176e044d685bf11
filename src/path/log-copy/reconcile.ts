import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { LOG_COPY } from "../../domain/vocabulary/tuning/log-copy.js";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";
import { whileCopying } from "./copy-lock.js";
import { copyOut } from "./copy-out.js";
import { copiedIn, differencesIn, storedIn, type Difference, type Range } from "./counts.js";
import {
  DECISION_COLUMNS,
  OUTCOME_COLUMNS,
  OUTCOME_TEXTS,
  REVIEW_COLUMNS,
  REVIEW_TEXTS,
  readDecisions,
} from "./stored-rows.js";
import { LineRoom } from "./with-documents.js";

const [HOUR_MS, MINUTE_MS, SECOND_MS] = [3_600_000, 60_000, 1000];

/**
 * CH-10: finds the hours of the last `days` in which the two servers differ. The comparison leaves out the time from
 * the first record that still waits to be copied, and the time in which a node may still be storing records.
 */
export async function differingHours(
  pool: Pool,
  clickHouse: ClickHouse,
  days: number,
  nowMs: number,
): Promise<Difference[]> {
  const { rows } = await pool.query<{ oldest_ms: string | null }>(
    "select min(oldest_ms) as oldest_ms from log_copy_batches",
  );
  const settledMs = nowMs - LOG_COPY.settledAfterMs;
  const endMs = Math.min(settledMs, Number(rows[0]?.oldest_ms ?? settledMs));
  const range = { startMs: Math.floor(nowMs / HOUR_MS - days * 24) * HOUR_MS, endMs };
  return range.startMs < range.endMs ? differencesIn(pool, clickHouse, range, HOUR_MS) : [];
}

/**
 * CH-11: sends the rows of an hour that ClickHouse lacks. It compares the hour by minutes and then by seconds, so that
 * few rows are read. Rows that only ClickHouse has are kept. Returns the number of rows sent.
 */
export async function repairHour(pool: Pool, clickHouse: ClickHouse, hour: Range): Promise<number> {
  let sent = 0;
  for (const minute of await differencesIn(pool, clickHouse, hour, MINUTE_MS)) {
    for (const second of await differencesIn(pool, clickHouse, minute, SECOND_MS)) {
      sent += await whileCopying(
        pool,
        async () =>
          (await sendDecisions(pool, clickHouse, second)) + (await sendFeedback(pool, clickHouse, second)),
      );
    }
  }
  return sent;
}

interface StoredId {
  workspace_id: string;
  decision_id: string;
  segment_id: string;
}

async function sendDecisions(pool: Pool, clickHouse: ClickHouse, range: Range): Promise<number> {
  const { rows } = await pool.query<StoredId>(
    `select workspace_id, decision_id, segment_id from decisions where ${storedIn(range)}`,
  );
  const copied = await clickHouse.rows<{ id: string }>(
    `select toString(decision_id) as id from decisions where ${copiedIn(range)}`,
  );
  const known = new Set(copied.map(({ id }) => id));
  const missing = rows.filter(({ decision_id }) => !known.has(decision_id));
  const { bytes, rows: sent } = await readDecisions(
    pool,
    {
      workspaceIds: missing.map(({ workspace_id }) => workspace_id),
      segmentIds: [...new Set(missing.map(({ segment_id }) => segment_id))],
      ...range,
    },
    new LineRoom(),
    missing.map(({ decision_id }) => decision_id),
  );
  if (sent > 0) await clickHouse.insert("decisions", DECISION_COLUMNS, bytes, newToken());
  return sent;
}

/**
 * Sends all outcomes and reviews of the range as newer versions, because a count does not show which of them differ.
 */
async function sendFeedback(pool: Pool, clickHouse: ClickHouse, range: Range): Promise<number> {
  const outcomes = await copyOut(pool, `select ${OUTCOME_TEXTS} from outcomes o where ${storedIn(range)}`);
  if (outcomes.rows > 0) await clickHouse.insert("outcomes", OUTCOME_COLUMNS, outcomes.bytes, newToken());
  const reviews = await copyOut(pool, `select ${REVIEW_TEXTS} from reviews r where ${storedIn(range)}`);
  if (reviews.rows > 0) await clickHouse.insert("reviews", REVIEW_COLUMNS, reviews.bytes, newToken());
  return outcomes.rows + reviews.rows;
}

/**
 * Returns a new token each time. ClickHouse ignores rows with a known token, but rows that it has lost must be stored
 * again.
 */
const newToken = (): string => `reconciled ${randomUUID()}`;
