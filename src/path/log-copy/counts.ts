import type { Pool } from "pg";
import { uuid } from "./copy-out.js";
import { idFloorHex } from "../../domain/ids/ids.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";

/** The number of rows that one server has in a range of time. */
export interface Counts {
  decisions: number;
  outcomes: number;
  /** The sum of the outcomes' report times. If an outcome is replaced, only the sum changes. */
  outcomesSum: number;
  reviews: number;
}

/** A range in which the servers' counts differ. Times are Unix milliseconds. */
export interface Difference {
  startMs: number;
  endMs: number;
  stored: Counts;
  copied: Counts;
}

export interface Range {
  startMs: number;
  endMs: number;
}

const NONE: Counts = { decisions: 0, outcomes: 0, outcomesSum: 0, reviews: 0 };
/** Sums use report times modulo this number, so that they fit into 64 bits. */
const MODULUS = 1_000_003;

type CountRow = { unit: string | number } & { [Name in keyof Counts]?: string | number };

/** CH-10: compares both servers in steps of `unitMs`. Returns the steps in which they differ, the oldest first. */
export async function differencesIn(
  pool: Pool,
  clickHouse: ClickHouse,
  range: Range,
  unitMs: number,
): Promise<Difference[]> {
  const [stored, copied] = await Promise.all([
    storedCounts(pool, range, unitMs),
    copiedCounts(clickHouse, range, unitMs),
  ]);
  return [...new Set([...stored.keys(), ...copied.keys()])]
    .toSorted((a, b) => a - b)
    .map((unit) => ({
      startMs: unit * unitMs,
      endMs: Math.min((unit + 1) * unitMs, range.endMs),
      stored: stored.get(unit) ?? NONE,
      copied: copied.get(unit) ?? NONE,
    }))
    .filter(({ stored: one, copied: other }) =>
      (Object.keys(NONE) as (keyof Counts)[]).some((name) => one[name] !== other[name]),
    );
}

/** Always true. With the list of workspaces, PostgreSQL can read each table by its primary key. */
export const OF_ALL_WORKSPACES = "workspace_id = any(array(select workspace_id from workspaces))";
const ALL_MODES = `mode in (${MODES.map((_, position) => position).join(", ")})`;

/**
 * The SQL condition of a range in PostgreSQL, by the time in a decision's id. It has constants, because COPY takes no
 * parameters.
 */
export const storedIn = ({ startMs, endMs }: Range): string =>
  `${OF_ALL_WORKSPACES} and ${ALL_MODES}
   and decision_id >= ${uuid(idFloorHex(startMs))} and decision_id < ${uuid(idFloorHex(endMs))}`;

const TIME_MS = "('x' || left(replace(decision_id::text, '-', ''), 12))::bit(48)::bigint";

async function storedCounts(pool: Pool, range: Range, unitMs: number): Promise<Map<number, Counts>> {
  const ask = async (table: string, counts: string): Promise<CountRow[]> =>
    (
      await pool.query<CountRow>(
        `select ${TIME_MS} / ${unitMs} as unit, ${counts} from ${table} where ${storedIn(range)} group by 1`,
      )
    ).rows;
  const reported = "(extract(epoch from reported_at) * 1000000)::bigint";
  return joined([
    await ask("decisions", "count(*) as decisions"),
    await ask("outcomes", `count(*) as outcomes, sum(${reported} % ${MODULUS}) as "outcomesSum"`),
    await ask("reviews", "count(*) as reviews"),
  ]);
}

async function copiedCounts(
  clickHouse: ClickHouse,
  range: Range,
  unitMs: number,
): Promise<Map<number, Counts>> {
  const ask = (table: string, counts: string): Promise<CountRow[]> =>
    clickHouse.rows<CountRow>(
      `select intDiv(toUnixTimestamp64Milli(created_at), ${unitMs}) as unit, ${counts} from ${table}
       where ${copiedIn(range)} group by unit`,
    );
  return joined([
    await ask("decisions", "uniqExact(decision_id) as decisions"),
    await ask("outcomes final", `count() as outcomes, sum(reported_at_us % ${MODULUS}) as outcomesSum`),
    await ask("reviews final", "count() as reviews"),
  ]);
}

/** The SQL condition of a range in ClickHouse. */
export const copiedIn = ({ startMs, endMs }: Range): string =>
  `created_at >= fromUnixTimestamp64Milli(${startMs}) and created_at < fromUnixTimestamp64Milli(${endMs})`;

/** Adds the counts of several answers up by unit. Both servers send 64-bit numbers as text. */
function joined(answers: readonly CountRow[][]): Map<number, Counts> {
  const counts = new Map<number, Counts>();
  for (const { unit, ...row } of answers.flat()) {
    const known = counts.get(Number(unit)) ?? { ...NONE };
    for (const name of Object.keys(row) as (keyof Counts)[]) known[name] = Number(row[name]);
    counts.set(Number(unit), known);
  }
  return counts;
}
