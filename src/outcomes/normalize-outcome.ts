import type { Outcome, OutcomeAlias, TechnicalFailureType } from "../shared/vocabulary.js";

/** contract §6: provider reason codes after which no retry can succeed, compared exactly. */
export const HARD_DECLINE_CODES: ReadonlySet<string> = new Set([
  "04",
  "07",
  "12",
  "15",
  "41",
  "43",
  "57",
  "R0",
  "R1",
  "R3",
  "stolen_card",
  "lost_card",
  "pickup_card",
  "do_not_try_again",
  "invalid_account",
]);

type Resolve = (
  providerReasonCode: string | null,
  technicalFailureType: TechnicalFailureType | null,
) => Outcome;

/** contract §6 "Aliases". */
const ALIASES: Readonly<Record<OutcomeAlias, Resolve>> = {
  declined: (code) => (code !== null && HARD_DECLINE_CODES.has(code) ? "hard_declined" : "soft_declined"),
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
