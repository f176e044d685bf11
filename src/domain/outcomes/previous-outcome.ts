import type { PreviousAttempt } from "../vocabulary/decision-request.js";
import type { Outcome } from "../vocabulary/vocabulary.js";
import { normalizeOutcome } from "./normalize-outcome.js";

/** How a previous attempt failed, as OUT-4 would store the outcome if it were reported in the same words. */
export function previousOutcome({ outcome, provider_reason_code: code }: PreviousAttempt): Outcome {
  return normalizeOutcome(outcome, code ?? null, null);
}
