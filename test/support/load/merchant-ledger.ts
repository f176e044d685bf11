import { OUTCOMES, type Outcome, type ReviewResolution } from "../../../src/domain/vocabulary/vocabulary.js";

/** What a merchant's backend does about one decision, all of it decided beforehand by its number in the run. */
export interface DecisionPlan {
  orderId: string;
  idempotencyKey: string | null;
  /** Minor units; the policy of the run holds from `HELD_FROM_MINOR` on. */
  amount: number;
  /** For a hold only. */
  review: ReviewResolution;
  /** Reported one after the other; a later one replaces an earlier one. */
  outcomes: readonly Outcome[];
}

export const HELD_FROM_MINOR = 900_000;
/** Every third request carries an Idempotency-Key, and is sent again with it until it is acknowledged. */
const KEYED_EVERY = 3;
const HELD_EVERY = 5;

/**
 * A fifth is held and reviewed, every second of those rejected; of the rest three quarters are reported, some of them
 * twice.
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

/** All a merchant's backend was told, by decision id. */
export interface MerchantLedger {
  /** Starts every order id of this run. */
  prefix: string;
  /** decision_id of every decision that was answered 200 → its order id. */
  acknowledged: Map<string, string>;
  /** Idempotency-Key → the 200 it was first answered with, and the order id it stands for. */
  keyed: Map<string, { orderId: string; text: string }>;
  /** The outcome acknowledged last. */
  outcomes: Map<string, Outcome>;
  reviews: Map<string, ReviewResolution>;
  /** Answers that contradict what was acknowledged before. */
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
