import { brotliCompressSync } from "node:zlib";
import type { Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createEraser, type EraserOptions } from "../../../src/features/erasures/job/eraser.js";
import { insertErasure, type ErasedOwner } from "../../../src/features/erasures/queries.js";
import { fillWorkspace, tenantTables } from "../people/any-rows.js";
import { newId } from "../people/tenants.js";

/** What keeps an erased id: the erasure itself, and what came of it in the audit log. */
export const PROOF = ["audit_log", "erasures"];

/** A new workspace with a row in every table but the erasures: one that is stored is done. */
export async function filledWorkspace(pool: Pool, merchantId: string) {
  const [workspaceId, userId] = [newId("ws"), newId("usr")];
  const tables = (await tenantTables(pool)).filter((table) => table !== "erasures");
  await fillWorkspace(pool, tables, { workspaceId, personId: userId, merchantId });
  // The decision's document is the second byte.
  await pool.query("update decision_segments set docs = $2 where workspace_id = $1", [
    idToHex(workspaceId),
    brotliCompressSync(" x"),
  ]);
  return { workspaceId, userId, tables };
}

/** Asks for an erasure, as the route does once it is allowed. Resolves to its id. */
export async function askFor(pool: Pool, owner: ErasedOwner & { provenIn: string }): Promise<string> {
  const { erasureId } = await insertErasure(pool, {
    ...owner,
    erasureId: newId("ers"),
    requestedBy: newId("usr"),
  });
  return erasureId;
}

/** Works off what was asked for. Resolves to the errors. */
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
