import type { Pool } from "pg";
import { idToHex } from "../../domain/ids/ids.js";
import { ALERT_KIND_ROWS, type CauseAlertKind } from "../../domain/vocabulary/alert-kinds.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { ALERT_SEVERITIES } from "../../domain/vocabulary/vocabulary.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { PLATFORM } from "./alert-workspaces.js";

/** One node's report: which causes of platform alerts this node has. */
export interface NodeWord {
  nodeId: string;
  /** The kinds that the node watches. Alerts of other kinds are not changed. */
  kinds: readonly CauseAlertKind[];
  /** The current causes, each with the Unix milliseconds since which it holds. */
  heldSinceMs: ReadonlyMap<CauseAlertKind, number>;
  /** Unix milliseconds. */
  atMs: number;
}

/**
 * ALRT-14: stores the node's report, then opens and closes alerts by the reports of all nodes, in one transaction. The
 * alerts' times are the node's own, because PostgreSQL may run on the host whose clock jumped. `nextId` returns the 26
 * characters of a new id.
 */
export async function storeNodeWord(pool: Pool, word: NodeWord, nextId: () => string): Promise<void> {
  const { nodeId, kinds, heldSinceMs, atMs } = word;
  const rows = kinds.map((kind) => ALERT_KIND_ROWS[kind]);
  const codes = rows.map(({ code }) => code);
  const held = kinds.filter((kind) => heldSinceMs.has(kind)).map((kind) => ALERT_KIND_ROWS[kind].code);
  await inTransaction(pool, async (client) => {
    // The lock serialises the nodes' reports, so each node sees all earlier reports.
    await client.query("select pg_advisory_xact_lock(hashtextextended('alert_nodes', 0))");
    await client.query(
      `insert into alert_nodes (kind, node_id, confirmed_at) select kind, $2, now() from unnest($1::smallint[]) as kind
       on conflict (kind, node_id) do update set confirmed_at = now()`,
      [held, nodeId],
    );
    await client.query(
      `delete from alert_nodes where kind = any($1::smallint[]) and (
         (node_id = $2 and kind <> all($3::smallint[])) or confirmed_at < now() - $4 * interval '1 millisecond')`,
      [codes, nodeId, held, TUNING.alertUnconfirmedMsMax],
    );
    await client.query(
      `insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, confirmed_at)
       select '${PLATFORM}', kind, alert_id, severity, reason_code, to_timestamp(opened_at_ms / 1000.0), now()
       from unnest($1::smallint[], $2::uuid[], $3::smallint[], $4::text[], $5::bigint[])
         as k(kind, alert_id, severity, reason_code, opened_at_ms)
       where exists (select from alert_nodes n where n.kind = k.kind)
       on conflict (workspace_id, mode, segment_key, kind) where closed_at is null do nothing`,
      [
        codes,
        kinds.map(() => idToHex(`alr_${nextId()}`)),
        rows.map(({ severity }) => ALERT_SEVERITIES.indexOf(severity)),
        rows.map(({ reasonCode }) => reasonCode),
        kinds.map((kind) => heldSinceMs.get(kind) ?? atMs),
      ],
    );
    await client.query(
      `update alerts a set closed_at = greatest(opened_at, to_timestamp($2::bigint / 1000.0))
       where workspace_id = '${PLATFORM}' and closed_at is null and kind = any($1::smallint[])
         and not exists (select from alert_nodes n where n.kind = a.kind)`,
      [codes, atMs],
    );
  });
}
