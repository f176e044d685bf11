import { createCoalescedRefresh, type CoalescedRefresh } from "./coalesced-refresh.js";
import type { Catalog } from "../persistence/catalog-queries.js";
import {
  MERCHANT_PREFIX,
  merchantKey,
  WORKSPACE_PREFIX,
  workspaceKey,
  type CatalogEntry,
  type ReplicaMerchant,
  type ReplicaWriter,
} from "../replica/replica.js";

export interface CatalogSyncOptions {
  load(): Promise<Catalog>;
  replica: ReplicaWriter;
  /** RISK_BLOCK_THRESHOLD, for a workspace without one of its own. */
  riskBlockThreshold: number;
  onError(error: unknown): void;
}

/**
 * Keeps the LMDB replica in step with PostgreSQL; unchanged entries are left alone, so nothing is compiled again. A
 * refresh resolves when every later batch sees what PostgreSQL held at the call.
 */
export function createCatalogSync({
  load,
  replica,
  riskBlockThreshold,
  onError,
}: CatalogSyncOptions): CoalescedRefresh {
  const copy = async (): Promise<void> => {
    replica.replaceCatalog([WORKSPACE_PREFIX, MERCHANT_PREFIX], toEntries(await load(), riskBlockThreshold));
  };

  return createCoalescedRefresh(copy, onError);
}

function toEntries({ workspaces, merchants, policies }: Catalog, riskBlockThreshold: number): CatalogEntry[] {
  const live = new Map(
    policies.map(({ workspaceId, merchantId, policy }) => [merchantKey(workspaceId, merchantId), policy]),
  );
  return [
    ...workspaces.map((workspace) => ({
      key: workspaceKey(workspace.workspaceId),
      value: {
        status: workspace.status,
        default_decision_mode: workspace.defaultDecisionMode,
        risk_block_threshold: workspace.riskBlockThreshold ?? riskBlockThreshold,
      },
    })),
    ...merchants.map(({ workspaceId, merchantId }) => {
      const key = merchantKey(workspaceId, merchantId);
      const value: ReplicaMerchant = { policy: live.get(key) ?? null };
      return { key, value };
    }),
  ];
}
