import type { DecisionContext } from "../../../domain/decision/decision.js";
import { DecisionPolicy } from "../../../domain/decision/decision-policy.js";
import type { LiveSegmentOwner } from "../../../domain/health/monitor/live-segment.js";
import { createHealthView } from "../../../domain/health/view.js";
import type { HealthSnapshot, HealthView } from "../../../domain/health/snapshot.js";
import {
  createMerchantPricing,
  LIST_PRICE_VIEW,
  type MerchantPrices,
  type MerchantPricing,
} from "../../../domain/pricing/merchant-pricing.js";
import type { RecoveryRow } from "../../../domain/retries/recovery.js";
import type { Transaction } from "../../../domain/vocabulary/decision-request.js";
import { changedEntry } from "../../replica/changed-entry.js";
import {
  amountsKey,
  healthLevelsKey,
  healthOverlayKey,
  merchantKey,
  policyContentKey,
  pricesKey,
  recoveriesKey,
  readSnapshots,
  ruleIdsKey,
  workspaceKey,
  type ReplicaAmounts,
  type ReplicaMerchant,
  type ReplicaReader,
  type ReplicaWorkspace,
} from "../../replica/replica.js";
import type { DecisionIdOwner } from "../../../domain/ids/decision-id.js";
import { fnv1a } from "../../../domain/policy/stable-hash.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import { Doorkeeper } from "./doorkeeper.js";
import { MerchantCache, PolicyContentCache, type CachedContent } from "./context-caches.js";

/** The part of a workspace that a decision needs. */
export interface WorkspaceContext extends ReplicaWorkspace {
  /** The workspace's own threshold, or else the one of the settings. */
  risk_block_threshold: number;
}

/** The part of a merchant that a decision needs. */
export interface MerchantContext {
  readonly workspace: WorkspaceContext;
  readonly policy: DecisionPolicy | null;
  readonly amounts: ReplicaAmounts;
  /** Null if the merchant has not set prices. */
  readonly pricing: MerchantPricing | null;
  /** The owner of the ids of the merchant's decisions. Null until the decide actor sets it at the first decision. */
  idOwner: DecisionIdOwner | null;
}

interface CachedMerchant extends MerchantContext {
  readonly merchantId: string;
  readonly bytes: number;
  /** The content of the merchant's policy. */
  readonly content: CachedContent | null;
  /** The version of `pricing`. */
  readonly prices: string | null;
  readonly pricingBytes: number;
}

/** The memory that a thread's contexts may take. */
export interface ContextBounds {
  merchantBytesMax: number;
  policyBytesMax: number;
}

/** The bounds for a decide worker. */
export const DECIDE_BOUNDS: ContextBounds = {
  merchantBytesMax: TUNING.contextCacheBytesMax,
  policyBytesMax: TUNING.policyCacheBytesMax,
};
/** The bounds for the front thread, which simulates requests that people type. */
export const SIMULATION_BOUNDS: ContextBounds = {
  merchantBytesMax: TUNING.simulationCacheBytesMax,
  policyBytesMax: TUNING.simulationCacheBytesMax,
};

export interface DecisionContexts {
  /** Moves to the newest state of the replica. Call it once per batch. */
  refresh(): void;
  /** Releases the replica's state. Call it when the batch is decided (see ReplicaReader). */
  release(): void;
  /** The health view of a workspace in a mode. Workspaces without overlays share one view. */
  health(workspaceId: string, mode: Mode): HealthView;
  /** RTRY-19: the results of a workspace's retries in a mode. */
  recoveries(workspaceId: string, mode: Mode): readonly RecoveryRow[];
  /** Null if the workspace has no such merchant. Use the result only until the next call. */
  merchant(workspaceId: string, mode: Mode, merchantId: string): MerchantContext | null;
  /** The rule ids of a merchant's live policy, in evaluation order. Only simulations need them, so none are cached. */
  ruleIds(workspaceId: string, merchantId: string): readonly string[];
  /** The approximate memory of the cached merchants and policies, in bytes. */
  bytes(): { merchants: number; policies: number };
}

type Priced = Pick<CachedMerchant, "pricing" | "pricingBytes">;

const NO_AMOUNTS: ReplicaAmounts = {};
const NO_PRICES: Priced = { pricing: null, pricingBytes: 0 };
// An estimate of a context's heap, measured on Node 20: 680 to 700 bytes for a merchant, or 1000 for the only merchant
// of a workspace. Each currency takes 15 bytes, and prices of 1 to 1000 rules take 5 to 85 KB.
const MERCHANT_BYTES = 650;
const BYTES_PER_AMOUNTS_CHAR = 2;
const PRICES_BYTES = 5000;
const DOORKEEPER_HASHES = 2 ** 12;
const BYTES_PER_PRICES_CHAR = 1;

/**
 * Reads the inputs of decisions from the LMDB replica. Decoded and compiled inputs are cached until they change or must
 * make room.
 */
export function createDecisionContexts(
  replica: ReplicaReader,
  /** RISK_BLOCK_THRESHOLD, for workspaces without a threshold of their own. */
  riskBlockThreshold: number,
  { merchantBytesMax, policyBytesMax }: ContextBounds = DECIDE_BOUNDS,
): DecisionContexts {
  let catalogVersion = 0;
  let healthVersion = -1;
  let snapshots: readonly HealthSnapshot[] = [];
  let shared = createHealthView("none", []);
  /** The health views of workspaces that have decided since the last change of health. Each is made only once. */
  const views = new Map<string, Partial<Record<Mode, HealthView>>>();
  const recovered = createRecoveries(replica);
  const merchants = new MerchantCache<CachedMerchant>(merchantBytesMax);
  const doorkeeper = new Doorkeeper(DOORKEEPER_HASHES);
  const contents = new PolicyContentCache(policyBytesMax, (name) => {
    const text = replica.read(policyContentKey(name));
    // Without the policy's rules, no decision may be made for the merchant, because a missing rule might block.
    if (text === undefined) throw new Error(`the replica lacks the policy content ${name}`);
    return text;
  });

  const workspaceOf = (workspaceId: string): WorkspaceContext | null => {
    const text = replica.read(workspaceKey(workspaceId));
    if (text === undefined) return null;
    const workspace = JSON.parse(text) as ReplicaWorkspace;
    return { ...workspace, risk_block_threshold: workspace.risk_block_threshold ?? riskBlockThreshold };
  };

  /** A merchant is cached separately for each mode. If one mode has read the merchant's prices, the other uses them. */
  const pricingOf = (workspaceId: string, merchantId: string, version: string): Priced => {
    for (const mode of MODES) {
      const other = merchants.find(workspaceId, mode, merchantId);
      if (other?.prices === version) return other;
    }
    const text = replica.read(pricesKey(workspaceId, merchantId));
    if (text === undefined) return NO_PRICES;
    return {
      pricing: createMerchantPricing(JSON.parse(text) as MerchantPrices),
      pricingBytes: PRICES_BYTES + text.length * BYTES_PER_PRICES_CHAR,
    };
  };

  const load = (workspaceId: string, mode: Mode, merchantId: string): CachedMerchant | null => {
    const text = replica.read(merchantKey(workspaceId, merchantId));
    const workspace = merchants.workspace(workspaceId) ?? workspaceOf(workspaceId);
    // Unknown merchants are not cached. Otherwise made-up merchant ids could evict real merchants.
    if (text === undefined || workspace === null) return null;
    const { policy, prices } = JSON.parse(text) as ReplicaMerchant;
    const amountsText = replica.read(amountsKey(workspaceId, mode, merchantId));
    const content = policy === null ? null : contents.find(policy.content);
    const priced = prices === null ? NO_PRICES : pricingOf(workspaceId, merchantId, prices);
    const merchant: CachedMerchant = {
      // The id is copied, because a substring would keep the whole body in memory.
      merchantId: Buffer.from(merchantId).toString(),
      bytes:
        MERCHANT_BYTES +
        merchantId.length +
        (amountsText?.length ?? 0) * BYTES_PER_AMOUNTS_CHAR +
        priced.pricingBytes,
      workspace,
      policy:
        policy === null || content === null
          ? null
          : new DecisionPolicy(policy.policy_id, policy.version, content),
      content,
      amounts: amountsText === undefined ? NO_AMOUNTS : (JSON.parse(amountsText) as ReplicaAmounts),
      pricing: priced.pricing,
      prices,
      pricingBytes: priced.pricingBytes,
      idOwner: null,
    };
    const isBack = doorkeeper.isBack(fnv1a(merchantId, fnv1a(mode, fnv1a(workspaceId))));
    if (isBack && (content === null || content.isKept)) merchants.add(workspaceId, workspace, mode, merchant);
    return merchant;
  };

  /** Drops the cached form of a changed entry. A policy content never changes, because its name is its hash. */
  const forget = (key: string): void => {
    const changed = changedEntry(key);
    switch (changed?.kind) {
      case "workspace":
        return merchants.dropWorkspace(changed.workspaceId);
      case "merchant":
      case "prices":
        return merchants.dropMerchant(changed.workspaceId, changed.merchantId);
      case "amounts":
        return merchants.dropMerchant(changed.workspaceId, changed.merchantId, [changed.mode]);
      case undefined:
    }
  };

  const follow = (newest: number): void => {
    // A version that has gone back means that the replica was created anew.
    const changed = newest < catalogVersion ? null : replica.changedSince(catalogVersion);
    if (changed === null) merchants.clear();
    else changed.forEach(forget);
    catalogVersion = newest;
  };

  return {
    release: () => replica.release(),
    refresh() {
      const versions = replica.refresh();
      if (versions.catalog !== catalogVersion) follow(versions.catalog);
      if (versions.health !== healthVersion) {
        healthVersion = versions.health;
        views.clear();
        recovered.clear();
        const text = replica.readHealth();
        snapshots = text === undefined ? [] : readSnapshots(text);
        shared = createHealthView(String(healthVersion), snapshots);
      }
    },
    health(workspaceId, mode) {
      let byMode = views.get(workspaceId);
      if (byMode === undefined) {
        if (views.size >= TUNING.healthViewsMax) views.clear();
        views.set(workspaceId, (byMode = {}));
      }
      return (byMode[mode] ??= ownView(replica, { workspaceId, mode }, healthVersion, snapshots) ?? shared);
    },
    recoveries: recovered.of,
    merchant(workspaceId, mode, merchantId) {
      const known = merchants.find(workspaceId, mode, merchantId);
      if (known !== undefined && (known.content === null || known.content.isKept)) return known;
      return load(workspaceId, mode, merchantId);
    },
    ruleIds(workspaceId, merchantId) {
      const text = replica.read(ruleIdsKey(workspaceId, merchantId));
      return text === undefined ? [] : (JSON.parse(text) as string[]);
    },
    bytes: () => ({ merchants: merchants.bytes, policies: contents.bytes }),
  };
}

/** Caches the results of retries, for the workspaces that asked since the last change of health. */
function createRecoveries(replica: ReplicaReader) {
  const known = new Map<string, readonly RecoveryRow[]>();
  return {
    clear: () => known.clear(),
    of(workspaceId: string, mode: Mode): readonly RecoveryRow[] {
      const key = recoveriesKey(workspaceId, mode);
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      if (known.size >= TUNING.healthViewsMax) known.clear();
      const rows = JSON.parse(replica.read(key) ?? "[]") as RecoveryRow[];
      known.set(key, rows);
      return rows;
    },
  };
}

/** The health view of a workspace and mode that have an overlay. Null without an overlay. */
function ownView(
  replica: ReplicaReader,
  { workspaceId, mode }: LiveSegmentOwner,
  healthVersion: number,
  snapshots: readonly HealthSnapshot[],
): HealthView | null {
  const overlay = replica.read(healthOverlayKey(workspaceId, mode));
  if (overlay === undefined) return null;
  const version = `${healthVersion}:${mode}:${workspaceId}`;
  return createHealthView(version, snapshots, readSnapshots(overlay), (country) => {
    const levels = replica.read(healthLevelsKey(workspaceId, mode, country));
    return levels === undefined ? null : readSnapshots(levels);
  });
}

/** The inputs of a decision for `merchant` at `nowMs`. The live path and simulations both use it. */
export function toDecisionContext(
  merchant: MerchantContext,
  health: HealthView,
  { currency, country, card_network: cardNetwork }: Transaction,
  nowMs: number,
): DecisionContext {
  return {
    policy: merchant.policy,
    health: health.forPayment(country, cardNetwork),
    riskBlockThreshold: merchant.workspace.risk_block_threshold,
    normalAmountMaxMinor: merchant.amounts[currency] ?? null,
    defaultDecisionMode: merchant.workspace.default_decision_mode ?? "enforce",
    pricing: merchant.pricing?.viewAt(nowMs) ?? LIST_PRICE_VIEW,
  };
}
