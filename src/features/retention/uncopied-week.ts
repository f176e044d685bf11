import type { ClientBase } from "pg";
import { idFloorHex } from "../../domain/ids/ids.js";
import { LOG_COPY } from "../../domain/vocabulary/tuning/log-copy.js";
import type { Week } from "./weeks.js";

/**
 * RET-27: returns whether a note says that ClickHouse lacks a decision, an outcome or a review of this week. A copier
 * reads these rows in PostgreSQL, so they must stay for it.
 */
async function isUncopied(client: ClientBase, { startMs, endMs }: Week): Promise<boolean> {
  const ofWeek = (ids: string): string =>
    `exists (select from unnest(${ids}) as noted (id) where id >= $3::uuid and id < $4::uuid)`;
  const { rows } = await client.query<{ waits: boolean }>(
    `select exists (select from log_copy_batches
         where (oldest_ms < $2 and newest_ms >= $1) or ${ofWeek("outcomes")})
       or exists (select from log_copy_feedback where ${ofWeek("decisions")}) as waits`,
    [startMs, endMs, idFloorHex(startMs), idFloorHex(endMs)],
  );
  return rows[0]?.waits !== false;
}

/** Whether a week may leave: at once, later, or although ClickHouse lacks some of its rows. */
type CopyState = "copied" | "waits" | "given_up";

/**
 * RET-27: judges a week before `sinceMs`, the time from which decisions are kept. It waits for its copy no longer than
 * a note does. Nobody can copy a week that an earlier run has detached, so it does not wait.
 */
export async function copyStateOf(client: ClientBase, week: Week, sinceMs: number): Promise<CopyState> {
  if (!(await isUncopied(client, week))) return "copied";
  const isAttached = week.parts.every(({ state }) => state === "attached");
  return isAttached && sinceMs - week.endMs <= 1000 * LOG_COPY.keptSeconds ? "waits" : "given_up";
}
