import type { ClientBase } from "pg";
import { weekOf } from "../../path/writer/copy/decision-week.js";

/**
 * The tables with one partition per week, in the order in which their partitions are detached. `decisions` is first,
 * because rows of the other tables are only added or read through a decision.
 */
export const WEEKLY_TABLES = ["decisions", "outcomes", "retried_decisions", "decision_segments"] as const;
export type WeeklyTable = (typeof WEEKLY_TABLES)[number];

/** A table's partition of one week. An interrupted run may have left it detached. */
export interface WeekPart {
  table: WeeklyTable;
  /** `detaching`: a run was interrupted while it detached the partition. */
  state: "attached" | "detaching" | "detached";
}

export interface Week {
  /** `2026_11_23` */
  suffix: string;
  startMs: number;
  endMs: number;
  parts: WeekPart[];
}

interface PartRow {
  name: string;
  attached: boolean;
  detaching: boolean;
}

const NAME = /^(decisions|outcomes|retried_decisions|decision_segments)_(\d{4})_(\d\d)_(\d\d)$/;

/** Lists the weeks on disk, oldest first. */
export async function listWeeks(client: ClientBase): Promise<Week[]> {
  const { rows } = await client.query<PartRow>(
    `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as detaching
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'`,
  );
  const weeks = new Map<string, Week>();
  for (const { name, attached, detaching } of rows) {
    const [, table, year, month, day] = NAME.exec(name) ?? [];
    if (table === undefined) continue;
    const { suffix, startMs, endMs } = weekOf(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    const week = weeks.get(suffix) ?? { suffix, startMs, endMs, parts: [] };
    const state = detaching ? "detaching" : attached ? "attached" : "detached";
    week.parts.push({ table: table as WeeklyTable, state });
    weeks.set(suffix, week);
  }
  return [...weeks.values()].toSorted((a, b) => a.startMs - b.startMs);
}
