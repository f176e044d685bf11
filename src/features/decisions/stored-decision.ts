import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { findDecision } from "./queries/decision.js";
import { findOlderDecision } from "./queries/older-decision.js";
import type { StoredDecision } from "./queries/stored-feedback.js";

/**
 * CH-13: finds one decision in PostgreSQL or in the older log. Rejects as `findDecision` does. Null if it is unknown or
 * outside of the scope.
 */
export async function findStoredDecision(
  tenants: TenantDb,
  { workspaceId, mode, merchantScope }: DecisionScope,
  decisionId: string,
): Promise<StoredDecision | null> {
  const tenant = tenants.of(workspaceId);
  let stored = await findDecision(tenant, workspaceId, mode, decisionId);
  if (stored === null && tenants.readsOlderLogs) {
    stored = await tenant.transaction((client) =>
      findOlderDecision(client, { workspaceId, mode }, decisionId),
    );
  }
  return stored !== null && merchantScope !== null && merchantScope !== stored.merchantId ? null : stored;
}
