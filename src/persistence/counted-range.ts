import { idToHex } from "../shared/ids.js";
import { MODES, type Mode } from "../shared/vocabulary.js";
import type { TenantConnection } from "./tenant-db.js";

/** Whose decisions the rollups of migrations/0016_costs_retries_incidents.sql are read for. */
export interface CountedRange {
  workspaceId: string;
  mode: Mode;
  /** `hours` reach two days back; `days` begin with the one (UTC) of `sinceHour`; `all` of history is one row. */
  by: "hours" | "days" | "all";
  /** Hours since 1970; 0 for all. */
  sinceHour: number;
}

/** Of a folded table. */
export const FOLDED = "workspace_id = $1 and mode = $2 and hour between $3 and $4";
/** Of the deltas that are not folded yet. */
export const PENDING = "workspace_id = $1 and mode = $2 and hour >= $5";

const HOURS_PER_DAY = 24;
const INTEGER_MIN = -(2 ** 31);
const INTEGER_MAX = 2 ** 31 - 1;

/** The first and the last `hour` of the folded rows: see the migration. */
const FOLDED_HOURS: Readonly<Record<CountedRange["by"], (sinceHour: number) => [number, number]>> = {
  all: () => [-1, -1],
  days: (sinceHour) => [INTEGER_MIN, -2 - Math.floor(sinceHour / HOURS_PER_DAY)],
  hours: (sinceHour) => [sinceHour, INTEGER_MAX],
};

export function countedValues({ workspaceId, mode, by, sinceHour }: CountedRange): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode), ...FOLDED_HOURS[by](sinceHour), sinceHour];
}

/** When each of them began to be counted, by name; null: with the first decision. */
export async function loadBeginnings(
  client: TenantConnection,
): Promise<Record<"costs" | "retries", Date | null>> {
  const { rows } = await client.query<{ name: "costs" | "retries"; began_at: Date | null }>({
    name: "load_rollup_beginnings",
    text: "select name, began_at from rollup_beginnings",
  });
  const began = new Map(rows.map(({ name, began_at }) => [name, began_at]));
  return { costs: began.get("costs") ?? null, retries: began.get("retries") ?? null };
}
