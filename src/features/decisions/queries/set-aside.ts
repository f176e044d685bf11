import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The decision was acknowledged, and PostgreSQL has refused its record: nobody can read it, and it is not unknown. */
export class DecisionSetAsideError extends Error {}

/**
 * Rejects with DecisionSetAsideError for a decision that waits among the records set aside. `key`: the workspace's id in
 * hexadecimal, the position in MODES, and the decision's id in hexadecimal. To be asked where a decision was not found.
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
