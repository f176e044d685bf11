import { idFloorHex, idToHex } from "../../../domain/ids/ids.js";
import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** Whose decisions are counted, and from when on. */
export interface CountedRange {
  workspaceId: string;
  mode: Mode;
  /** Unix milliseconds, included; null for all of history. */
  sinceMs: number | null;
}

/**
 * A range is counted from three places: the rows of its first hour, which it begins within; the rollups of the hours up
 * to the next day; those of the days (UTC) from then on. So it is exact, and a long one is not read hour by hour.
 */
interface RangeParts {
  /** Ids of the first hour's rest, `headEnd` excluded; the same where the range begins with an hour. */
  headStart: string;
  headEnd: string;
  /** Hours since 1970; the first whole one. */
  firstHour: number;
  /** Days since 1970; the first whole one. */
  firstDay: number;
}

const DAY_HOURS = 24;
const INTEGER_MIN = -(2 ** 31);
/** All of history, in the folded tables of migrations/0007_costs_and_retries.sql. */
const EVER = -1;

export function partsOf(sinceMs: number): RangeParts {
  const firstHour = Math.ceil(sinceMs / HOUR_MS);
  return {
    headStart: idFloorHex(sinceMs),
    headEnd: idFloorHex(firstHour * HOUR_MS),
    firstHour,
    firstDay: Math.ceil(firstHour / DAY_HOURS),
  };
}

/** $1 and $2 of every query here. */
export function ownerValues({ workspaceId, mode }: Omit<CountedRange, "sinceMs">): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode)];
}

/** Rows of the first hour in a table by decision; ids are $3 and $4. */
export const HEAD = "workspace_id = $1 and mode = $2 and decision_id >= $3 and decision_id < $4";

/** `table`'s folded rows and `deltas`, with the values of `countedValues`. */
export function countedRows(columns: string, table: string, deltas: string): string {
  const folded = `select ${columns} from ${table} where workspace_id = $1 and mode = $2 and hour between`;
  return `${folded} $5 and $6
          union all
          ${folded} $7 and $8
          union all
          select ${columns} from ${deltas} where workspace_id = $1 and mode = $2 and hour >= $9`;
}

/** $1 to $9: owner, ids of the first hour, whole days, whole hours, first hour of the deltas. */
export function countedValues(range: CountedRange): unknown[] {
  if (range.sinceMs === null) {
    const nothing = idFloorHex(0);
    return [...ownerValues(range), nothing, nothing, EVER, EVER, 1, 0, 0];
  }
  const { headStart, headEnd, firstHour, firstDay } = partsOf(range.sinceMs);
  return [
    ...ownerValues(range),
    headStart,
    headEnd,
    INTEGER_MIN,
    -2 - firstDay,
    firstHour,
    firstDay * DAY_HOURS - 1,
    firstHour,
  ];
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
