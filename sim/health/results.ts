import { blameOf } from "../../src/domain/outcomes/decline-blame.js";
import type { Blame, Outcome, TechnicalFailureType } from "../../src/domain/vocabulary/vocabulary.js";

/** A merchant's report about a payment. */
export interface Report {
  readonly outcome: Outcome;
  readonly technicalFailureType: TechnicalFailureType | null;
  readonly blame: Blame;
  /** True if approved, false if lost through the provider. Null where the result says nothing about the provider. */
  readonly isApproved: boolean | null;
  /** How much later than the payment the report comes, in whole seconds. */
  readonly delaySeconds: number;
}

const ANSWER_SECONDS = 2;
/** A time-out is known only after this time. */
const TIMEOUT_SECONDS = 10;

const failure = (
  outcome: Outcome,
  technicalFailureType: TechnicalFailureType,
  delaySeconds: number,
): Report => ({ outcome, technicalFailureType, blame: "provider", isApproved: false, delaySeconds });

/** The blame follows from the code by the product's own table. */
function answer(outcome: Outcome, code: string | null): Report {
  const blame = blameOf(code);
  const isExcused = outcome === "hard_declined" || blame !== "provider";
  return {
    outcome,
    technicalFailureType: null,
    blame,
    isApproved: isExcused ? null : outcome === "approved",
    delaySeconds: ANSWER_SECONDS,
  };
}

/** Every result of a payment in the simulated world. */
export const REPORTS = {
  approved: answer("approved", null),
  /** The generic refusal, which does not say who is to blame. */
  refused: answer("soft_declined", "05"),
  insufficientFunds: answer("soft_declined", "51"),
  wrongCvv: answer("soft_declined", "cvv_mismatch"),
  expiredCard: answer("soft_declined", "expired_card"),
  issuerUnavailable: answer("soft_declined", "91"),
  stolenCard: answer("hard_declined", "43"),
  timeout: failure("timeout", "timeout", TIMEOUT_SECONDS),
  error5xx: failure("technical_failed", "5xx", ANSWER_SECONDS),
  throttled: failure("rate_limited", "rate_limited", ANSWER_SECONDS),
} as const satisfies Record<string, Report>;

export type Result = keyof typeof REPORTS;
export const RESULTS = Object.keys(REPORTS) as Result[];

/** The chances of one payment, 0..1. */
export interface Odds {
  /** The three technical failures are shares of all payments. */
  readonly timeout: number;
  readonly error5xx: number;
  readonly throttled: number;
  /** Declines that the customer caused: a share of the payments that do not fail. */
  readonly customer: number;
  /** Declines that the issuer caused, with a code that says so: a share of the payments that do not fail. */
  readonly issuer: number;
  /**
   * The share of approvals among the payments that neither fail nor are declined through the customer or the issuer.
   */
  readonly approval: number;
}

/** The random numbers of a payment, each in [0, 1). Two worlds with the same numbers differ only by their odds. */
export interface Draws {
  failure: number;
  excuse: number;
  approval: number;
}

const CUSTOMER_RESULTS = ["insufficientFunds", "wrongCvv", "expiredCard"] as const;

export function resultOf(odds: Odds, draws: Draws): Result {
  let left = draws.failure;
  if ((left -= odds.timeout) < 0) return "timeout";
  if ((left -= odds.error5xx) < 0) return "error5xx";
  if ((left -= odds.throttled) < 0) return "throttled";
  left = draws.excuse;
  if (left < odds.customer) {
    const kind = Math.floor((left / odds.customer) * CUSTOMER_RESULTS.length);
    return CUSTOMER_RESULTS[kind] ?? "insufficientFunds";
  }
  left -= odds.customer;
  if (left < odds.issuer) return left < odds.issuer / 2 ? "issuerUnavailable" : "stolenCard";
  return draws.approval < odds.approval ? "approved" : "refused";
}

/** The true chance that a payment is approved, if its result says something about the provider. */
export function approvalChance({ timeout, error5xx, throttled, customer, issuer, approval }: Odds): number {
  const failing = timeout + error5xx + throttled;
  const judged = (1 - failing) * (1 - customer - issuer);
  return (judged * approval) / (failing + judged);
}
