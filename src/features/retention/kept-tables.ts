import type { ClientBase } from "pg";
import { WEEKLY_TABLES, type WeeklyTable } from "./weeks.js";

/** The name of a week's copy while it is made (RET-8). There is one at a time, under the lock of retention. */
export const keptTable = (table: WeeklyTable): string => `${table}_kept`;

/** Removes the copies of a week, as an interrupted rewrite leaves them. */
export async function dropKept(client: ClientBase): Promise<void> {
  await client.query(`drop table if exists ${WEEKLY_TABLES.map(keptTable).join(", ")}`);
}
