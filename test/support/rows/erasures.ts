import { brotliCompressSync } from "node:zlib";
import type { Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createEraser, type EraserOptions } from "../../../src/features/erasures/job/eraser.js";
import { insertErasure, type ErasedOwner } from "../../../src/features/erasures/queries.js";
import { fillWorkspace, tenantTables } from "../people/any-rows.js";
import { newId } from "../people/tenants.js";

/** The tables that keep an erased id: the erasure itself, and its entries in the audit log. */
export const PROOF = ["audit_log", "erasures"];

/**
 * Makes a workspace with a row in every table except `erasures`, because a row there would mean that it is already
 * erased.
 */
export async function filledWorkspace(pool: Pool, merchantId: string) {
  const [workspaceId, userId] = [newId("ws"), newId("usr")];
  const tables = (await tenantTables(pool)).filter((table) => table !== "erasures");
  await fillWorkspace(pool, tables, { workspaceId, personId: userId, merchantId });
  // The decision's document is one byte, at offset 1.
  await pool.query("update decision_segments set docs = $2 where workspace_id = $1", [
    idToHex(workspaceId),
    brotliCompressSync(" x"),
  ]);
  return { workspaceId, userId, tables };
}

/** Requests an erasure like the route, but without its checks. Resolves to the erasure's id. */
export async function askFor(pool: Pool, owner: ErasedOwner & { provenIn: string }): Promise<string> {
  const { erasureId } = await insertErasure(pool, {
    ...owner,
    erasureId: newId("ers"),
    requestedBy: newId("usr"),
  });
  return erasureId;
}

/** Carries out the requested erasures. Resolves to the errors. */
export async function work(pool: Pool, options: Partial<EraserOptions> = {}): Promise<unknown[]> {
  const errors: unknown[] = [];
  const eraser = createEraser({
    pool,
    archiveDir: null,
    clickHouse: null,
    onError: (error) => errors.push(error),
    ...options,
  });
  await eraser.look();
  return errors;
}

export async function erase(pool: Pool, owner: ErasedOwner & { provenIn: string }): Promise<unknown[]> {
  await askFor(pool, owner);
  return work(pool);
}
