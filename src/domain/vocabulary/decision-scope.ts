import type {
  Action,
  CardNetwork,
  DecisionMode,
  Mode,
  Outcome,
  PaymentMethod,
  RiskBand,
} from "./vocabulary.js";

/** The decisions that a credential may read. */
export interface DecisionScope {
  /** `ws_…` */
  workspaceId: string;
  mode: Mode;
  /** The one merchant to which the credential is limited, or null. */
  merchantScope: string | null;
}

/** LOG-2: the filters of GET /v1/decisions. A decision must pass all of them. A null filter passes every decision. */
export interface DecisionFilter {
  action: Action | null;
  decisionMode: DecisionMode | null;
  /** Selects only enforce decisions without an outcome and without a review. */
  unresolved: boolean;
  /** Unix milliseconds. Selects only decisions made at this time or later. */
  sinceMs: number | null;
  /** Unix milliseconds. Selects only decisions made before this time. */
  untilMs: number | null;
  /** Compared exactly. */
  orderId: string | null;
  /** Compared exactly. */
  merchantId: string | null;
  /** ISO 4217. */
  currency: string | null;
  /** ISO 3166-1 alpha-2, or '' for decisions without a country (LOG-29). */
  country: string | null;
  paymentMethod: PaymentMethod | null;
  /** The network, or '' for decisions without one. */
  cardNetwork: CardNetwork | "" | null;
  /** The primary provider, or '' for decisions without one. */
  provider: string | null;
}

/** LOG-21: true if the filter uses a column that rollups by merchant and hour lack. */
export function hasFacet(filter: DecisionFilter): boolean {
  const { currency, country, paymentMethod, cardNetwork, provider } = filter;
  return [currency, country, paymentMethod, cardNetwork, provider].some((value) => value !== null);
}

/** A filter that excludes nothing. */
export const EVERY_DECISION: DecisionFilter = {
  action: null,
  decisionMode: null,
  unresolved: false,
  sinceMs: null,
  untilMs: null,
  orderId: null,
  merchantId: null,
  currency: null,
  country: null,
  paymentMethod: null,
  cardNetwork: null,
  provider: null,
};

/**
 * RET-4: narrows a filter to decisions within their retention limit. Rollups still count the decisions past it, so
 * searches and counts by hours need this. A `firstKeptMs` of 0 means no limit.
 */
export function amongKept(filter: DecisionFilter, firstKeptMs: number): DecisionFilter {
  return firstKeptMs > (filter.sinceMs ?? 0) ? { ...filter, sinceMs: firstKeptMs } : filter;
}

/** LOG-19: narrows the scope to the filter's merchant. Null if the credential may not read that merchant. */
export function scopeWithin(scope: DecisionScope, { merchantId }: DecisionFilter): DecisionScope | null {
  if (merchantId === null || merchantId === scope.merchantScope) return scope;
  return scope.merchantScope === null ? { ...scope, merchantScope: merchantId } : null;
}

/**
 * LOG-22 to LOG-24: filters by values that no rollup counts. They are applied row by row to what DecisionFilter
 * selects, up to the number of rows that one answer may read. A null filter passes every decision.
 */
export interface DecisionSieve {
  /** Minor units. The amount itself is included. */
  amountMin: number | null;
  /** Minor units. The amount itself is included. */
  amountMax: number | null;
  riskBand: RiskBand | null;
  /** The stored outcome. */
  outcome: Outcome | null;
  reasonCode: string | null;
  /** The beginning of an order's id. */
  orderStart: string | null;
}

export const NO_SIEVE: DecisionSieve = {
  amountMin: null,
  amountMax: null,
  riskBand: null,
  outcome: null,
  reasonCode: null,
  orderStart: null,
};

export function isSieving(sieve: DecisionSieve): boolean {
  return Object.values(sieve).some((value) => value !== null);
}
