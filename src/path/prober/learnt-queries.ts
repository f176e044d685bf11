import type { Pool } from "pg";
import type { LearntLevel } from "../../domain/health/monitor/live-level.js";
import type { LearntSegment } from "../../domain/health/monitor/live-segment.js";
import type { SegmentHealth } from "../../domain/health/state-machine.js";
import { idFromHex, idToUuid } from "../../domain/ids/ids.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import type { LearntRecovery } from "../../domain/retries/recovery.js";
import type { LearntView } from "./messages.js";
import { inTransaction } from "../../platform/postgres/transaction.js";

/** What the nodes have learnt from outcomes, as one of them stored it. */
export interface StoredLearning {
  /**
   * A pg_snapshot as text. The evidence of every transaction that it shows is part of `views`. Null if the database was
   * restored into another server, where transaction numbers mean other transactions.
   */
  through: string | null;
  views: LearntView[];
  /**
   * The number of segments and recoveries that this build cannot read. These start without outcomes, and all others are
   * restored.
   */
  skipped: number;
}

/** What a node stores. The fields are those of StoredLearning. */
export interface Learning {
  through: string;
  views: readonly LearntView[];
}

/** HLTH-11: reads what was learnt before this node's start. Null on a new database. */
export async function readLearning(pool: Pool): Promise<StoredLearning | null> {
  // Cursor and views are read in one statement, so that they come from the same moment.
  const { rows } = await pool.query<{
    through: string | null;
    workspace_id: string | null;
    mode: number;
    learnt: unknown;
  }>(
    `select case when pg_snapshot_xmax(c.learnt_through) <= pg_snapshot_xmax(pg_current_snapshot())
              then c.learnt_through::text end as through, l.workspace_id, l.mode, l.learnt
     from learnt_health_cursor c left join learnt_health l on true`,
  );
  const [first] = rows;
  if (first === undefined) return null;
  const views: LearntView[] = [];
  let skipped = 0;
  for (const { workspace_id: workspaceId, mode, learnt } of rows) {
    if (workspaceId === null) continue;
    const stored = (learnt ?? {}) as Record<string, unknown>;
    const [storedSegments, storedRecoveries] = [listIn(stored["segments"]), listIn(stored["recoveries"])];
    const segments = storedSegments.filter(isLearntSegment);
    const recoveries = storedRecoveries.filter(isLearntRecovery);
    skipped += storedSegments.length - segments.length + storedRecoveries.length - recoveries.length;
    views.push({
      workspaceId: idFromHex("ws", workspaceId),
      mode: MODES[mode] as Mode,
      segments,
      recoveries,
    });
  }
  return { through: first.through, views, skipped };
}

const HEALTH_KINDS: readonly SegmentHealth["kind"][] = [
  "unknown",
  "scored",
  "circuit_open",
  "half_open",
  "recovering",
];

function isLearntSegment(value: unknown): value is LearntSegment {
  return (
    isLearntLevel(value) &&
    "levels" in value &&
    Array.isArray(value.levels) &&
    value.levels.every(isLearntLevel)
  );
}

/** Returns a list unchanged. Any other value counts as a list with one unreadable element. */
function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

const areNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => Number.isFinite(one));

function isLearntRecovery(value: unknown): value is LearntRecovery {
  if (!Array.isArray(value)) return false;
  const [code, attempt, provider, counts] = value as unknown[];
  return (
    typeof code === "string" &&
    Number.isSafeInteger(attempt) &&
    typeof provider === "string" &&
    areNumbers(counts)
  );
}

/** True if the value is readable. One unreadable row must not keep the prober of every node from starting. */
function isLearntLevel(value: unknown): value is LearntLevel {
  if (typeof value !== "object" || value === null) return false;
  const level = value as Partial<LearntLevel>;
  const { key, technical, approvals, normal, felt, latencies, health, lastOutcomeMs } = level;
  return (
    typeof key === "string" &&
    [technical, approvals, normal, latencies].every(areNumbers) &&
    Array.isArray(felt) &&
    felt.every(areNumbers) &&
    typeof health === "object" &&
    (HEALTH_KINDS as readonly unknown[]).includes((health as Partial<SegmentHealth> | null)?.kind) &&
    Number.isFinite(lastOutcomeMs)
  );
}

/**
 * Stores what was learnt up to `through`. Returns false if it stores nothing. With a `before`, pass the views that
 * changed since then. They are stored only if no other node has stored since `before`. With a null `before`, pass all
 * views. They are stored only if no node has stored for `takeoverSeconds`.
 */
export function saveLearning(
  pool: Pool,
  { through, views }: Learning,
  before: string | null,
  takeoverSeconds: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into learnt_health_cursor as c (learnt_through) values ($1::pg_snapshot)
       on conflict (only_row) do update set learnt_through = excluded.learnt_through, stored_at = now()
       where c.learnt_through::text = $2 or ($2 is null and c.stored_at < now() - $3 * interval '1 second')`,
      [through, before, takeoverSeconds],
    );
    if (rowCount === 0) return false;
    if (before === null) await client.query("delete from learnt_health");
    await client.query(
      `with given as (
         select * from unnest($1::uuid[], $2::smallint[], $3::text[]) as g (workspace_id, mode, learnt)
       ), forgotten as (
         delete from learnt_health l using given g
         where l.workspace_id = g.workspace_id and l.mode = g.mode and g.learnt is null
       )
       insert into learnt_health (workspace_id, mode, learnt)
       select workspace_id, mode, learnt::json from given where learnt is not null and not is_erased(workspace_id, null)
       on conflict (workspace_id, mode) do update set learnt = excluded.learnt`,
      [
        views.map(({ workspaceId }) => idToUuid(workspaceId)),
        views.map(({ mode }) => MODES.indexOf(mode)),
        views.map(({ segments, recoveries }) =>
          segments.length + recoveries.length === 0 ? null : JSON.stringify({ segments, recoveries }),
        ),
      ],
    );
    return true;
  });
}
