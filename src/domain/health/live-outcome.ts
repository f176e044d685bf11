import type { ProviderId } from "../vocabulary/decision-request.js";
import type { Mode, Outcome, PaymentMethod, TechnicalFailureType } from "../vocabulary/vocabulary.js";
import type { SampleKind } from "./window.js";

/** Reported outcomes that are alike, as provider health needs them. A payment is in one of them, however often it is reported. */
export interface LiveOutcomes {
  workspaceId: string;
  mode: Mode;
  provider: ProviderId;
  paymentMethod: PaymentMethod;
  currency: string;
  outcome: Outcome;
  technicalFailureType: TechnicalFailureType | null;
  latencyMs: number;
  /** When the attempts were made, to the second: `created_at` of a backfill, else when it was reported. Unix milliseconds. */
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

/** null: the provider was not asked, or the customer's own authentication failed; either says nothing of the provider. */
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

/** OUT-4, outcomes as samples of provider health. A technical failure of no known type counts as a 5xx. */
export function liveSampleKind(
  outcome: Outcome,
  technicalFailureType: TechnicalFailureType | null,
): SampleKind | null {
  if (outcome === "technical_failed" && technicalFailureType !== null)
    return TECHNICAL_SAMPLE[technicalFailureType];
  return OUTCOME_SAMPLE[outcome];
}
