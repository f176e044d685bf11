import type { Outcome } from "../vocabulary/vocabulary.js";

export type FailureClass =
  | "none"
  | "soft_decline"
  | "hard_decline"
  | "technical"
  | "timeout"
  | "rate_limit"
  | "policy_block"
  | "authentication_failed";

/** The table of OUT-4. */
export const FAILURE_CLASSES = {
  approved: "none",
  step_up_completed: "none",
  soft_declined: "soft_decline",
  hard_declined: "hard_decline",
  technical_failed: "technical",
  timeout: "timeout",
  rate_limited: "rate_limit",
  blocked: "policy_block",
  step_up_failed: "authentication_failed",
} as const satisfies Record<Outcome, FailureClass>;

/** OUT-5: true only for `approved`. */
export function isApproved(outcome: Outcome): boolean {
  return outcome === "approved";
}
