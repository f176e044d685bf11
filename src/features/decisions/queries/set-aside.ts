import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The decision was acknowledged, but PostgreSQL refused its record. Nobody can read it, yet it is not unknown. */
export class DecisionSetAsideError extends Error {}

/**
 * Rejects with DecisionSetAsideError when the decision waits among the records set aside. `key` holds the workspace's
 * id in hexadecimal, the position in MODES, and the decision's id in hexadecimal. Call it when a decision was not
 * found.
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
