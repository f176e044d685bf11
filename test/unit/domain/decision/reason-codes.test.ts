import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { A, B, C, type Given, contractPrices, decideGiven } from "./situations.js";

const prefer = (strict: boolean, ...providers: string[]) => ({
  then: { type: "prefer_provider", providers, strict, boost: 15 } as const,
});

describe("decision reason codes", () => {
  const table: [string, Given, string[]][] = [
    [
      "CODE-1: a plain route: the primary is healthy, the risk acceptable",
      {},
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "a plain block: nothing about a route",
      { transaction: { risk_score: 95 } },
      ["RISK_SCORE_ABOVE_BLOCK_THRESHOLD", "RISK_HIGH_BLOCK_REVIEW"],
    ],
    [
      "CODE-2: the primary's approval rate is strictly the highest",
      { healths: { [B]: { approval_rate: 0.93 } } },
      ["HIGHER_EXPECTED_APPROVAL_RATE", "PROVIDER_2_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "not where another eligible one has the same",
      { healths: { [A]: { score: 99 }, [B]: { approval_rate: 0.9 } }, offered: [A, B] },
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "not where it is alone",
      { offered: [A], healths: { [A]: { approval_rate: 1 } } },
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "CODE-2: not where the rate of another eligible one is assumed",
      { healths: { [B]: { approval_rate: 0.93 }, [C]: { sample_size: 0 } } },
      ["PROVIDER_2_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "CODE-2: not where its own rate is assumed",
      { healths: { [B]: { approval_rate: 0.93, sample_size: 0 } } },
      ["PROVIDER_2_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "an ineligible provider's rate does not count",
      { healths: { [A]: { approval_rate: 0.95 }, [B]: { approval_rate: 0.99, state: "critical" } } },
      [
        "HIGHER_EXPECTED_APPROVAL_RATE",
        "PROVIDER_1_HEALTHY_FOR_SEGMENT",
        "HEALTH_CRITICAL",
        "RISK_ACCEPTABLE",
      ],
    ],
    [
      "CODE-3: preferred, strictly",
      { rules: [prefer(true, C)] },
      ["POLICY_PREFERRED_PROVIDER", "PROVIDER_3_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "CODE-3: preferred, by a boost",
      { rules: [prefer(false, C)] },
      ["POLICY_PREFERRED_PROVIDER", "PROVIDER_3_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "a preference for somebody else is not mentioned",
      { rules: [prefer(true, C)], healths: { [C]: { state: "degraded" } } },
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "by traffic split",
      { rules: [{ then: { type: "split_traffic", weights: { [B]: 100 } } }] },
      ["TRAFFIC_SPLIT_APPLIED", "PROVIDER_2_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "COST-15: by an objective",
      {
        rules: [{ then: { type: "optimize_for", mode: "cost" } }],
        pricing: contractPrices({ [A]: 300, [B]: 200, [C]: 100 }),
      },
      [
        "OPTIMIZED_FOR_COST",
        "PROVIDER_3_HEALTHY_FOR_SEGMENT",
        "MERCHANT_CONTRACT_PRICING_USED",
        "RISK_ACCEPTABLE",
      ],
    ],
    [
      "ELIG-1: policy ruled an offered provider out",
      { rules: [{ then: { type: "exclude_provider", providers: [A] } }] },
      ["POLICY_EXCLUDED_PROVIDER", "PROVIDER_2_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "not when the excluded one is not offered",
      { rules: [{ then: { type: "exclude_provider", providers: ["provider_5"] } }] },
      ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
    [
      "a primary that is not healthy is not called so",
      { offered: [A], healths: { [A]: { state: "watch" } } },
      ["RISK_ACCEPTABLE"],
    ],
    [
      "a default provider that was not offered, too, by its own health",
      { offered: [A], healths: { [A]: { state: "unavailable" } }, defaultProvider: C },
      ["DEFAULT_ROUTE_APPLIED", "PROVIDER_3_HEALTHY_FOR_SEGMENT", "CIRCUIT_OPEN", "RISK_ACCEPTABLE"],
    ],
    [
      "the offered segments' own warnings, praise and bare codes left out",
      {
        healths: {
          [B]: {
            state: "watch",
            reason_codes: ["PROVIDER_2_TIMEOUT_RATE_ELEVATED", "PROVIDER_2_LATENCY_ELEVATED"],
          },
          [C]: { state: "unavailable", reason_codes: ["CIRCUIT_OPEN", "PROVIDER_3_TIMEOUT_RATE_ELEVATED"] },
          [A]: { reason_codes: ["PROVIDER_1_HEALTHY_FOR_SEGMENT"] },
        },
      },
      [
        "PROVIDER_1_HEALTHY_FOR_SEGMENT",
        "PROVIDER_2_TIMEOUT_RATE_ELEVATED",
        "PROVIDER_2_LATENCY_ELEVATED",
        "PROVIDER_3_TIMEOUT_RATE_ELEVATED",
        "CIRCUIT_OPEN",
        "RISK_ACCEPTABLE",
      ],
    ],
    [
      "ELIG-2: each reason for an exclusion, once",
      {
        offered: [A, B, C, "provider_4", "provider_5"],
        rules: [{ then: { type: "require_min_health", min_score: 80, providers: ["provider_4"] } }],
        healths: {
          [B]: { state: "critical" },
          [C]: { state: "critical" },
          provider_4: { score: 79 },
          provider_5: { state: "unavailable" },
        },
      },
      [
        "PROVIDER_1_HEALTHY_FOR_SEGMENT",
        "CIRCUIT_OPEN",
        "HEALTH_CRITICAL",
        "HEALTH_BELOW_POLICY_MINIMUM",
        "RISK_ACCEPTABLE",
      ],
    ],
    [
      "the risk's own codes come last and are the same in both places",
      {
        transaction: { customer_type: "returning", risk_score: 66 },
        context: { normalAmountMaxMinor: 10_000 },
      },
      [
        "PROVIDER_1_HEALTHY_FOR_SEGMENT",
        "RISK_HIGH_BLOCK_REVIEW",
        "NORMAL_AMOUNT_FOR_MERCHANT",
        "RETURNING_CUSTOMER",
      ],
    ],
    [
      "a custom code that is already there is not repeated",
      { rules: [{ then: { type: "hold", reason_code: "HOLD_REQUIRED_BY_POLICY" } }] },
      ["HOLD_REQUIRED_BY_POLICY", "PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
    ],
  ];
  for (const [name, given, expected] of table) {
    it(name, () => assert.deepEqual([...decideGiven(given).reasonCodes], expected));
  }
});
