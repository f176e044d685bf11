import type { Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createLogCopier } from "../../../src/path/log-copy/log-copier.js";
import { differingHours, repairHour } from "../../../src/path/log-copy/reconcile.js";
import { DECISION_COLUMNS, OUTCOME_COLUMNS } from "../../../src/path/log-copy/stored-rows.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { openClickHouse } from "../../../src/platform/clickhouse/clickhouse.js";
import { migrateClickHouse } from "../../../src/platform/clickhouse/migrate-clickhouse.js";
import { openOlderLogs } from "../../../src/platform/clickhouse/older-log.js";
import { createTenantDb, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { ownFile } from "../../../src/platform/node/own-files.js";
import { closeLater } from "../closing.js";
import { eventually } from "../waiting/eventually.js";
import type { TestClickHouse } from "./clickhouse.js";
import type { VariedLog } from "./varied-log.js";

const DAY_MS = 86_400_000;
const BATCH_ROWS = 1000;
/** A busy machine may be slow, and these tests do not measure speed. */
const TIMEOUT_MS = 60_000;

function byDecision<Row extends { readonly decisionId: unknown }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const id = String(row.decisionId);
    const others = found.get(id);
    if (others === undefined) found.set(id, [row]);
    else others.push(row);
  }
  return found;
}

/** Stores a log in PostgreSQL as nodes do, and then in ClickHouse as its copier and reconciliation do. */
export async function storeInBoth(
  pool: Pool,
  url: string,
  workspaceId: string,
  { decisions, outcomes, costs, retries }: VariedLog,
): Promise<void> {
  await pool.query(
    "insert into workspaces (workspace_id, name, created_at) values ($1, 'Shop', '2020-01-01Z') on conflict do nothing",
    [idToHex(workspaceId)],
  );
  const writer = createDecisionWriter(pool, { nodeId: workspaceId, notesBatches: true });
  const outcomesOf = byDecision(outcomes);
  const costsOf = byDecision(costs);
  const retriesOf = byDecision(retries);
  let written = 0;
  for (let at = 0; at < decisions.length; at += BATCH_ROWS) {
    const some = decisions.slice(at, at + BATCH_ROWS);
    const ids = some.map(({ decisionId }) => decisionId);
    const batch = {
      decisions: some,
      outcomes: ids.flatMap((id) => outcomesOf.get(id) ?? []),
      costs: ids.flatMap((id) => costsOf.get(id) ?? []),
      retries: ids.flatMap((id) => retriesOf.get(id) ?? []),
    };
    await writer.write(batch, (written += some.length));
  }
  await pool.query(
    `insert into reviews (workspace_id, mode, decision_id, resolution, note, resolved_by, resolved_at)
     select workspace_id, mode, decision_id, amount_minor % 2, case when amount_minor % 3 > 0 then E'a "note"\n✓' end,
       workspace_id, '2026-11-20T01:02:03.456789Z'
     from decisions where workspace_id = $1 and action = 3 and amount_minor % 4 < 2`,
    [idToHex(workspaceId)],
  );
  const clickHouse = openClickHouse({ url, requestTimeoutMs: TIMEOUT_MS, applicationName: "test" });
  const copier = createLogCopier({
    pool,
    clickHouse,
    nodeId: workspaceId,
    prepare: () => migrateClickHouse(clickHouse, ownFile("clickhouse/migrations")),
    removePast: () => Promise.resolve(),
    report: () => undefined,
    monotonicMs: () => performance.now(),
  });
  copier.begin();
  // However many batches there are, it goes on as long as they become fewer.
  for (let left = Number.POSITIVE_INFINITY; left > 0;) {
    left = await eventually(async () => {
      const { rows } = await pool.query<{ batches: number }>(
        "select count(*)::int as batches from log_copy_batches",
      );
      const batches = Number(rows[0]?.batches);
      if (batches >= left) throw new Error("the copier copies nothing");
      return batches;
    });
  }
  await copier.end();
  for (const hour of await differingHours(pool, clickHouse, 2000, Date.now() + DAY_MS)) {
    await repairHour(pool, clickHouse, hour);
  }
  await clickHouse.close();
}

/** Leaves ClickHouse with duplicate rows, as if it had forgotten the tokens of repeated inserts. */
export async function insertTwice(clickHouse: TestClickHouse): Promise<void> {
  for (const [table, columns] of [
    ["decisions", DECISION_COLUMNS],
    ["outcomes", OUTCOME_COLUMNS],
  ] as const) {
    await clickHouse.rows(`system stop merges ${table}`);
    const names = columns.join(", ");
    await clickHouse.rows(
      `insert into ${table} (${names}) select ${names} from ${table} where amount_minor % 5 < 2`,
    );
  }
}

/**
 * Opens the tenants of a database as of `nowMs`. With a null `older`, PostgreSQL has the whole log. Otherwise
 * PostgreSQL has the last `days`, and ClickHouse has the rest.
 */
export function openTenants(
  connectionString: string,
  nowMs: number,
  older: { url: string; days: number } | null,
): TenantDb {
  const tenants = createTenantDb({
    connectionString,
    connectionsMax: 4,
    statementTimeoutMs: TIMEOUT_MS,
    applicationName: "test-older",
    retention: { days: older?.days ?? 0, now: () => nowMs },
    olderLogs: older === null ? null : openOlderLogs({ url: older.url, timeoutMs: TIMEOUT_MS }),
  });
  closeLater(() => tenants.end());
  return tenants;
}
