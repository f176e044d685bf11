import type { Conditions, Policy, RuleAction } from "../domain/policy/policy.js";
import type {
  PreviousAttempt,
  ProviderId,
  RiskSignals,
  Transaction,
} from "../domain/vocabulary/decision-request.js";
import type { Action, ModelVersion } from "../domain/vocabulary/vocabulary.js";
import type { PolicyIssue } from "./problem.js";
import type { DecidedPolicy, Economics, Risk, Route } from "./wire-decision.js";
import type { ProviderEvaluation, RecordedCost, RuleEvaluation } from "./wire-reads.js";

export type { Conditions, Policy, RuleAction };

/** RULE-10: `provider` stands for a one-item `providers`. */
type Providers = { providers: ProviderId[]; provider?: never } | { provider: ProviderId; providers?: never };

/** RULE-10: `then`, in every accepted spelling; the service stores the normal form, `RuleAction`. */
export type RuleActionDraft =
  | Exclude<
      RuleAction,
      {
        type:
          | "prefer_provider"
          | "exclude_provider"
          | "restrict_providers"
          | "require_min_health"
          | "retry_on_timeout";
      }
    >
  | ({ type: "prefer_provider" | "preferred_provider"; strict?: boolean; boost?: number } & Providers)
  | ({ type: "exclude_provider" | "excluded_provider" | "restrict_providers" } & Providers)
  | ({ type: "require_min_health"; min_score: number } & (
      | Providers
      | { providers?: never; provider?: never }
    ))
  | { type: "retry_on_timeout"; same_provider?: boolean };

/** What is left out is filled in: rule_id, enabled true, priority by position. */
export interface RuleDraft {
  rule_id?: string;
  name: string;
  /** Lower first. */
  priority?: number;
  enabled?: boolean;
  when: Conditions;
  then: RuleActionDraft;
}

export interface PolicyDraft {
  name?: string;
  default_provider?: ProviderId | null;
  /** At most 100. */
  rules: RuleDraft[];
}

/** POL-1: POST /v1/policies */
export interface NewPolicy extends PolicyDraft {
  merchant_id: string;
  /** At most 120 characters. */
  name: string;
  /** Live from the next decision on; warnings reject then. */
  publish?: boolean;
}

export interface LivePolicyGuard {
  /**
   * The `etag` of the live policy that the change was made against. Where another one is live by now, nothing is stored
   * and the answer is a problem of status 412.
   */
  ifMatch?: string;
}

export interface CreatedPolicy {
  policy: Policy;
  db_id: string;
  warnings: PolicyIssue[];
}

/** TRANS-1: POST /v1/policies/translate */
export interface TranslationRequest {
  merchant_id: string;
  /** Plain English; amounts in major units. */
  text: string;
}

export interface Translation {
  /** null where no sentence was understood. */
  draft: (PolicyDraft & Pick<Policy, "default_provider">) | null;
  /** One for every sentence that became no rule; `sentence_index` counts from 0. */
  warnings: { sentence_index: number; code: string; message: string }[];
  valid: boolean;
}

/** SIM-1: POST /v1/policies/simulate; without `policy` the published one is used. */
export interface SimulationRequest {
  merchant_id: string;
  order_id?: string;
  policy?: PolicyDraft;
  transaction: Transaction;
  available_providers: ProviderId[];
  previous_attempt?: PreviousAttempt;
  risk_signals?: RiskSignals;
}

export interface Simulation {
  action: Action;
  route: Route | null;
  risk: Risk;
  matched_rules: string[];
  excluded_providers: { provider: ProviderId; exclusion_reason: string }[];
  provider_evaluations: ProviderEvaluation[];
  route_scores: Record<ProviderId, number>;
  reason_codes: string[];
  model: { model_version: ModelVersion; route_scores: Record<ProviderId, number> };
  cost: RecordedCost | null;
  economics: Economics | null;
  policy?: DecidedPolicy;
  /** Every enabled rule, in the order they are evaluated. */
  rule_evaluations?: RuleEvaluation[];
  validation: { valid: boolean; errors: PolicyIssue[]; warnings: PolicyIssue[] };
}
