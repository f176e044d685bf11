import type { ProviderId } from "../../vocabulary/decision-request.js";
import type {
  Blame,
  CardNetwork,
  Mode,
  Outcome,
  PaymentMethod,
  TechnicalFailureType,
} from "../../vocabulary/vocabulary.js";
import type { SampleKind } from "../window.js";

/**
 * Equal reported outcomes, with the fields that provider health needs. A payment that is reported again is not counted
 * again.
 */
export interface LiveOutcomes {
  workspaceId: string;
  mode: Mode;
  provider: ProviderId;
  paymentMethod: PaymentMethod;
  currency: string;
  /** ISO 3166-1 alpha-2, or null if the decision's row has no country. */
  country: string | null;
  /** Null if the payment has no card network, or if its country is unknown. */
  cardNetwork: CardNetwork | null;
  outcome: Outcome;
  technicalFailureType: TechnicalFailureType | null;
  /** The party that caused a soft decline. */
  blame: Blame;
  latencyMs: number;
  /**
   * The time of the attempts in Unix milliseconds, in whole seconds. It is the `created_at` of a backfill, or else the
   * time of the report.
   */
  atMs: number;
  count: number;
}

const TECHNICAL_SAMPLE = {
  timeout: "timeout",
  "5xx": "error_5xx",
  connection: "error_5xx",
  rate_limited: "throttled_429",
  unknown: "error_5xx",
} as const satisfies Record<TechnicalFailureType, SampleKind>;

/**
 * Null if the outcome says nothing about the provider: either nobody asked the provider, or the customer's own
 * authentication failed.
 */
const OUTCOME_SAMPLE = {
  approved: "approved",
  soft_declined: "soft_declined",
  hard_declined: "hard_declined",
  technical_failed: "error_5xx",
  timeout: "timeout",
  rate_limited: "throttled_429",
  blocked: null,
  step_up_completed: null,
  step_up_failed: null,
} as const satisfies Record<Outcome, SampleKind | null>;

/** OUT-4: the sample kind of an outcome. A technical failure of an unknown type counts as a 5xx. */
export function liveSampleKind(
  outcome: Outcome,
  technicalFailureType: TechnicalFailureType | null,
): SampleKind | null {
  if (outcome === "technical_failed" && technicalFailureType !== null)
    return TECHNICAL_SAMPLE[technicalFailureType];
  return OUTCOME_SAMPLE[outcome];
}
