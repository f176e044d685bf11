import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConditionEvaluation, DecisionDetail, FieldEvaluation } from "../../../src/client/wire-types.js";
import { conditionText, decidingTexts } from "../../../src/dashboard/explain/condition-text.js";
import { decisiveTexts, instructionCodes } from "../../../src/dashboard/explain/decisive-texts.js";

type EvaluationParts = readonly [
  field: string,
  operator: FieldEvaluation["operator"],
  expected: unknown,
  actual: unknown,
  held?: boolean,
];

function evaluation([field, operator, expected, actual, held = false]: EvaluationParts): FieldEvaluation {
  return { condition: `${field}_${operator}`, field, operator, expected, actual, held };
}
/** Intl puts a no-break space between a currency and its amount. */
const textOf = (what: EvaluationParts, currency = "USD"): string =>
  conditionText(evaluation(what), currency).replaceAll("\u{a0}", " ");

describe("a condition with the value it met, in words", () => {
  for (const [what, expected] of [
    [["amount", "gte", 500_000, 129_900], "Needs amount at least USD 5,000.00; it was USD 1,299.00."],
    [["country", "in", ["NG", "KE"], "US"], "Needs country NG or KE; it was US."],
    [["country", "not_in", ["US"], "US"], "Needs country other than US; it was US."],
    [["payment_method", "in", ["card"], "bank_transfer"], "Needs payment method card; it was bank_transfer."],
    [["computed_risk_score", "gt", 85, 35], "Needs computed risk score more than 85; it was 35."],
    [["offered_provider_count", "lt", 2, 2], "Needs offered provider count less than 2; it was 2."],
    [
      ["offered_provider", "in", ["provider_3"], ["provider_1", "provider_2"]],
      "Needs offered provider provider_3; offered were provider_1, provider_2.",
    ],
    [["customer_type", "in", ["guest"], null], "Needs customer type guest; it was not sent."],
    [["ip_country_match", "is", true, false], "Needs IP country match: true; it was false."],
    [
      [
        "provider_health_state",
        "in",
        { provider: "provider_1", states: ["critical", "unavailable"] },
        "watch",
      ],
      "Needs provider_1 to be critical or unavailable; it was watch.",
    ],
  ] as const satisfies readonly (readonly [EvaluationParts, string])[]) {
    it(expected, () => assert.equal(textOf(what), expected));
  }

  it("amounts have their currency's own decimals: JPY 0, KWD 3", () => {
    const amount = ["amount", "gte", 5000, 1200] as const;
    assert.equal(textOf(amount, "JPY"), "Needs amount at least JPY 5,000; it was JPY 1,200.");
    assert.equal(textOf(amount, "KWD"), "Needs amount at least KWD 5.000; it was KWD 1.200.");
  });

  it("a group shows the branch that decided, or all branches where they decided together", () => {
    const branch = (field: string) => ({
      held: true,
      conditions: [evaluation([field, "in", ["a"], "a", true])],
    });
    const branches = [branch("first"), branch("second")];
    const group = (decided_by: number | null): ConditionEvaluation => ({
      condition: "any_of",
      held: true,
      decided_by,
      branches,
    });
    assert.deepEqual(decidingTexts([group(1)], "USD"), ["Needs second a; it was a."]);
    assert.equal(decidingTexts([group(null)], "USD").length, 2);
  });
});

describe("the decisive value is beside the reason", () => {
  const blocked = {
    reason_codes: ["BLOCKED_BY_POLICY", "RISK_SCORE_ABOVE_BLOCK_THRESHOLD", "RISK_ACCEPTABLE"],
    risk: { reason_codes: ["RISK_ACCEPTABLE"] },
    transaction: { currency: "USD" },
    request: { transaction: { risk_score: 97 } },
    risk_block_threshold: 90,
    rule_evaluations: [
      {
        name: "No guests",
        action_type: "block",
        matched: true,
        conditions: [evaluation(["customer_type", "in", ["guest"], "guest", true])],
      },
      { name: "Everybody", action_type: "block", matched: true, conditions: [] },
      { name: "Unmatched", action_type: "block", matched: false, conditions: [] },
      { name: "Held", action_type: "hold", matched: true, conditions: [] },
    ],
  } as unknown as DecisionDetail;

  it("DASH-3: a low advisory risk is no reason of a block", () => {
    assert.deepEqual(instructionCodes(blocked), ["BLOCKED_BY_POLICY", "RISK_SCORE_ABOVE_BLOCK_THRESHOLD"]);
  });

  it("the rules that set a code, with the values that they met", () => {
    assert.deepEqual(decisiveTexts("BLOCKED_BY_POLICY", blocked), [
      "By “\u2068No guests\u2069”. Needs customer type guest; it was guest.",
      "By “\u2068Everybody\u2069”. It matches every request.",
    ]);
    assert.deepEqual(decisiveTexts("RISK_ACCEPTABLE", blocked), []);
  });

  it("the risk score that was sent, and the threshold in force", () => {
    assert.deepEqual(decisiveTexts("RISK_SCORE_ABOVE_BLOCK_THRESHOLD", blocked), [
      "The risk score sent was 97; the threshold was 90.",
    ]);
  });
});
