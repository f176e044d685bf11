import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMerchantPricing, LIST_PRICE_VIEW } from "../../../../src/domain/pricing/merchant-pricing.js";
import type { PricingView } from "../../../../src/domain/pricing/pricing-view.js";
import {
  isKnownPricing,
  rebuildPricing,
  recordPricing,
  type RecordedPricing,
} from "../../../../src/domain/decision/seen.js";
import type { Transaction } from "../../../../src/domain/vocabulary/decision-request.js";
import { PAYMENT_METHODS } from "../../../../src/domain/vocabulary/vocabulary.js";
import { PROVIDER_IDS } from "../../../support/generators/arbitraries.js";

const T = Date.UTC(2026, 10, 20, 12);
const CARD = { payment_method: "card", currency: "USD" } as const;
const priced = createMerchantPricing({
  version: "3.12",
  contracts: [
    {
      contract_id: "prc_3",
      version: 3,
      from_ms: T,
      to_ms: null,
      replace: false,
      rules: [
        { ...CARD, provider: "provider_1", percentage_bps: 137, fixed_minor: 11 },
        {
          ...CARD,
          provider: "provider_2",
          percentage_bps: 250,
          fixed_minor: 0,
          tiers: [{ amount_gte: 5000, percentage_bps: 99, fixed_minor: 7 }],
        },
      ],
    },
  ],
  observed: [
    {
      ...CARD,
      provider: "provider_3",
      percentage_bps: 180,
      fixed_minor: 20,
      sample_size: 200,
      median_error_bps: 3,
    },
  ],
}).viewAt(T);

const amounts = [1, 333, 4999, 5000, 2 ** 53 - 1];
const transactions = amounts.flatMap((amount) =>
  PAYMENT_METHODS.map((payment_method): Transaction => ({
    amount,
    currency: "USD",
    country: "US",
    payment_method,
  })),
);

function shown(view: PricingView | null, transaction: Transaction) {
  if (view === null) return null;
  return {
    version: view.version,
    resolved: view.resolved,
    quotes: PROVIDER_IDS.map((provider) => {
      const quote = view.quote(provider, transaction);
      // Each figure is read by its name, so that the results of getters are compared as well.
      return [
        quote.estimated_cost_minor,
        quote.effective_bps,
        quote.pricing_source,
        quote.confidence_score,
        quote.reason_codes,
      ];
    }),
  };
}

describe("replay: the pricing a decision saw", () => {
  for (const [name, view] of [
    ["a merchant's contract and observed prices", priced],
    ["a merchant without prices of its own", LIST_PRICE_VIEW],
    ["no pricing at all", null],
  ] as const) {
    it(`${name}: through JSON text the same version and quotes, to the last digit`, () => {
      for (const transaction of transactions) {
        const text = JSON.stringify(recordPricing(view, PROVIDER_IDS, transaction));
        const rebuilt = rebuildPricing(JSON.parse(text) as RecordedPricing);
        assert.deepEqual(shown(rebuilt, transaction), shown(view, transaction), text);
      }
    });
  }

  it("a merchant without prices of its own costs a name, not a quote for each provider", () => {
    const recorded = recordPricing(LIST_PRICE_VIEW, PROVIDER_IDS, transactions[0] as Transaction);
    assert.equal(recorded, "list_prices_1");
  });

  it("a list of prices that this version does not have is a missing record, not another price", () => {
    assert.equal(isKnownPricing("list_prices_1"), true);
    assert.equal(isKnownPricing("list_prices_0" as unknown as RecordedPricing), false);
  });
});
