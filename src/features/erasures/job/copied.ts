import { setTimeout as sleep } from "node:timers/promises";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import { untilCopiesEnd } from "../../../path/log-copy/copy-lock.js";
import type { ClickHouse } from "../../../platform/clickhouse/clickhouse.js";
import { ErasureStopped, type ErasureWork } from "./step.js";

/** Decisions come last, because a merchant's outcomes and reviews are found through the merchant's decisions. */
const TABLES = ["outcomes", "reviews", "decisions"] as const;

/**
 * RET-25: removes the owner's rows from the copy of the log in ClickHouse. PostgreSQL no longer has these rows. A node
 * that is copying rows it read earlier must finish first, because it could insert removed rows again.
 */
export async function eraseCopied(work: ErasureWork, clickHouse: ClickHouse): Promise<void> {
  await untilCopiesEnd(work.client);
  for (const table of TABLES) {
    const where = ownedRows(work, table);
    const [counted] = await clickHouse.rows<{ n: string }>(
      `select count() as n from ${table} final where ${where}`,
    );
    await noteCount(work, `clickhouse_${table}`, Number(counted?.n ?? 0));
    await clickHouse.command(`alter table ${table} delete where ${where} settings mutations_sync = 2`);
  }
}

/** The ids need no escaping: a workspace's id is hexadecimal, and FMT-9 limits the characters of a merchant's id. */
function ownedRows({ workspaceId, merchantId }: ErasureWork, table: (typeof TABLES)[number]): string {
  const owned = `workspace_id = '${workspaceId}'`;
  if (merchantId === null) return owned;
  const ofMerchant = `${owned} and merchant_id = '${merchantId}'`;
  if (table === "decisions") return ofMerchant;
  return `${owned} and (mode, decision_id) in (select mode, decision_id from decisions where ${ofMerchant})`;
}

/**
 * RET-25: waits until ClickHouse has what PostgreSQL stored of the workspace so far. In ClickHouse, a merchant's
 * outcomes are found through the merchant's decisions. Another node can copy an outcome before that outcome's decision.
 */
export async function untilCopied({ client, workspaceId, isStopping }: ErasureWork): Promise<void> {
  const { rows: begun } = await client.query<{ at: string }>("select clock_timestamp()::text as at");
  for (let attempt = 0; attempt < ERASURE_TUNING.settleAttemptsMax; attempt++) {
    if (isStopping()) throw new ErasureStopped();
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select from log_copy_batches
           where stored_at <= $2::timestamptz and $1::uuid = any(workspaces || outcome_workspaces))
         or exists (select from log_copy_feedback
           where stored_at <= $2::timestamptz and $1::uuid = any(workspaces)) as waits`,
      [workspaceId, begun[0]?.at],
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
