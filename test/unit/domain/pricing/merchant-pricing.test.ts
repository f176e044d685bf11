import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { statusesAt } from "../../../../src/domain/pricing/contracts-in-effect.js";
import { createMerchantPricing, LIST_PRICE_VIEW } from "../../../../src/domain/pricing/merchant-pricing.js";
import type { ObservedPrice } from "../../../../src/domain/pricing/observed-price.js";
import type { PricingContract, PricingRule } from "../../../../src/domain/pricing/pricing-contract.js";
import type { Transaction } from "../../../../src/domain/vocabulary/decision-request.js";
import { PAYMENT_METHODS } from "../../../../src/domain/vocabulary/vocabulary.js";

const CARD = { provider: "provider_1", payment_method: "card", currency: "USD" } as const;
const paid: Transaction = { amount: 10_000, currency: "USD", country: "US", payment_method: "card" };
const T = Date.UTC(2026, 10, 20, 12);

const rule = (percentage_bps: number, changes: Partial<PricingRule> = {}): PricingRule => ({
  ...CARD,
  percentage_bps,
  fixed_minor: 0,
  ...changes,
});
const contract = (version: number, changes: Partial<PricingContract> = {}): PricingContract => ({
  contract_id: `prc_${version}`,
  version,
  from_ms: T,
  to_ms: null,
  replace: false,
  rules: [rule(100 * version)],
  ...changes,
});
const observed = (changes: Partial<ObservedPrice> = {}): ObservedPrice => ({
  ...CARD,
  percentage_bps: 180,
  fixed_minor: 20,
  sample_size: 200,
  median_error_bps: 15,
  ...changes,
});
const pricing = (contracts: PricingContract[], prices: ObservedPrice[] = []) =>
  createMerchantPricing({ version: "1.1", contracts, observed: prices });

describe("COST-3: Model v2: sources, first that matches", () => {
  const contracts = [contract(3)];
  const table: [string, PricingContract[], ObservedPrice[], source: string, cost: number][] = [
    ["a contract before observed fees", contracts, [observed()], "merchant_contract", 300],
    ["200 fees with an error of 15 bps", [], [observed()], "provider_webhook_observed", 200],
    ["199 fees", [], [observed({ sample_size: 199 })], "estimated_fallback", 200],
    ["an error over 15 bps", [], [observed({ median_error_bps: 15.1 })], "estimated_fallback", 200],
    ["19 fees: the list price", [], [observed({ sample_size: 19 })], "estimated_fallback", 290],
    ["nothing of its own: the list price", [], [], "estimated_fallback", 290],
    [
      "real fees of the wider segment before an estimate of the narrower",
      [],
      [observed(), observed({ country: "US", sample_size: 50, percentage_bps: 1 })],
      "provider_webhook_observed",
      200,
    ],
    [
      "a contract for another segment",
      [contract(3, { rules: [rule(300, { country: "DE" })] })],
      [observed()],
      "provider_webhook_observed",
      200,
    ],
  ];
  for (const [name, held, prices, source, cost] of table) {
    it(`${name}: ${source}`, () => {
      const quote = pricing(held, prices).viewAt(T).quote("provider_1", paid);
      assert.deepEqual([quote.pricing_source, quote.estimated_cost_minor], [source, cost]);
    });
  }

  it("is unknown where nothing is listed for the method either", () => {
    const sources = PAYMENT_METHODS.map(
      (payment_method) => LIST_PRICE_VIEW.quote("provider_1", { ...paid, payment_method }).pricing_source,
    );
    assert.deepEqual(sources, ["estimated_fallback", "estimated_fallback", "unknown", "unknown"]);
  });

  it("each source names itself and says how sure it is", () => {
    const quotes = [
      pricing([contract(3)]).viewAt(T),
      pricing([], [observed({ median_error_bps: 0, sample_size: 450 })]).viewAt(T),
      pricing([], [observed()]).viewAt(T),
      LIST_PRICE_VIEW,
    ].map((view) => view.quote("provider_1", paid));
    assert.deepEqual(
      quotes.map(({ reason_codes, confidence_score }) => [...reason_codes, confidence_score]),
      [
        ["MERCHANT_CONTRACT_PRICING_USED", 100],
        ["OBSERVED_PRICING_USED", 90],
        ["OBSERVED_PRICING_USED", 40],
        ["ESTIMATED_FALLBACK_PRICING_USED", 20],
      ],
    );
  });

  it("only contracts and real observations make pricing resolved", () => {
    assert.equal(pricing([contract(1)]).viewAt(T).resolved, true);
    assert.equal(pricing([], [observed()]).viewAt(T).resolved, true);
    assert.equal(pricing([], [observed({ sample_size: 199 })]).viewAt(T).resolved, false);
    assert.equal(LIST_PRICE_VIEW.resolved, false);
  });
});

describe("PRICE-1: effective dates and replace", () => {
  const costAt = (contracts: PricingContract[], nowMs: number): [number, string] => {
    const quote = pricing(contracts).viewAt(nowMs).quote("provider_1", paid);
    return [quote.estimated_cost_minor, quote.pricing_source];
  };
  const from1 = contract(1, { from_ms: T + 1000, to_ms: T + 2000 });

  it("a contract holds from the millisecond of effective_from up to that of effective_to", () => {
    const at = (ms: number) => costAt([from1], T + ms)[0];
    assert.deepEqual([999, 1000, 1999, 2000].map(at), [290, 100, 100, 290]);
  });

  it("is not resolved before and after", () => {
    const merchant = pricing([from1]);
    const at = (ms: number) => merchant.viewAt(T + ms).resolved;
    assert.deepEqual([999, 1000, 1999, 2000].map(at), [false, true, true, false]);
  });

  it("one compiled pricing answers for any time, in any order", () => {
    const merchant = pricing([from1, contract(2, { from_ms: T + 1500, to_ms: T + 1600 })]);
    const at = (ms: number) => merchant.viewAt(T + ms).quote("provider_1", paid).estimated_cost_minor;
    for (const [ms, cost] of [
      [1599, 200],
      [1000, 100],
      [1500, 200],
      [0, 290],
      [1600, 100],
      [1499, 100],
      [5000, 290],
    ] as const) {
      assert.equal(at(ms), cost, String(ms));
    }
    assert.equal(merchant.viewAt(T + 1500), merchant.viewAt(T + 1599), "compiled once for its time");
  });

  it("the newer of two contracts in effect prices its segments, and the older the rest", () => {
    const older = contract(1, { rules: [rule(100), rule(150, { country: "DE" })] });
    const both = [older, contract(2, { from_ms: T + 10 })];
    assert.equal(costAt(both, T + 9)[0], 100);
    assert.equal(costAt(both, T + 10)[0], 200);
    const inGermany = pricing(both)
      .viewAt(T + 10)
      .quote("provider_1", { ...paid, country: "DE" });
    assert.equal(inGermany.estimated_cost_minor, 150);
  });

  it("replace ends every earlier contract from its effective_from on, for good", () => {
    const replacing = contract(2, {
      from_ms: T + 10,
      to_ms: T + 20,
      replace: true,
      rules: [rule(200, { country: "DE" })],
    });
    const held = [contract(1), replacing, contract(3, { from_ms: T + 30 })];
    const at = (ms: number) => costAt(held, T + ms)[0];
    assert.deepEqual([9, 10, 19, 20, 29, 30].map(at), [100, 290, 290, 290, 290, 300]);
    const statuses = (ms: number) => statusesAt(held, T + ms).join(" ");
    assert.equal(statuses(0), "active scheduled scheduled");
    assert.equal(statuses(10), "replaced active scheduled");
    assert.equal(statuses(20), "replaced expired scheduled");
    assert.equal(statuses(30), "replaced expired active");
  });
});
