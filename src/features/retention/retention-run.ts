import type { ClientBase } from "pg";
import { idFromHex } from "../../domain/ids/ids.js";
import { keptDays, keptSinceMs } from "../../domain/vocabulary/tuning/retention.js";
import type { Pace } from "../../platform/timing/pace.js";
import { weekOf } from "../../path/writer/copy/decision-week.js";
import type { StorePart } from "./archive/archive-part.js";
import { dropWeek } from "./drop-week.js";
import { withRetentionLock } from "./retention-lock.js";
import { ownersIn, rewriteWeek } from "./rewrite-week.js";
import { createSweep, sweepAll, sweepNamed, sweepWorkspace } from "./sweeps.js";
import { copyStateOf } from "./uncopied-week.js";
import { listWeeks, type Week } from "./weeks.js";

export interface RetentionRunOptions {
  /** RETENTION_DAYS. 0 keeps everything. */
  serviceDays: number;
  /** The node's clock, in Unix milliseconds. */
  now(): number;
  /** RET-10: archives rows before they are removed. Null if there is no archive. */
  store: StorePart | null;
  pace: Pace;
  /** RET-27: with ANALYTICS_URL, ClickHouse gets the rows of a week before they are removed. */
  waitsForCopies: boolean;
  /** `isCopied` is false if ClickHouse never got some of the week's rows. */
  onDropped(isCopied: boolean): void;
  onRewritten(): void;
}

/** The result of a run. */
export interface RetentionRun {
  /** The start of the oldest week on disk, in Unix milliseconds. Null if nothing is stored. */
  oldestStartMs: number | null;
  /** The number of weeks whose rewrite waits for a later run, because something used them. */
  postponed: number;
  /** The number of weeks that are past the limit and wait for ClickHouse. */
  waiting: number;
}

/**
 * RET-7 and RET-8: removes everything that is past its limit. Returns null if another node is doing so. A row is
 * removed only if both the node's clock and PostgreSQL's say so. A clock that has jumped ahead could otherwise remove
 * rows that cannot be restored.
 */
export function runRetention(client: ClientBase, options: RetentionRunOptions): Promise<RetentionRun | null> {
  return withRetentionLock(client, async () => {
    // A run may be slow. Parallel workers would take cores from reads.
    await client.query("set max_parallel_workers_per_gather = 0");
    const nowMs = Math.min(options.now(), await databaseNowMs(client));
    const sinceMs = keptSinceMs(keptDays(options.serviceDays, null), nowMs);
    const { kept, waiting } = await dropWeeks(client, sinceMs, options);
    const sweep = createSweep(client, options.pace);
    const onDisk = [...waiting, ...kept];
    const [oldest] = onDisk;
    // ClickHouse gets the reviews of a week that waits from PostgreSQL too.
    const reviewedMs = Math.min(sweptBefore(sinceMs, options), waiting[0]?.startMs ?? sinceMs);
    if (sinceMs > 0) await sweepAll(sweep, reviewedMs);
    if (sinceMs > 0) await sweepNamed(sweep, sinceMs, oldest?.startMs ?? nowMs);
    const postponed = await keepOwnLimits(client, onDisk, nowMs, options);
    return { oldestStartMs: oldest?.startMs ?? null, postponed, waiting: waiting.length };
  });
}

/**
 * RET-7: drops the weeks that end before `sinceMs`, except those that wait for ClickHouse (RET-27). Returns the others,
 * oldest first.
 */
async function dropWeeks(
  client: ClientBase,
  sinceMs: number,
  options: RetentionRunOptions,
): Promise<Record<"kept" | "waiting", Week[]>> {
  const left: Record<"kept" | "waiting", Week[]> = { kept: [], waiting: [] };
  for (const week of await listWeeks(client)) {
    if (week.endMs > sinceMs) {
      left.kept.push(week);
      continue;
    }
    const state = options.waitsForCopies ? await copyStateOf(client, week, sinceMs) : "copied";
    if (state === "waits") {
      left.waiting.push(week);
      continue;
    }
    await dropWeek(client, week, options);
    options.onDropped(state === "copied");
  }
  return left;
}

/** RET-8: rewrites each week that lies wholly past a workspace's own limit and has rows of that workspace. */
async function keepOwnLimits(
  client: ClientBase,
  weeks: readonly Week[],
  nowMs: number,
  options: RetentionRunOptions,
): Promise<number> {
  const { serviceDays, store, pace, onRewritten } = options;
  // A limit that is no shorter than the service's removes nothing more, and a week that waits must stay.
  const { rows } = await client.query<{ workspace_id: string; retention_days: number }>(
    "select workspace_id, retention_days from workspaces where retention_days < $1 or $1 = 0",
    [serviceDays],
  );
  const limits = rows.map(({ workspace_id, retention_days }) => ({
    workspaceId: idFromHex("ws", workspace_id),
    sinceMs: keptSinceMs(keptDays(serviceDays, retention_days), nowMs),
  }));
  let postponed = 0;
  for (const week of weeks) {
    const past = limits.filter(({ sinceMs }) => week.endMs <= sinceMs);
    if (past.length === 0) continue;
    const leaving = await ownersIn(
      client,
      week,
      past.map(({ workspaceId }) => workspaceId),
    );
    if (leaving.length === 0) continue;
    if (await rewriteWeek(client, week, leaving, options)) onRewritten();
    else postponed++;
  }
  // With an archive, a postponed week still needs its reviews.
  if (store !== null && postponed > 0) return postponed;
  for (const { workspaceId, sinceMs } of limits) {
    await sweepWorkspace(createSweep(client, pace), workspaceId, sweptBefore(sinceMs, options));
  }
  return postponed;
}

/**
 * RET-10: reviews are archived with their week. With an archive, a review is therefore removed only together with its
 * week.
 */
const sweptBefore = (sinceMs: number, { store }: RetentionRunOptions): number =>
  store === null ? sinceMs : weekOf(sinceMs).startMs;

async function databaseNowMs(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ now_ms: string }>(
    "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms",
  );
  return Number(rows[0]?.now_ms ?? 0);
}
