import type { ClientBase } from "pg";
import { idToHex } from "../shared/ids.js";
import { MODES, type Mode } from "../shared/vocabulary.js";

/** Whose decisions the rollups of migrations/0016_costs_retries_incidents.sql are read for. */
export interface CountedRange {
  workspaceId: string;
  mode: Mode;
  /** Hours since 1970; null: all of history, which is one row. */
  sinceHour: number | null;
}

/** Of a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and hour between $3 and $4";
/** Of the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and hour >= $3 and $4 is not null";

const ALL_OF_HISTORY = -1;
const LAST_HOUR = 2 ** 31 - 1;

export function countedValues({ workspaceId, mode, sinceHour }: CountedRange): unknown[] {
  const hours = sinceHour === null ? [ALL_OF_HISTORY, ALL_OF_HISTORY] : [sinceHour, LAST_HOUR];
  return [idToHex(workspaceId), MODES.indexOf(mode), ...hours];
}

/** When each of them began to be counted, by name; null: with the first decision. */
export async function loadBeginnings(client: ClientBase): Promise<Record<"costs" | "retries", Date | null>> {
  const { rows } = await client.query<{ name: "costs" | "retries"; began_at: Date | null }>({
    name: "load_rollup_beginnings",
    text: "select name, began_at from rollup_beginnings",
  });
  const began = new Map(rows.map(({ name, began_at }) => [name, began_at]));
  return { costs: began.get("costs") ?? null, retries: began.get("retries") ?? null };
}
