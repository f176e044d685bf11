import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { idFromHex } from "../../../domain/ids/ids.js";
import { ERASURE_TUNING } from "../../../domain/vocabulary/tuning/erasures.js";
import type { ClickHouse } from "../../../platform/clickhouse/clickhouse.js";
import { insertAuditEntry } from "../../audit/service.js";
import { withRetentionLock } from "../../retention/service.js";
import { eraseArchived } from "./archived.js";
import { eraseCopied, untilCopied } from "./copied.js";
import { ErasureStopped, together, type ErasureWork } from "./step.js";
import { eraseMerchant } from "./merchant.js";
import { removeTraces } from "./traces.js";
import { eraseWorkspace } from "./workspace.js";

export interface ErasuresRunOptions {
  /** The run holds an advisory lock on this connection, so nothing else may use it. */
  client: ClientBase;
  /** ARCHIVE_URL's folder. Null if there is no archive. */
  archiveDir: string | null;
  /** ANALYTICS_URL. Null if there is no ClickHouse. */
  clickHouse: ClickHouse | null;
  nextId(): string;
  isStopping(): boolean;
  onError(error: unknown): void;
}

interface DueErasure {
  erasure_id: string;
  workspace_id: string;
  merchant_id: string | null;
  begun_by: string;
}

/**
 * RET-22: carries out the requested erasures, oldest first. Every step can be repeated, so any node can restart an
 * interrupted erasure. Only one node erases at a time, and never while retention runs: retention could archive a week
 * that it detached before the erasure began.
 */
export async function runErasures(options: ErasuresRunOptions): Promise<void> {
  await withRetentionLock(options.client, async () => {
    for (;;) {
      const due = await takeDue(options.client);
      if (due === null) return;
      try {
        await erase(due, options);
      } catch (error) {
        if (error instanceof ErasureStopped) return;
        await noteFailure(options.client, due.erasure_id);
        options.onError(error);
      }
    }
  });
}

async function takeDue(client: ClientBase): Promise<DueErasure | null> {
  const { rows } = await client.query<DueErasure>(
    `update erasures set status = 'running', begun_by = coalesce(begun_by, pg_current_xact_id())
     where number = (
       select number from erasures where status <> 'done' and status <> 'failed' and next_try_at <= now() order by number limit 1)
     returning erasure_id, workspace_id, merchant_id, begun_by::text`,
  );
  return rows[0] ?? null;
}

async function erase(
  due: DueErasure,
  { client, nextId, isStopping, archiveDir, clickHouse }: ErasuresRunOptions,
): Promise<void> {
  const work: ErasureWork = {
    client,
    erasureId: due.erasure_id,
    workspaceId: due.workspace_id,
    merchantId: due.merchant_id,
    isStopping,
  };
  await untilSettled(work, due.begun_by);
  const { merchant_id: merchantId } = due;
  if (merchantId === null) await eraseWorkspace(work);
  else {
    if (clickHouse !== null) await untilCopied(work);
    await eraseMerchant({ ...work, merchantId });
  }
  if (clickHouse !== null) await eraseCopied(work, clickHouse);
  if (archiveDir !== null) await eraseArchived(work, archiveDir);
  await removeTraces(work);
  await finish(work, nextId);
}

/**
 * Waits until every transaction that began before the erasure has ended. Such a transaction may still write the
 * owner's rows.
 */
async function untilSettled({ client, isStopping }: ErasureWork, begunBy: string): Promise<void> {
  for (let attempt = 0; attempt < ERASURE_TUNING.settleAttemptsMax; attempt++) {
    if (isStopping()) throw new ErasureStopped();
    const { rows } = await client.query<{ settled: boolean }>(
      "select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as settled",
      [begunBy],
    );
    if (rows[0]?.settled === true) return;
    await sleep(ERASURE_TUNING.settlePauseMs);
  }
  throw new Error("a transaction that is older than the erasure goes on for long");
}

/** ADM-19: stores the proof in the audit logs. An erased workspace's own audit log no longer exists. */
async function finish({ client, erasureId }: ErasureWork, nextId: () => string): Promise<void> {
  await together(client, async () => {
    const { rows } = await client.query<{
      workspace_id: string;
      merchant_id: string | null;
      requested_by: string;
      counts: Record<string, number>;
      logs: string[];
    }>(
      `update erasures e set status = 'done', finished_at = clock_timestamp()
       where erasure_id = $1 and status = 'running'
       returning workspace_id, merchant_id, requested_by, counts, array(
         select workspace_id::text from workspaces w
         where w.workspace_id in (e.proven_in, e.workspace_id)) as logs`,
      [erasureId],
    );
    const [erased] = rows;
    if (erased === undefined) return;
    for (const log of erased.logs) {
      await insertAuditEntry(client, {
        auditId: `aud_${nextId()}`,
        actor: idFromHex("usr", erased.requested_by),
        workspaceId: idFromHex("ws", log),
        action: "erasure.finished",
        resource: idFromHex("ers", erasureId),
        metadata: {
          workspace_id: idFromHex("ws", erased.workspace_id),
          merchant_id: erased.merchant_id,
          ...erased.counts,
        },
      });
    }
  });
}

async function noteFailure(client: ClientBase, erasureId: string): Promise<void> {
  await client.query(
    `update erasures set attempts = attempts + 1,
       status = case when attempts + 1 >= ${ERASURE_TUNING.attemptsMax} then 'failed' else 'queued' end,
       next_try_at = now() + ${ERASURE_TUNING.retrySeconds} * (attempts + 1) * interval '1 second'
     where erasure_id = $1`,
    [erasureId],
  );
}
