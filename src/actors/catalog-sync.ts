import { setImmediate as nextTurn } from "node:timers/promises";
import type { Catalog, CatalogMerchant, PublishedPolicy } from "../persistence/catalog-queries.js";
import {
  MERCHANT_PREFIX,
  merchantKey,
  policyVersionKey,
  WORKSPACE_PREFIX,
  workspaceKey,
  type CatalogEntry,
  type Replica,
  type ReplicaMerchant,
} from "../replica/replica.js";
import { LIMITS } from "../shared/limits.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "./coalesced-refresh.js";

export interface CatalogSyncOptions {
  load(): Promise<Catalog>;
  /** In any order; without those that are gone meanwhile. */
  loadPolicies(merchants: readonly CatalogMerchant[]): Promise<PublishedPolicy[]>;
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog" | "replaceCatalog">;
  /** RISK_BLOCK_THRESHOLD, for a workspace without one of its own. */
  riskBlockThreshold: number;
  onError(error: unknown): void;
}

/**
 * Keeps the LMDB replica in step with PostgreSQL; unchanged entries are left alone, so nothing is compiled again. A
 * refresh resolves when every later batch sees what PostgreSQL held at the call. Only policies that the replica does not
 * hold yet are loaded, some at a time: with all of them in each refresh, 300 MB of everybody's took longer than a
 * statement may, and no publication of any tenant took effect any more.
 */
export function createCatalogSync(options: CatalogSyncOptions): CoalescedRefresh {
  const { load, loadPolicies, replica, riskBlockThreshold, onError } = options;

  const copy = async (): Promise<void> => {
    const { workspaces, merchants } = await load();
    replica.replaceCatalog(
      [WORKSPACE_PREFIX],
      workspaces.map((workspace) => ({
        key: workspaceKey(workspace.workspaceId),
        value: {
          status: workspace.status,
          default_decision_mode: workspace.defaultDecisionMode,
          risk_block_threshold: workspace.riskBlockThreshold ?? riskBlockThreshold,
        },
      })),
    );
    const known = new Set<string>();
    const changed: CatalogMerchant[] = [];
    for (const [position, merchant] of merchants.entries()) {
      if (position % LIMITS.catalogComparedAtOnce === 0) {
        // Of a hundred thousand merchants this takes half a second: decisions come between.
        if (position > 0) await nextTurn();
        replica.refresh();
      }
      const key = keyOf(merchant);
      known.add(key);
      if (replica.read(policyVersionKey(key)) !== JSON.stringify(versionOf(merchant))) changed.push(merchant);
    }
    for (const page of pagesOf(changed)) {
      const policies = await loadPolicies(page);
      const live = new Map(policies.map((published) => [keyOf(published), published.policy]));
      replica.putCatalog(page.flatMap((merchant) => entriesOf(merchant, live.get(keyOf(merchant)) ?? null)));
    }
    const gone = replica.keysAfter(MERCHANT_PREFIX).filter((key) => !known.has(key));
    if (gone.length > 0) replica.putCatalog(gone.flatMap(removalsOf));
  };

  return createCoalescedRefresh(copy, onError);
}

/** What follows MERCHANT_PREFIX in the key of its entry. */
const keyOf = ({ workspaceId, merchantId }: { workspaceId: string; merchantId: string }): string =>
  merchantKey(workspaceId, merchantId).slice(MERCHANT_PREFIX.length);

/** A policy that is published again is the same one, published later. */
function versionOf({ live }: CatalogMerchant): string {
  return live === null ? "" : `${live.policyId}.${live.updatedAt.getTime()}`;
}

/** Nothing for a policy that is gone again: what made it go brings the next refresh. */
function entriesOf(merchant: CatalogMerchant, policy: ReplicaMerchant["policy"]): CatalogEntry[] {
  if (policy === null && merchant.live !== null) return [];
  return [
    { key: merchantKey(merchant.workspaceId, merchant.merchantId), value: { policy } },
    { key: policyVersionKey(keyOf(merchant)), value: versionOf(merchant) },
  ];
}

function removalsOf(key: string): CatalogEntry[] {
  return [
    { key: MERCHANT_PREFIX + key, value: null },
    { key: policyVersionKey(key), value: null },
  ];
}

function* pagesOf(merchants: readonly CatalogMerchant[]): Generator<CatalogMerchant[]> {
  let page: CatalogMerchant[] = [];
  let bytes = 0;
  for (const merchant of merchants) {
    page.push(merchant);
    bytes += merchant.live?.storedBytes ?? 0;
    if (page.length < LIMITS.catalogPageRows && bytes < LIMITS.catalogPageStoredBytes) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}
