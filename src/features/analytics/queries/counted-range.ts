import { idFloorHex, idToHex } from "../../../domain/ids/ids.js";
import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import { END_MS, nearestHours } from "../../decisions/service.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The workspace, mode and start of the decisions to count. */
export interface CountedRange {
  workspaceId: string;
  mode: Mode;
  /** Unix milliseconds, inclusive. Null means all of history. */
  sinceMs: number | null;
  /** Unix milliseconds. Older rows are hidden. */
  firstReadableMs: number;
}

/**
 * A range is counted from three places. Its cut first hour comes from single rows. The hours up to the next day come
 * from hourly rollups. All later days (UTC) come from daily rollups. The count is exact, and a long range is not read
 * hour by hour.
 */
interface RangeParts {
  /** The ids of the rows to count. `headEnd` is excluded. Both are the same when the range begins on the hour. */
  headStart: string;
  headEnd: string;
  /** -1 if the rows lie just before the range. Their hour is then counted as a whole one, and they are subtracted. */
  headTimes: 1 | -1;
  /** The first whole hour, in hours since 1970. */
  firstHour: number;
  /** The first whole day, in days since 1970. */
  firstDay: number;
}

const DAY_HOURS = 24;
const INTEGER_MIN = -(2 ** 31);
/**
 * The `hour` of the rows that have the sums of all of history, in the folded tables of
 * migrations/0007_costs_and_retries.sql.
 */
const EVER = -1;
const NO_ROWS = { low: idFloorHex(0), high: idFloorHex(0), times: 1 } as const;

export function partsOf({
  sinceMs,
  firstReadableMs,
}: Pick<CountedRange, "sinceMs" | "firstReadableMs">): RangeParts {
  const { firstHour, cut } = nearestHours(sinceMs ?? 0, END_MS, firstReadableMs);
  const { low, high, times } = cut[0] ?? NO_ROWS;
  return {
    headStart: low,
    headEnd: high,
    headTimes: times,
    firstHour,
    firstDay: Math.ceil(firstHour / DAY_HOURS),
  };
}

/** The values of $1 and $2 in every query of this folder. */
export function ownerValues({ workspaceId, mode }: Pick<CountedRange, "workspaceId" | "mode">): unknown[] {
  return [idToHex(workspaceId), MODES.indexOf(mode)];
}

/** Selects the first hour's rows in a table with one row per decision. */
export const HEAD = "workspace_id = $1 and mode = $2 and decision_id >= $3 and decision_id < $4";

/** The values of $1 to $4 in HEAD. */
export function headValues(range: CountedRange): unknown[] {
  const { headStart, headEnd } = partsOf(range);
  return [...ownerValues(range), headStart, headEnd];
}

/** Selects the folded rows of `table` and the rows of `deltas`, with the values of `countedValues`. */
export function countedRows(columns: string, table: string, deltas: string): string {
  const folded = `select ${columns} from ${table} where workspace_id = $1 and mode = $2 and hour between`;
  return `${folded} $3 and $4
          union all
          ${folded} $5 and $6
          union all
          select ${columns} from ${deltas} where workspace_id = $1 and mode = $2 and hour >= $7`;
}

/** The values of $1 to $7: owner, whole days, whole hours, first hour of the deltas. */
export function countedValues(range: CountedRange): unknown[] {
  if (range.sinceMs === null) return [...ownerValues(range), EVER, EVER, 1, 0, 0];
  const { firstHour, firstDay } = partsOf(range);
  return [...ownerValues(range), INTEGER_MIN, -2 - firstDay, firstHour, firstDay * DAY_HOURS - 1, firstHour];
}

/** Returns when counting began for each name. Null means that counting began with the first decision. */
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
