import type { Client } from "pg";
import type { Report } from "./finding.js";

const WEEK_DAYS = 7;
/** How late deletions may be. A retention run starts every ten minutes, and an alert opens after a day without one. */
const LATE_DAYS = 2;

/** RET-18: checks that the oldest week of stored decisions is within the retention limit. */
export async function checkRetention(client: Client, retentionDays: number, report: Report): Promise<void> {
  const { rows } = await client.query<{ oldest: string | null; is_late: boolean | null }>(
    `select to_char(oldest, 'YYYY-MM-DD') as oldest,
            $1 > 0 and (now() at time zone 'UTC')::date - oldest > $1 + ${WEEK_DAYS + LATE_DAYS} as is_late
     from (select min(to_date(right(relname, 10), 'YYYY_MM_DD')) as oldest from pg_class
           where relnamespace = current_schema()::regnamespace and relkind = 'r'
             and relname ~ '^decisions_[0-9]{4}_[0-9]{2}_[0-9]{2}$') as weeks`,
    [retentionDays],
  );
  const { oldest, is_late: isLate } = rows[0] ?? { oldest: null, is_late: null };
  if (oldest === null) return report("skipped", "no decision is stored yet");
  const limit = retentionDays === 0 ? "there is no limit" : `the limit is ${retentionDays} days`;
  const text = `the oldest week on disk begins on ${oldest}; ${limit}`;
  if (isLate === true) report("note", `${text}, so it should have left: see docs/runbooks/retention.md`);
  else report("ok", text);
}
