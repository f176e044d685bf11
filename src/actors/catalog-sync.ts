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

export interface CatalogSync {
  /** Copies PostgreSQL's catalog into the replica as of now; resolves when every later batch sees it. */
  refresh(): Promise<void>;
  /** `refresh` without waiting; errors go to `onError`. Calls during a refresh cause one more after it. */
  refreshSoon(): void;
}

/** Keeps the LMDB replica in step with PostgreSQL; unchanged entries are left alone, so nothing is compiled again. */
export function createCatalogSync({
  load,
  replica,
  riskBlockThreshold,
  onError,
}: CatalogSyncOptions): CatalogSync {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const copy = async (): Promise<void> => {
    replica.replaceCatalog([WORKSPACE_PREFIX, MERCHANT_PREFIX], toEntries(await load(), riskBlockThreshold));
  };

  /** A refresh that starts after this call; callers that come while one waits share it. */
  const refresh = (): Promise<void> => {
    if (next !== null) return next;
    const before = running ?? Promise.resolve();
    next = before
      .catch(() => undefined)
      .then(() => {
        running = next;
        next = null;
        return copy();
      });
    return next;
  };

  return {
    refresh,
    refreshSoon: () => void refresh().catch(onError),
  };
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
