import { HARD_DECLINE_CODES } from "../vocabulary/hard-decline-codes.js";
import type { PreviousAttempt } from "../vocabulary/decision-request.js";
import type { Outcome, OutcomeAlias, TechnicalFailureType } from "../vocabulary/vocabulary.js";

const HARD_CODES: ReadonlySet<string> = new Set(HARD_DECLINE_CODES.map(({ code }) => code));

type Resolve = (
  providerReasonCode: string | null,
  technicalFailureType: TechnicalFailureType | null,
) => Outcome;

/** OUT-6. */
const ALIASES: Readonly<Record<OutcomeAlias, Resolve>> = {
  declined: (code) => (code !== null && HARD_CODES.has(code) ? "hard_declined" : "soft_declined"),
  error: (_, type) => (type === "timeout" || type === "rate_limited" ? type : "technical_failed"),
  cancelled: () => "blocked",
};

export function normalizeOutcome(
  reported: Outcome | OutcomeAlias,
  providerReasonCode: string | null,
  technicalFailureType: TechnicalFailureType | null,
): Outcome {
  return reported in ALIASES
    ? ALIASES[reported as OutcomeAlias](providerReasonCode, technicalFailureType)
    : (reported as Outcome);
}

/** The outcome of a previous attempt: the one that OUT-4 would store if it were reported with the same words. */
export function previousOutcome({ outcome, provider_reason_code: code }: PreviousAttempt): Outcome {
  return normalizeOutcome(outcome, code ?? null, null);
}
