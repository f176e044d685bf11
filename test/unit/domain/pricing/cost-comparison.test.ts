import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareCosts } from "../../../../src/domain/pricing/cost-comparison.js";
import {
  UNKNOWN_QUOTE,
  type PricingSource,
  type Quote,
} from "../../../../src/domain/pricing/pricing-view.js";

const quote = (cost: number, pricing_source: PricingSource = "merchant_contract"): Quote => ({
  estimated_cost_minor: cost,
  effective_bps: 0,
  pricing_source,
  confidence_score: 100,
  reason_codes: [],
});
const compared = (costMinor: number, dearestMinor: number, firstMinor: number | null) => ({
  costMinor,
  dearestMinor,
  firstMinor,
});

describe("estimated cost, against the most expensive and the first offered provider", () => {
  for (const [what, primary, offered, expected] of [
    ["the dearest and the first", quote(200), [quote(300), quote(200), quote(450)], compared(200, 450, 300)],
    [
      "observed prices are real",
      quote(200, "provider_webhook_observed"),
      [quote(250)],
      compared(200, 250, 250),
    ],
    ["a cheaper first one", quote(200), [quote(150), quote(200)], compared(200, 200, 150)],
    ["a primary that was not offered", quote(500), [quote(300)], compared(500, 500, 300)],
    [
      "estimates are compared with by nobody",
      quote(200),
      [quote(900, "estimated_fallback"), quote(200)],
      compared(200, 200, null),
    ],
    ["an unknown price neither", quote(200), [UNKNOWN_QUOTE, null], compared(200, 200, null)],
    ["an estimated primary has no cost", quote(200, "estimated_fallback"), [quote(300)], null],
    ["nor has an unpriced one", UNKNOWN_QUOTE, [quote(300)], null],
    ["a block has none", null, [quote(300)], null],
  ] as const) {
    it(what, () => assert.deepEqual(compareCosts(primary, offered), expected));
  }
});
