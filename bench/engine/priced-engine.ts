import { decide } from "../../src/domain/decision/decide.js";
import type { DecideInput, DecisionContext } from "../../src/domain/decision/decision.js";
import { writeReply } from "../../src/path/document/reply.js";
import { DecisionPolicy } from "../../src/domain/decision/decision-policy.js";
import { createMerchantPricing, LIST_PRICE_VIEW } from "../../src/domain/pricing/merchant-pricing.js";
import type { PricingRule } from "../../src/domain/pricing/pricing-contract.js";
import type { PricingView } from "../../src/domain/pricing/pricing-view.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../src/domain/vocabulary/vocabulary.js";
import { median } from "../harness/bench-rounds.js";
import { healthView, request } from "./engine-inputs.js";
import { COUNTRIES, CURRENCIES, policy, PROVIDERS } from "./engine-policy.js";

/**
 * The cost that pricing adds to a decision: decide and render, in microseconds, as medians over interleaved
 * repetitions.
 */
export interface PricedEngineFigure {
  /** The number of rules in the merchant's contract. */
  rules: number;
  v1Us: number;
  v2Us: number;
  /** Median of the repetitions' own ratios. */
  ratio: number;
}

const RULES = 5000;
const POLICY_RULES = 10;
const REQUESTS = 512;
/** The repetitions are short and many, so that other work of the machine affects both sides alike. */
const REPETITIONS = 101;
const WARM_UP_REPETITIONS = 20;
const CALLS_PER_REPETITION = 2048;
const NOW_MS = Date.UTC(2026, 10, 20, 12);
/** These countries occur in no request. They only fill the contract. */
const OTHER_COUNTRIES = ["FR", "ES", "IT", "PL", "SE", "JP", "IN", "MX", "CA", "AU", "ZA", "GH", "EG", "TR"];

function contractRules(): PricingRule[] {
  const countries = [undefined, ...COUNTRIES, ...OTHER_COUNTRIES];
  const networks = [undefined, ...CARD_NETWORKS];
  const rules: PricingRule[] = [];
  for (const country of countries) {
    for (const card_network of networks) {
      for (const provider of PROVIDERS) {
        for (const payment_method of PAYMENT_METHODS) {
          for (const currency of CURRENCIES) {
            if (rules.length === RULES) return rules;
            rules.push({
              provider,
              payment_method,
              currency,
              ...(country === undefined ? {} : { country }),
              ...(card_network === undefined ? {} : { card_network }),
              percentage_bps: 100 + (rules.length % 250),
              fixed_minor: rules.length % 40,
              tiers: [{ amount_gte: 100_000, percentage_bps: 90, fixed_minor: 0 }],
            });
          }
        }
      }
    }
  }
  throw new RangeError(`there are only ${rules.length} segments`);
}

export function measurePricedEngine(): PricedEngineFigure {
  const context = (pricing: PricingView): DecisionContext => ({
    policy: DecisionPolicy.of(policy(POLICY_RULES)),
    health: healthView(),
    riskBlockThreshold: 90,
    normalAmountMaxMinor: 100_000,
    defaultDecisionMode: "enforce",
    pricing,
  });
  const priced = createMerchantPricing({
    version: "1.0",
    contracts: [
      { contract_id: "", version: 1, from_ms: 0, to_ms: null, replace: false, rules: contractRules() },
    ],
    observed: [],
  });
  const inputsOf = (pricing: PricingView): DecideInput[] => {
    const shared = context(pricing);
    return Array.from({ length: REQUESTS }, (_, index) => ({
      request: request(index),
      context: shared,
      mode: "test",
      decisionId: "dec_01jd4wqk2m0000000000000000",
      nowMs: NOW_MS,
    }));
  };
  const v1 = inputsOf(LIST_PRICE_VIEW);
  const v2 = inputsOf(priced.viewAt(NOW_MS));
  const reply = Buffer.allocUnsafe(16_384);
  const timeUs = (inputs: readonly DecideInput[]): number => {
    const startedAt = process.hrtime.bigint();
    for (let call = 0; call < CALLS_PER_REPETITION; call++) {
      reply.write(writeReply(decide(inputs[call % REQUESTS] as DecideInput), call / 1000), "latin1");
    }
    return Number(process.hrtime.bigint() - startedAt) / 1000 / CALLS_PER_REPETITION;
  };
  const times: { v1Us: number; v2Us: number }[] = [];
  for (let repetition = -WARM_UP_REPETITIONS; repetition < REPETITIONS; repetition++) {
    const measured = { v1Us: timeUs(v1), v2Us: timeUs(v2) };
    if (repetition >= 0) times.push(measured);
  }
  return {
    rules: RULES,
    v1Us: median(times.map(({ v1Us }) => v1Us)),
    v2Us: median(times.map(({ v2Us }) => v2Us)),
    ratio: median(times.map(({ v1Us, v2Us }) => v2Us / v1Us)),
  };
}
