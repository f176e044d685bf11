import type { HealthView } from "../health/snapshot.js";
import type { MatchedRule } from "../policy/policy-evaluation.js";
import type { PricingView } from "../pricing/pricing-view.js";
import type { Risk } from "../risk/assess-risk.js";
import type { DecisionRequest, ProviderId } from "../vocabulary/decision-request.js";
import type { Action, DecisionMode, HealthSource, Mode, ModelVersion } from "../vocabulary/vocabulary.js";
import type { DecisionPolicy } from "./decision-policy.js";
import type { PrimaryPrice } from "./economics.js";
import type { ProviderEvaluation } from "./evaluation.js";
import type { KnownAttempts, SchemeRetry } from "./scheme-retry.js";

/** The inputs of a decision besides its request: one immutable generation of everything cached. */
export interface DecisionContext {
  /** The merchant's published policy. Null if there is none. */
  readonly policy: DecisionPolicy | null;
  readonly health: HealthView;
  /** 0..100; a transaction.risk_score above it blocks. */
  readonly riskBlockThreshold: number;
  /** The merchant's 99th percentile amount in the transaction's currency, in minor units. Null if it is not known. */
  readonly normalAmountMaxMinor: number | null;
  /** The workspace's default, for a request that names no decision mode. */
  readonly defaultDecisionMode: DecisionMode;
  readonly pricing: PricingView | null;
}

export interface DecideInput {
  /** The validated request, with its optional fields as they were sent. */
  readonly request: DecisionRequest;
  readonly context: DecisionContext;
  readonly mode: Mode;
  readonly decisionId: string;
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** RTRY-13: the known attempts. Absent if they were not looked up. The decision then counts none. */
  readonly attempts?: KnownAttempts | undefined;
}

export interface Route {
  readonly primaryProvider: ProviderId;
  readonly fallbackProvider: ProviderId | null;
}

/** The route of `use_default_route` has no fallback provider (ACT-9). */
export interface DefaultRoute extends Route {
  readonly fallbackProvider: null;
}

export interface BlockInstruction {
  readonly action: "block";
  readonly route: null;
}

export type RoutedInstruction =
  | { readonly action: "use_default_route"; readonly route: DefaultRoute }
  | { readonly action: Exclude<Action, "block" | "use_default_route">; readonly route: Route };

/** The instruction and its route. Only a block has no route. */
export type Instruction = BlockInstruction | RoutedInstruction;

/** COST-14: a routed decision's model follows from the primary provider's price. Only deterministic-v2 has a price. */
export type RoutedModel =
  | { readonly version: "deterministic-v1"; readonly price: null }
  | { readonly version: "deterministic-v2"; readonly price: PrimaryPrice };

export interface BlockModel {
  readonly version: ModelVersion;
  readonly price: null;
}

export interface PolicyReference {
  /** The published policy. Null if the merchant has none. */
  readonly published: DecisionPolicy | null;
  /** In evaluation order. */
  readonly matchedRules: readonly MatchedRule[];
}

interface DecisionBase {
  readonly decisionId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly decisionMode: DecisionMode;
  readonly risk: Risk;
  readonly policy: PolicyReference;
  /** Every offered provider, in the order offered. */
  readonly evaluations: readonly ProviderEvaluation[];
  /** The primary provider's health source. For a block, the source that all offered providers share, else `partial`. */
  readonly providerHealthSource: HealthSource;
  readonly reasonCodes: readonly string[];
  /** The scheme's judgement of this attempt. Null if no matched rule asks for it. */
  readonly schemeRetry: SchemeRetry | null;
}

/** One finished decision; path/document writes it as JSON. */
export type Decision = DecisionBase &
  (
    | { readonly instruction: BlockInstruction; readonly model: BlockModel }
    | { readonly instruction: RoutedInstruction; readonly model: RoutedModel }
  );

/**
 * The codes of the instruction itself. A decision's list also has custom policy codes, the segments' `<PROVIDER>_…`
 * codes, the quote's codes and the risk codes.
 */
export type InstructionCode =
  | "BLOCKED_BY_POLICY"
  | "RISK_SCORE_ABOVE_BLOCK_THRESHOLD"
  | "RETRY_SUPPRESSED_BY_POLICY"
  | "HOLD_REQUIRED_BY_POLICY"
  | "STEP_UP_REQUIRED_BY_POLICY"
  | "DEFAULT_ROUTE_APPLIED"
  | "NO_HEALTHY_PROVIDER_AVAILABLE"
  | "POLICY_EXCLUDED_PROVIDER"
  | "NO_ELIGIBLE_PROVIDER"
  | "FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"
  | "RETRY_ALLOWED_BY_POLICY"
  | "RETRY_ALLOWED_BY_SCHEME_RULES"
  | "RETRY_FORBIDDEN_BY_SCHEME"
  | "RETRY_BUDGET_EXHAUSTED"
  | "RETRY_TOO_EARLY"
  | "RETRY_GAIN_TOO_LOW"
  | "PREVIOUS_ATTEMPT_FAILED_HERE";
