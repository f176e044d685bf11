import { OUTCOMES, type Outcome, type ReviewResolution } from "../../../src/domain/vocabulary/vocabulary.js";

/** The actions of a merchant's backend for one decision. The decision's number in the run determines all of them. */
export interface DecisionPlan {
  orderId: string;
  idempotencyKey: string | null;
  /** Minor units. The run's policy holds payments from `HELD_FROM_MINOR` on. */
  amount: number;
  /** Used only for a hold. */
  review: ReviewResolution;
  /** Outcomes are reported in this order. A later one replaces an earlier one. */
  outcomes: readonly Outcome[];
}

export const HELD_FROM_MINOR = 900_000;
/** Every third request carries an Idempotency-Key. It is sent again with that key until it is acknowledged. */
const KEYED_EVERY = 3;
const HELD_EVERY = 5;

/**
 * One fifth of the decisions are held and reviewed, and half of these are rejected. A quarter of the other decisions
 * get no outcome. Some decisions get two outcomes.
 */
export function planDecision(prefix: string, n: number): DecisionPlan {
  const orderId = prefix + n;
  const isHeld = n % HELD_EVERY === 0;
  const outcome = OUTCOMES[n % OUTCOMES.length] as Outcome;
  return {
    orderId,
    idempotencyKey: n % KEYED_EVERY === 0 ? orderId : null,
    amount: isHeld ? HELD_FROM_MINOR + n : 1000 + (n % 1000),
    review: n % 2 === 0 ? "approve" : "reject",
    outcomes: n % 4 === 0 && !isHeld ? [] : n % 11 === 0 ? ["timeout", outcome] : [outcome],
  };
}

/** All acknowledgements that a merchant's backend received, by decision id. */
export interface MerchantLedger {
  /** Every order id of this run starts with it. */
  prefix: string;
  /** decision_id → order id, for every decision that was answered with 200. */
  acknowledged: Map<string, string>;
  /** Idempotency-Key → the text of the last 200 for it, and its order id. */
  keyed: Map<string, { orderId: string; text: string }>;
  /** The last acknowledged outcome of each decision. */
  outcomes: Map<string, Outcome>;
  reviews: Map<string, ReviewResolution>;
  /** Answers that contradict an earlier acknowledgement. */
  contradictions: string[];
}

export function openLedger(prefix: string): MerchantLedger {
  return {
    prefix,
    acknowledged: new Map(),
    keyed: new Map(),
    outcomes: new Map(),
    reviews: new Map(),
    contradictions: [],
  };
}
