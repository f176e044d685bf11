import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  WORKSPACE_STATUSES,
  type ErasureStatus,
  type WorkspaceStatus,
} from "../../domain/vocabulary/vocabulary.js";
import { readListPage, type ListedRows, type ListPage } from "../../platform/postgres/list-page.js";
import type { Queryable } from "../../platform/postgres/pool.js";

/** The workspace or merchant that is erased. */
export interface ErasedOwner {
  workspaceId: string;
  /** Null means the whole workspace. */
  merchantId: string | null;
}

export interface Erasure extends ErasedOwner {
  /** `ers_…` */
  erasureId: string;
  status: ErasureStatus;
  /** `usr_…` */
  requestedBy: string;
  /** The workspace whose audit log gets the proof. */
  provenIn: string;
  requestedAt: Date;
  finishedAt: Date | null;
  /** The number of removed rows, by table. */
  counts: Readonly<Record<string, number>>;
}

const COLUMNS = `erasure_id, workspace_id, merchant_id, status, requested_by, proven_in, requested_at, finished_at, counts`;

export async function listErasures(db: Queryable, page: ListPage): Promise<ListedRows<Erasure>> {
  const { rows, hasMore } = await readListPage<ErasureRow>(
    db,
    { select: `select ${COLUMNS} from erasures`, values: [], key: "erasure_id" },
    page,
  );
  return { rows: rows.map(erasureOf), hasMore };
}

export async function findErasure(db: Queryable, erasureId: string): Promise<Erasure | null> {
  const { rows } = await db.query<ErasureRow>(`select ${COLUMNS} from erasures where erasure_id = $1`, [
    idToHex(erasureId),
  ]);
  return rows[0] === undefined ? null : erasureOf(rows[0]);
}

/** RET-19: finds the erasure of exactly this owner. A failed one is queued again. */
export async function findErasureOf(
  db: Queryable,
  { workspaceId, merchantId }: ErasedOwner,
): Promise<Erasure | null> {
  const owner = [idToHex(workspaceId), merchantId];
  await db.query(
    `update erasures set status = 'queued', attempts = 0, next_try_at = now()
     where workspace_id = $1 and merchant_id is not distinct from $2 and status = 'failed'`,
    owner,
  );
  const { rows } = await db.query<ErasureRow>(
    `select ${COLUMNS} from erasures where workspace_id = $1 and merchant_id is not distinct from $2`,
    owner,
  );
  return rows[0] === undefined ? null : erasureOf(rows[0]);
}

/**
 * Serialises the requests for erasures, so that their numbers rise in the order of their commits. Writers rely on
 * that order. Call it within the transaction that inserts an erasure.
 */
export async function lockErasures(db: Queryable): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('erasures', 0))");
}

/** Locks the workspace's status until the commit, and returns it. Null if there is no such workspace. */
export async function lockStatus(db: Queryable, workspaceId: string): Promise<WorkspaceStatus | null> {
  const { rows } = await db.query<{ status: number }>(
    "select status from workspaces where workspace_id = $1 for no key update",
    [idToHex(workspaceId)],
  );
  return rows[0] === undefined ? null : (WORKSPACE_STATUSES[rows[0].status] as WorkspaceStatus);
}

/**
 * CELL-9, CELL-14: true if a move forbids the erasure. While the workspace moves, rows that are already copied would
 * stay in the other cell. After it has moved, its rows in this cell can only be erased all together, not by merchant.
 * Call it after `lockStatus`, which keeps a move from beginning until the commit.
 */
export async function isMoving(db: Queryable, { workspaceId, merchantId }: ErasedOwner): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from workspace_moves
     where workspace_id = $1 and step <> 'arrived' and not (step = 'moved' and $2::text is null)`,
    [idToHex(workspaceId), merchantId],
  );
  return rowCount !== 0;
}

/** Call it after `lockErasures`, in the same transaction. */
export async function insertErasure(
  db: Queryable,
  erasure: Pick<Erasure, "erasureId" | "workspaceId" | "merchantId" | "requestedBy" | "provenIn">,
): Promise<Erasure> {
  const { rows } = await db.query<ErasureRow>(
    `insert into erasures (erasure_id, number, workspace_id, merchant_id, requested_by, proven_in)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5 from erasures returning ${COLUMNS}`,
    [
      idToHex(erasure.erasureId),
      idToHex(erasure.workspaceId),
      erasure.merchantId,
      idToHex(erasure.requestedBy),
      idToHex(erasure.provenIn),
    ],
  );
  return erasureOf(rows[0] as ErasureRow);
}

/** RET-20: from now on the merchant counts as unknown. Returns false if it did so already. */
export async function hideMerchant(
  db: Queryable,
  { workspaceId, merchantId }: ErasedOwner,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "update merchants set erased_at = now() where workspace_id = $1 and merchant_id = $2 and erased_at is null",
    [idToHex(workspaceId), merchantId],
  );
  return rowCount === 1;
}

interface ErasureRow {
  erasure_id: string;
  workspace_id: string;
  merchant_id: string | null;
  status: ErasureStatus;
  requested_by: string;
  proven_in: string;
  requested_at: Date;
  finished_at: Date | null;
  counts: Record<string, number>;
}

function erasureOf(row: ErasureRow): Erasure {
  return {
    erasureId: idFromHex("ers", row.erasure_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    merchantId: row.merchant_id,
    status: row.status,
    requestedBy: idFromHex("usr", row.requested_by),
    provenIn: idFromHex("ws", row.proven_in),
    requestedAt: row.requested_at,
    finishedAt: row.finished_at,
    counts: row.counts,
  };
}
