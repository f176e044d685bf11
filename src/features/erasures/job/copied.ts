import { setTimeout as sleep } from "node:timers/promises";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import type { ClickHouse } from "../../../platform/clickhouse/clickhouse.js";
import { ErasureStopped, type ErasureWork } from "./step.js";

/** Outcomes and reviews come first, because a merchant's are found through the merchant's decisions. */
const TABLES = ["outcomes", "reviews", "decisions"] as const;

/**
 * RET-25: removes the owner's rows from the log's copy. It first waits until ClickHouse has everything that
 * PostgreSQL stored before the removal. Otherwise a later insert could bring removed rows back.
 */
export async function eraseCopied(work: ErasureWork, clickHouse: ClickHouse): Promise<void> {
  await untilCopied(work);
  for (const table of TABLES) {
    const where = ownedRows(work, table);
    const [counted] = await clickHouse.rows<{ n: string }>(
      `select count() as n from ${table} final where ${where}`,
    );
    await noteCount(work, `clickhouse_${table}`, Number(counted?.n ?? 0));
    await clickHouse.command(`alter table ${table} delete where ${where} settings mutations_sync = 2`);
  }
}

/** The ids need no escaping. A workspace's id is hexadecimal, and FMT-9 limits the characters of a merchant's. */
function ownedRows({ workspaceId, merchantId }: ErasureWork, table: (typeof TABLES)[number]): string {
  const owned = `workspace_id = '${workspaceId}'`;
  if (merchantId === null) return owned;
  const ofMerchant = `${owned} and merchant_id = '${merchantId}'`;
  if (table === "decisions") return ofMerchant;
  return `${owned} and (mode, decision_id) in (select mode, decision_id from decisions where ${ofMerchant})`;
}

async function untilCopied({ client, erasureId, workspaceId, isStopping }: ErasureWork): Promise<void> {
  await client.query(
    "update erasures set removed_at = coalesce(removed_at, clock_timestamp()) where erasure_id = $1",
    [erasureId],
  );
  for (let attempt = 0; attempt < ERASURE_TUNING.settleAttemptsMax; attempt++) {
    if (isStopping()) throw new ErasureStopped();
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select from log_copy_batches b join erasures e on e.erasure_id = $1
         where b.stored_at <= e.removed_at and $2::uuid = any(b.workspaces || b.outcome_workspaces)) as waits`,
      [erasureId, workspaceId],
    );
    if (rows[0]?.waits === false) return;
    await sleep(ERASURE_TUNING.settlePauseMs);
  }
  throw new Error("the log's copy in ClickHouse is behind");
}

/** Keeps the highest count. A repeated attempt finds fewer rows, because the earlier one has removed some. */
async function noteCount({ client, erasureId }: ErasureWork, name: string, count: number): Promise<void> {
  if (count === 0) return;
  await client.query(
    `update erasures set counts = counts || jsonb_build_object($2::text,
       greatest((counts ->> $2)::bigint, $3::bigint)) where erasure_id = $1`,
    [erasureId, name, count],
  );
}
