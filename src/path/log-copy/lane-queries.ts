import type { Pool } from "pg";
import { LOG_COPY } from "../../domain/vocabulary/tuning/log-copy.js";

/** A node's batches in the order of its journal, and the position up to which ClickHouse has them. */
export interface Lane {
  nodeId: string;
  /** ClickHouse has the node's journal up to this position. */
  position: number;
}

/** The batches of one insert, as the writer recorded them (migrations/0003_nodes.sql). */
export interface NotedBatches {
  through: number;
  decisions: number;
  workspaceIds: string[];
  segmentIds: string[];
  /** Unix milliseconds: from the first decision's time to one millisecond after the last decision's. */
  startMs: number;
  endMs: number;
  outcomes: NotedFeedback;
}

/**
 * CH-4: lists the lanes that this node may copy: its own, and those of other nodes whose batches have waited too long
 * and that nobody has leased.
 */
export async function listLanes(pool: Pool, own: string): Promise<string[]> {
  const { rows } = await pool.query<{ node_id: string }>(
    `select node_id from (select distinct node_id from log_copy_batches) waiting
     left join log_copy_lanes using (node_id)
     where node_id = $1 or (coalesce(leased_until, '-infinity') < now() and exists (
       select from log_copy_batches b where b.node_id = waiting.node_id and b.stored_at < now() - $2 * interval '1 s'))
     order by node_id <> $1, node_id`,
    [own, LOG_COPY.othersAfterSeconds],
  );
  return rows.map(({ node_id }) => node_id);
}

/** Takes or renews the lease of a lane. Returns null if another node has it. */
export async function leaseLane(pool: Pool, nodeId: string, own: string): Promise<Lane | null> {
  const { rows } = await pool.query<{ position: string }>(
    `insert into log_copy_lanes as lane (node_id, leased_by, leased_until)
     values ($1, $2, now() + $3 * interval '1 s')
     on conflict (node_id) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
     where lane.leased_by = excluded.leased_by or lane.leased_until < now()
     returning position`,
    [nodeId, own, LOG_COPY.leaseSeconds],
  );
  return rows[0] === undefined ? null : { nodeId, position: Number(rows[0].position) };
}

/**
 * Gives up the lease of a lane that is not the node's own. This node's way to ClickHouse may be broken, and with a lease
 * that it renews with each attempt no other node would ever copy the lane.
 */
export async function releaseLane(pool: Pool, nodeId: string, own: string): Promise<void> {
  await pool.query(
    `update log_copy_lanes set leased_until = now() - interval '1 s'
     where node_id = $1 and leased_by = $2 and node_id <> $2`,
    [nodeId, own],
  );
}

/**
 * CH-3: fixes the range of the next insert and returns its batches. Returns null if no batch waits. A range that was
 * fixed but not confirmed is returned again. The repeated insert then has the same token, and ClickHouse ignores it if
 * it has the rows.
 */
export async function claimBatches(pool: Pool, lane: Lane, own: string): Promise<NotedBatches | null> {
  const { rows: claimed } = await pool.query<{ inserting_through: string | null }>(
    `update log_copy_lanes set inserting_through = coalesce(inserting_through, (
       select coalesce(max(through) filter (where rows <= $4), min(through)) from (
         select through, sum(decisions + cardinality(outcomes)) over (order by through) as rows
         from log_copy_batches where node_id = $1 and through > $2 order by through limit $5) waiting))
     where node_id = $1 and position = $2 and leased_by = $3
     returning inserting_through`,
    [lane.nodeId, lane.position, own, LOG_COPY.insertRowsMax, LOG_COPY.insertBatchesMax],
  );
  const through = claimed[0]?.inserting_through ?? null;
  return through === null ? null : readBatches(pool, lane, Number(through));
}

interface BatchRow {
  decisions: number;
  workspaces: string[];
  segments: string[];
  oldest_ms: string | null;
  newest_ms: string | null;
  outcome_workspaces: string[];
  outcome_modes: number[];
  outcomes: string[];
}

async function readBatches(pool: Pool, lane: Lane, through: number): Promise<NotedBatches> {
  const { rows } = await pool.query<BatchRow>(
    `select decisions, workspaces::text[], segments::text[], oldest_ms, newest_ms, outcome_workspaces::text[],
       outcome_modes::integer[], outcomes::text[]
     from log_copy_batches where node_id = $1 and through > $2 and through <= $3 order by through`,
    [lane.nodeId, lane.position, through],
  );
  return {
    through,
    decisions: rows.reduce((sum, row) => sum + row.decisions, 0),
    workspaceIds: rows.flatMap((row) => row.workspaces),
    segmentIds: rows.flatMap((row) => row.segments),
    startMs: Math.min(...rows.map((row) => Number(row.oldest_ms ?? Infinity))),
    endMs: Math.max(...rows.map((row) => Number(row.newest_ms ?? -Infinity))) + 1,
    outcomes: {
      workspaceIds: rows.flatMap((row) => row.outcome_workspaces),
      modes: rows.flatMap((row) => row.outcome_modes),
      decisionIds: rows.flatMap((row) => row.outcomes),
    },
  };
}

/** Confirms an insert. Returns false if another node has taken the lane since. That node continues the lane. */
export async function confirmBatches(pool: Pool, lane: Lane, through: number, own: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with moved as (
       update log_copy_lanes set position = $3, inserting_through = null
       where node_id = $1 and position = $2 and leased_by = $4 returning node_id)
     delete from log_copy_batches b using moved where b.node_id = moved.node_id and b.through <= $3`,
    [lane.nodeId, lane.position, through, own],
  );
  return (rowCount ?? 0) > 0;
}

/** The lane of feedback that came outside of batches. No node's id contains `*`. */
export const FEEDBACK_LANE = "*feedback";

/** Decisions whose outcome or review may have changed. */
export interface NotedFeedback {
  workspaceIds: string[];
  modes: number[];
  decisionIds: string[];
}

export interface FeedbackNotes extends NotedFeedback {
  noteIds: string[];
}

/** CH-21: reads the oldest notes of feedback that came outside of batches. Null if there are none. */
export async function readFeedbackNotes(pool: Pool): Promise<FeedbackNotes | null> {
  const { rows } = await pool.query<{
    note_id: string;
    workspaces: string[];
    modes: number[];
    decisions: string[];
  }>(
    `select note_id, workspaces::text[], modes::integer[], decisions::text[]
     from log_copy_feedback order by note_id limit $1`,
    [LOG_COPY.insertBatchesMax],
  );
  if (rows.length === 0) return null;
  return {
    noteIds: rows.map((row) => row.note_id),
    workspaceIds: rows.flatMap((row) => row.workspaces),
    modes: rows.flatMap((row) => row.modes),
    decisionIds: rows.flatMap((row) => row.decisions),
  };
}

export async function dropFeedbackNotes(pool: Pool, { noteIds }: FeedbackNotes): Promise<void> {
  await pool.query("delete from log_copy_feedback where note_id = any($1::bigint[])", [noteIds]);
}

/** CH-6: drops the notes that have waited too long. Returns the number of records that these notes stand for. */
export async function dropOldNotes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ records: string }>(
    `with dropped as (
       delete from log_copy_batches where stored_at < now() - $1 * interval '1 s'
       returning decisions + cardinality(outcomes) as records
     ), dropped_feedback as (
       delete from log_copy_feedback where stored_at < now() - $1 * interval '1 s'
       returning cardinality(decisions) as records)
     select coalesce(sum(records), 0) as records
     from (select records from dropped union all select records from dropped_feedback) as forgotten`,
    [LOG_COPY.keptSeconds],
  );
  return Number(rows[0]?.records);
}

/** Returns the age in seconds of the oldest note, of any node, that is not copied yet. 0 if there is none. */
export async function oldestNoteSeconds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - least(
       (select min(stored_at) from log_copy_batches),
       (select min(stored_at) from log_copy_feedback))), 0)::float8 as seconds`,
  );
  return rows[0]?.seconds ?? 0;
}

/** CH-7: runs `work` on one node at a time. Rejects if PostgreSQL does not answer. */
export async function onOneNode(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended('migrate_clickhouse', 0))");
    await work();
  } finally {
    // Closing the connection ends the transaction, whatever its state.
    client.release(true);
  }
}
