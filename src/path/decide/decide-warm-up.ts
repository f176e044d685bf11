import type { Validator } from "../../platform/wire/body-validator.js";
import { decide } from "../../domain/decision/decide.js";
import type { DecisionContext } from "../../domain/decision/decision.js";
import { seenBy } from "../../domain/decision/seen.js";
import { writeDocument } from "../document/decision-document.js";
import { writeReply } from "../document/reply.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import type { DecisionContexts } from "./context/decision-contexts.js";

const ROUNDS = 300;

/**
 * Runs the pure part of a decision until V8 has compiled it, so that the first merchants on a new worker need not wait
 * for the compiler. The first decision took 9 ms on a cold worker, and less than 1 ms on a warm one. The warm-up
 * records nothing.
 */
export function warmUp(
  validator: Validator<DecisionRequest>,
  contexts: DecisionContexts,
  providers: readonly string[],
): void {
  const bodyOf = (orderId: string): string =>
    JSON.stringify({
      merchant_id: "warm_up",
      order_id: orderId,
      transaction: { amount: 1, currency: "USD", country: "US", payment_method: "card" },
      available_providers: providers,
      risk_signals: { velocity_count_10m: 1 },
    });
  const body = bodyOf("warm_up");
  // The fast reader leaves non-ASCII text to Ajv. With this body Ajv compiles now, and not at the first such request.
  const left = bodyOf("wärm_up");
  contexts.refresh();
  for (let round = 0; round < ROUNDS; round++) {
    const parsed = validator.parse(body);
    if (!parsed.ok || !validator.parse(left).ok) throw new Error("the warm-up request is not valid");
    const request = parsed.value;
    const context: DecisionContext = {
      policy: null,
      health: contexts.health("warm_up", "test"),
      riskBlockThreshold: 100,
      normalAmountMaxMinor: null,
      defaultDecisionMode: "enforce",
      pricing: null,
    };
    const decision = decide({
      request,
      context,
      mode: "test",
      decisionId: "dec_00000000000000000000000000",
      nowMs: 0,
    });
    const seen = seenBy(context, request.transaction, decision.evaluations, providers, "");
    writeDocument(body, writeReply(decision, round), decision, seen);
  }
  contexts.release();
}
