import type { PreviousAttempt } from "../vocabulary/decision-request.js";
import type { Outcome } from "../vocabulary/vocabulary.js";
import { normalizeOutcome } from "./normalize-outcome.js";

/**
 * The outcome of a previous attempt. It is the one that OUT-4 would store if the attempt were reported in the same
 * words.
 */
export function previousOutcome({ outcome, provider_reason_code: code }: PreviousAttempt): Outcome {
  return normalizeOutcome(outcome, code ?? null, null);
}
