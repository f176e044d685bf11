import type { Pool } from "pg";
import { idToHex, idFromHex } from "../../domain/ids/ids.js";
import type { ClickHouse } from "../../platform/clickhouse/clickhouse.js";

const TABLES = ["decisions", "outcomes", "reviews"];

/**
 * CH-17: removes from ClickHouse the rows that are older than a workspace's own limit. As in PostgreSQL, a row must be
 * too old by both the node's clock and PostgreSQL's. No read shows these rows any more. ClickHouse removes them in the
 * background, one table after another.
 */
export async function removePastOwnLimits(pool: Pool, clickHouse: ClickHouse, nowMs: number): Promise<void> {
  const { rows } = await pool.query<{ workspace_id: string; before_ms: string }>(
    `select workspace_id, floor(least($1, extract(epoch from clock_timestamp()) * 1000))::bigint
       - retention_days::bigint * 86400000 as before_ms
     from workspaces where retention_days is not null`,
    [nowMs],
  );
  for (const { workspace_id, before_ms } of rows) {
    const past = `workspace_id = toUUID('${idToHex(idFromHex("ws", workspace_id))}')
      and created_at < fromUnixTimestamp64Milli(${Math.max(0, Number(before_ms))}, 'UTC')`;
    for (const table of TABLES) {
      // Looks for a row first, because a deletion without matches would still start a mutation of every part.
      const [found] = await clickHouse.rows(`select 1 from ${table} where ${past} limit 1`);
      if (found !== undefined) {
        await clickHouse.command(`delete from ${table} where ${past} settings lightweight_deletes_sync = 0`);
      }
    }
  }
}
