import { idFromHex } from "../../../domain/ids/ids.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The decision was acknowledged, but PostgreSQL refused its record. It exists, but cannot be read. */
export class DecisionSetAsideError extends Error {}

/**
 * Rejects with DecisionSetAsideError when the decision waits among the records set aside. `key` holds the workspace's
 * id in hexadecimal, the mode's position in MODES, and the decision's id in hexadecimal. Call it when a decision was
 * not found.
 */
export async function assertNotSetAside(db: TenantConnection, key: readonly unknown[]): Promise<void> {
  const { rowCount } = await db.query({
    name: "find_set_aside",
    text: `select from set_aside
           where workspace_id = $1 and mode = $2 and decision_id = $3 and kind = 'decision' limit 1`,
    values: [...key],
  });
  if (rowCount !== 0) throw new DecisionSetAsideError();
}

/**
 * Returns which of the decisions wait among the records set aside. `key` is as for `assertNotSetAside`, but with many
 * decision ids.
 */
export async function listSetAside(db: TenantConnection, key: readonly unknown[]): Promise<Set<string>> {
  const { rows } = await db.query<{ decision_id: string }>(
    `select distinct decision_id from set_aside
     where workspace_id = $1 and mode = $2 and decision_id = any($3::uuid[]) and kind = 'decision'`,
    [...key],
  );
  return new Set(rows.map(({ decision_id }) => idFromHex("dec", decision_id)));
}
