import type { DecisionContext } from "../decision/decision.js";
import { createHealthView, parseSnapshots } from "../health/view.js";
import type { HealthSnapshot, HealthView } from "../health/snapshot.js";
import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import {
  createMerchantPricing,
  LIST_PRICE_VIEW,
  type MerchantPrices,
  type MerchantPricing,
} from "../pricing/merchant-pricing.js";
import {
  amountsKey,
  healthOverlayKey,
  merchantKey,
  pricesKey,
  priceVersionKey,
  workspaceKey,
  type ReplicaAmounts,
  type ReplicaMerchant,
  type ReplicaReader,
  type ReplicaWorkspace,
} from "../replica/replica.js";
import { LIMITS } from "../shared/limits.js";
import { MODES, type Mode } from "../shared/vocabulary.js";

/** A value decoded from the replica, and the text it came from: while that stays the same, so does the value. */
interface Decoded<T> {
  text: string | undefined;
  value: T;
}

/** What a decision needs to know of a merchant. */
export interface MerchantContext {
  workspace: ReplicaWorkspace;
  policy: CompiledPolicy | null;
  amounts: ReplicaAmounts;
  /** Null for a merchant without prices of its own. */
  pricing: MerchantPricing | null;
}

interface CachedMerchant extends MerchantContext {
  /** The catalog version at which the texts were last compared. */
  checkedAt: number;
  policyText: string;
  amountsText: string | undefined;
  priceVersionText: string | undefined;
}

export interface DecisionContexts {
  /** Steps to the newest replica; once per batch. */
  refresh(): void;
  /** The batch is decided: see ReplicaReader. */
  release(): void;
  /** What a workspace sees in a mode; those that see nothing of their own share one view. */
  health(workspaceId: string, mode: Mode): HealthView;
  /** Null for a merchant that the workspace does not have. */
  merchant(workspaceId: string, mode: Mode, merchantId: string): MerchantContext | null;
}

const NO_AMOUNTS: ReplicaAmounts = {};

/** Reads what decisions need from the LMDB replica and keeps it decoded and compiled while its text stays the same. */
export function createDecisionContexts(replica: ReplicaReader): DecisionContexts {
  let catalogVersion = -1;
  let healthVersion = -1;
  let snapshots: readonly HealthSnapshot[] = [];
  let shared = createHealthView("none", []);
  /** Of those that decided since the last version; each asks the replica once for its overlay. */
  const views = new Map<string, Partial<Record<Mode, HealthView>>>();
  const workspaces = new Map<string, Decoded<ReplicaWorkspace>>();
  /** By workspace and mode first: those repeat from request to request, so that one fresh string is hashed, not four. */
  const merchants = new Map<string, Record<Mode, Map<string, CachedMerchant>>>();
  let cached = 0;

  const viewOf = (workspaceId: string, mode: Mode): HealthView => {
    const overlay = replica.read(healthOverlayKey(workspaceId, mode));
    return overlay === undefined
      ? shared
      : createHealthView(`${healthVersion}:${mode}:${workspaceId}`, snapshots, parseSnapshots(overlay));
  };

  const workspaceOf = (workspaceId: string): ReplicaWorkspace | null => {
    const text = replica.read(workspaceKey(workspaceId));
    const known = workspaces.get(workspaceId);
    if (text === undefined) return null;
    if (known?.text === text) return known.value;
    const value = JSON.parse(text) as ReplicaWorkspace;
    workspaces.set(workspaceId, { text, value });
    return value;
  };

  /** Reads a merchant anew, keeping what was compiled from unchanged texts. */
  const load = (
    workspaceId: string,
    mode: Mode,
    merchantId: string,
    known: CachedMerchant | undefined,
  ): CachedMerchant | null => {
    const workspace = workspaceOf(workspaceId);
    const policyText = replica.read(merchantKey(workspaceId, merchantId));
    if (workspace === null || policyText === undefined) return null;
    const amountsText = replica.read(amountsKey(workspaceId, mode, merchantId));
    const priceVersionText = replica.read(priceVersionKey(workspaceId, merchantId));
    return {
      checkedAt: catalogVersion,
      workspace,
      policyText,
      policy: known?.policyText === policyText ? known.policy : compile(policyText),
      amountsText,
      amounts:
        known !== undefined && known.amountsText === amountsText ? known.amounts : parseAmounts(amountsText),
      priceVersionText,
      pricing:
        known !== undefined && known.priceVersionText === priceVersionText
          ? known.pricing
          : pricingOf(workspaceId, merchantId, priceVersionText),
    };
  };

  /** A merchant is cached for each mode: what is compiled for one serves the other. */
  const pricingOf = (
    workspaceId: string,
    merchantId: string,
    versionText: string | undefined,
  ): MerchantPricing | null => {
    if (versionText === undefined) return null;
    for (const mode of MODES) {
      const other = merchants.get(workspaceId)?.[mode].get(merchantId);
      if (other !== undefined && other.priceVersionText === versionText) return other.pricing;
    }
    const text = replica.read(pricesKey(workspaceId, merchantId));
    return text === undefined ? null : createMerchantPricing(JSON.parse(text) as MerchantPrices);
  };

  const cacheOf = (workspaceId: string, mode: Mode): Map<string, CachedMerchant> => {
    let byMode = merchants.get(workspaceId);
    if (byMode === undefined) {
      byMode = { test: new Map(), live: new Map() };
      merchants.set(workspaceId, byMode);
    }
    return byMode[mode];
  };

  return {
    release: () => replica.release(),
    refresh() {
      const versions = replica.refresh();
      catalogVersion = versions.catalog;
      if (versions.health !== healthVersion) {
        healthVersion = versions.health;
        views.clear();
        const text = replica.readHealth();
        snapshots = text === undefined ? [] : parseSnapshots(text);
        shared = createHealthView(String(healthVersion), snapshots);
      }
    },
    health(workspaceId, mode) {
      let byMode = views.get(workspaceId);
      if (byMode === undefined) views.set(workspaceId, (byMode = {}));
      return (byMode[mode] ??= viewOf(workspaceId, mode));
    },
    merchant(workspaceId, mode, merchantId) {
      const known = merchants.get(workspaceId)?.[mode].get(merchantId);
      if (known?.checkedAt === catalogVersion) return known;
      const merchant = load(workspaceId, mode, merchantId, known);
      // What does not exist is not kept: made-up merchant ids must not push real ones out.
      if (merchant === null) {
        merchants.get(workspaceId)?.[mode].delete(merchantId);
        return null;
      }
      if (known === undefined && ++cached > LIMITS.contextCacheEntriesMax) {
        merchants.clear();
        workspaces.clear();
        cached = 1;
      }
      // A copy, since a string that is cut from a body keeps all of the body alive.
      cacheOf(workspaceId, mode).set(Buffer.from(merchantId).toString(), merchant);
      return merchant;
    },
  };
}

/** What a decision of `merchant` in `currency` at `nowMs` is made from, on the live path and in a simulation alike. */
export function toDecisionContext(
  merchant: MerchantContext,
  health: HealthView,
  currency: string,
  nowMs: number,
): DecisionContext {
  return {
    policy: merchant.policy,
    health,
    riskBlockThreshold: merchant.workspace.risk_block_threshold,
    normalAmountMaxMinor: merchant.amounts[currency] ?? null,
    defaultDecisionMode: merchant.workspace.default_decision_mode ?? "enforce",
    pricing: merchant.pricing?.viewAt(nowMs) ?? LIST_PRICE_VIEW,
  };
}

function compile(text: string): CompiledPolicy | null {
  const { policy } = JSON.parse(text) as ReplicaMerchant;
  return policy === null ? null : compilePolicy(policy);
}

function parseAmounts(text: string | undefined): ReplicaAmounts {
  return text === undefined ? NO_AMOUNTS : (JSON.parse(text) as ReplicaAmounts);
}
