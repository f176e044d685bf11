import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { A, B, C, type Given, decideGiven, said, timeoutAt } from "./situations.js";

const rule = (then: RuleAction) => ({ then });
const BLOCK = rule({ type: "block" });
const HOLD = rule({ type: "hold" });
const STEP_UP = rule({ type: "step_up" });
const RETRY = rule({ type: "retry_on_timeout", same_provider: true });
const NO_RETRY = rule({ type: "no_retry", reason_codes: ["insufficient_funds", "05"] });
const excluding = (...providers: string[]) => rule({ type: "exclude_provider", providers });
const restrictedTo = (...providers: string[]) => rule({ type: "restrict_providers", providers });

const ALL_DOWN = {
  [A]: { state: "critical" },
  [B]: { state: "unavailable" },
  [C]: { state: "critical" },
} as const;
const declinedWith = (code: string) => ({
  previous_attempt: { provider: A, outcome: "declined" as const, provider_reason_code: code },
});

/** The name, the inputs, `action primary/fallback`, and the first reason codes in order. */
type Case = [string, Given, string, string[]];

function cases(table: Case[]): void {
  for (const [name, given, expected, codes] of table) {
    it(name, () => {
      const decision = decideGiven(given);
      assert.equal(said(decision), expected);
      assert.deepEqual(decision.reasonCodes.slice(0, codes.length), codes);
    });
  }
}

describe("RES-4: Instruction behaviours, one at a time", () => {
  cases([
    [
      "ACT-17: route without a policy: best score, then the next",
      { healths: { [C]: { score: 95 } } },
      `route ${C}/${A}`,
      [],
    ],
    ["RES-5: route with one provider has no fallback", { offered: [B] }, `route ${B}/null`, []],
    [
      "ACT-9: use_default_route when every offered provider is ineligible",
      { healths: ALL_DOWN, defaultProvider: "provider_5" },
      "use_default_route provider_5/null",
      ["DEFAULT_ROUTE_APPLIED"],
    ],
    [
      "ACT-6: step_up by a matched rule",
      { rules: [STEP_UP] },
      `step_up ${A}/${B}`,
      ["STEP_UP_REQUIRED_BY_POLICY"],
    ],
    ["ACT-5: hold by a matched rule", { rules: [HOLD] }, `hold ${A}/${B}`, ["HOLD_REQUIRED_BY_POLICY"]],
    [
      "retry by a rule and a timeout",
      { rules: [RETRY], request: timeoutAt(B) },
      `retry ${B}/${A}`,
      ["RETRY_ALLOWED_BY_POLICY"],
    ],
    [
      "failover from a degraded provider",
      { healths: { [A]: { state: "degraded", score: 60 } }, request: timeoutAt(A) },
      `failover ${B}/${C}`,
      ["FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"],
    ],
    ["ACT-2: block by a matched rule", { rules: [BLOCK] }, "block", ["BLOCKED_BY_POLICY"]],
    [
      "ACT-3: block by a risk score above the threshold",
      { transaction: { risk_score: 91 } },
      "block",
      ["RISK_SCORE_ABOVE_BLOCK_THRESHOLD"],
    ],
    [
      "ACT-4: block by retry suppression",
      { rules: [NO_RETRY], request: declinedWith("05") },
      "block",
      ["RETRY_SUPPRESSED_BY_POLICY"],
    ],
  ]);
});

describe("step 1: block", () => {
  cases([
    [
      "ACT-3: a risk score at the threshold routes",
      { transaction: { risk_score: 90 } },
      `route ${A}/${B}`,
      [],
    ],
    [
      "ACT-3: the workspace's own threshold counts",
      { transaction: { risk_score: 51 }, context: { riskBlockThreshold: 50 } },
      "block",
      ["RISK_SCORE_ABOVE_BLOCK_THRESHOLD"],
    ],
    [
      "ACT-19: risk signals alone never change the instruction",
      {
        request: {
          risk_signals: {
            merchant_supplied_risk_score: 100,
            velocity_count_10m: 50,
            device_risk_band: "high",
            ip_country_match: false,
          },
        },
      },
      `route ${A}/${B}`,
      [],
    ],
    [
      "RULE-6: reason codes are compared exactly",
      { rules: [NO_RETRY], request: declinedWith("5") },
      `route ${B}/${C}`,
      [],
    ],
    ["a no_retry rule without a previous attempt does nothing", { rules: [NO_RETRY] }, `route ${A}/${B}`, []],
    [
      "suppression looks at the code, whatever the outcome was",
      {
        rules: [NO_RETRY, RETRY],
        request: {
          previous_attempt: { provider: A, outcome: "timeout", provider_reason_code: "insufficient_funds" },
        },
      },
      "block",
      ["RETRY_SUPPRESSED_BY_POLICY"],
    ],
    [
      "every reason to block is given, in the contract's order",
      { rules: [NO_RETRY, BLOCK], transaction: { risk_score: 100 }, request: declinedWith("05") },
      "block",
      ["BLOCKED_BY_POLICY", "RISK_SCORE_ABOVE_BLOCK_THRESHOLD", "RETRY_SUPPRESSED_BY_POLICY"],
    ],
    [
      "RULE-1: a block rule's own code follows",
      { rules: [rule({ type: "block", reason_code: "EMBARGO" })] },
      "block",
      ["BLOCKED_BY_POLICY", "EMBARGO"],
    ],
  ]);
});

/** Situations in the order of precedence. If two occur at once, the earlier one decides. */
describe("the first that applies, for every pair", () => {
  const timeout = timeoutAt(A);
  const situations: [string, Given][] = [
    ["block", { rules: [BLOCK] }],
    ["hold", { rules: [HOLD] }],
    ["step_up", { rules: [STEP_UP] }],
    ["use_default_route", { rules: [excluding(A, B, C)], defaultProvider: "provider_4" }],
    ["failover", { healths: { [A]: { state: "critical" } }, request: timeout }],
    ["retry", { rules: [RETRY], request: timeout }],
    ["route", {}],
  ];
  situations.forEach(([first, one], i) => {
    for (const [second, two] of situations.slice(i + 1)) {
      it(`ACT-1: ${first} before ${second}`, () => {
        const both = { ...two, ...one, rules: [...(two.rules ?? []), ...(one.rules ?? [])] };
        assert.equal(decideGiven(both).instruction.action, first);
        assert.equal(decideGiven(two).instruction.action, second);
      });
    }
  });
});

describe("steps 2 and 3: a held or stepped-up payment keeps its route", () => {
  for (const [action, pause, code] of [
    ["hold", HOLD, "HOLD_REQUIRED_BY_POLICY"],
    ["step_up", STEP_UP, "STEP_UP_REQUIRED_BY_POLICY"],
  ] as const) {
    cases([
      [
        `ACT-7: ${action}: chosen as in failover`,
        { rules: [pause], healths: { [A]: { state: "degraded" } }, request: timeoutAt(A) },
        `${action} ${B}/${C}`,
        [code, "FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY"],
      ],
      [
        `${action}: chosen as in retry`,
        { rules: [pause, RETRY], request: timeoutAt(C) },
        `${action} ${C}/${A}`,
        [code, "RETRY_ALLOWED_BY_POLICY"],
      ],
      [
        `ACT-7: ${action}: the default provider where none is eligible`,
        { rules: [pause], healths: ALL_DOWN, defaultProvider: "provider_4" },
        `${action} provider_4/null`,
        [code, "DEFAULT_ROUTE_APPLIED"],
      ],
      [
        `${action}: the best of what policy leaves where none is eligible and there is no default`,
        { rules: [pause, excluding(A)], healths: ALL_DOWN },
        `${action} ${B}/null`,
        [code, "NO_HEALTHY_PROVIDER_AVAILABLE"],
      ],
      [
        `${action}: the default provider where policy excluded all`,
        { rules: [pause, excluding(A, B, C)], defaultProvider: A },
        `${action} ${A}/null`,
        [code, "DEFAULT_ROUTE_APPLIED", "POLICY_EXCLUDED_PROVIDER"],
      ],
      [
        `ACT-8: ${action}: block where policy excluded all and there is no default`,
        { rules: [pause, excluding(A, B, C)] },
        "block",
        ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
      ],
    ]);
  }

  cases([
    [
      "ACT-5, ACT-6, RULE-1: hold wins when hold and step_up both match, and both rules' own codes are told",
      {
        rules: [
          rule({ type: "step_up", reason_code: "NEW_DEVICE" }),
          rule({ type: "hold", reason_code: "LARGE_ORDER" }),
        ],
      },
      `hold ${A}/${B}`,
      ["HOLD_REQUIRED_BY_POLICY", "LARGE_ORDER", "NEW_DEVICE"],
    ],
  ]);
});

describe("step 4: no eligible provider", () => {
  cases([
    [
      "ACT-9: the default provider may itself be offered and down",
      { healths: ALL_DOWN, defaultProvider: B },
      `use_default_route ${B}/null`,
      ["DEFAULT_ROUTE_APPLIED"],
    ],
    [
      "a default provider does nothing while one offered is eligible",
      { healths: { ...ALL_DOWN, [C]: { state: "degraded" } }, defaultProvider: "provider_4" },
      `route ${C}/null`,
      [],
    ],
    [
      "ACT-10: without a default: the best score, unavailable or not, with no fallback",
      { healths: ALL_DOWN },
      `route ${A}/null`,
      ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    ],
    [
      "ACT-10: without a default: the best score counts, not the order offered",
      { healths: { ...ALL_DOWN, [B]: { state: "unavailable", approval_rate: 0.95 } } },
      `route ${B}/null`,
      ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    ],
    [
      "ACT-11: a minimum health does not count against the last resort",
      { rules: [rule({ type: "require_min_health", min_score: 99 })] },
      `route ${A}/null`,
      ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    ],
    [
      "ACT-10: an exclusion does",
      { rules: [rule({ type: "require_min_health", min_score: 99 }), excluding(A)] },
      `route ${B}/null`,
      ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    ],
    [
      "ACT-10: so does a restriction",
      { rules: [restrictedTo(C, "provider_5")], healths: ALL_DOWN },
      `route ${C}/null`,
      ["NO_HEALTHY_PROVIDER_AVAILABLE"],
    ],
    [
      "ACT-12: all excluded: block",
      { rules: [excluding(A), excluding(B, C)] },
      "block",
      ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
    ],
    [
      "all outside a restriction: block",
      { rules: [restrictedTo("provider_5")] },
      "block",
      ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
    ],
    [
      "restricted to one that is excluded: block",
      { rules: [restrictedTo(A), excluding(A)] },
      "block",
      ["POLICY_EXCLUDED_PROVIDER", "NO_ELIGIBLE_PROVIDER"],
    ],
    [
      "all excluded with a default: the default, excluded or not",
      { rules: [excluding(A, B, C)], defaultProvider: A },
      `use_default_route ${A}/null`,
      ["DEFAULT_ROUTE_APPLIED"],
    ],
    [
      "a timeout at an unhealthy provider changes nothing here",
      { healths: ALL_DOWN, defaultProvider: C, rules: [RETRY], request: timeoutAt(A) },
      `use_default_route ${C}/null`,
      ["DEFAULT_ROUTE_APPLIED"],
    ],
  ]);
});

describe("ACT-13: step 5: failover", () => {
  for (const [state, expected] of [
    ["healthy", "route"],
    ["watch", "route"],
    ["unknown", "route"],
    ["degraded", "failover"],
    ["critical", "failover"],
    ["unavailable", "failover"],
  ] as const) {
    it(`ACT-13: a timeout at a provider that is ${state} leads to ${expected}`, () => {
      const decision = decideGiven({ healths: { [A]: { state } }, request: timeoutAt(A) });
      assert.equal(decision.instruction.action, expected);
    });
  }

  cases([
    [
      "only after a timeout",
      {
        healths: { [A]: { state: "critical" } },
        request: { previous_attempt: { provider: A, outcome: "error" } },
      },
      `route ${B}/${C}`,
      [],
    ],
    [
      "ACT-14: the failed provider ranks last, however good its score",
      {
        healths: { [A]: { state: "degraded", approval_rate: 1, score: 100, p95_latency_ms: 0 } },
        request: timeoutAt(A),
      },
      `failover ${B}/${C}`,
      [],
    ],
    [
      "ACT-14: and is the fallback where only one other is eligible",
      { offered: [A, B], healths: { [A]: { state: "degraded" } }, request: timeoutAt(A) },
      `failover ${B}/${A}`,
      [],
    ],
    [
      "but not when it is ineligible",
      { offered: [A, B], healths: { [A]: { state: "critical" } }, request: timeoutAt(A) },
      `failover ${B}/null`,
      [],
    ],
    [
      "ACT-13: no other eligible: an ordinary route to it",
      { offered: [A], healths: { [A]: { state: "degraded" } }, request: timeoutAt(A) },
      `route ${A}/null`,
      [],
    ],
    [
      "no other eligible, with a retry rule: retry",
      {
        rules: [RETRY],
        offered: [A, B],
        healths: { [A]: { state: "degraded" }, [B]: { state: "critical" } },
        request: timeoutAt(A),
      },
      `retry ${A}/null`,
      [],
    ],
    [
      "the failed provider's health counts though it is not offered again",
      { offered: [B, C], healths: { [A]: { state: "critical" } }, request: timeoutAt(A) },
      `failover ${B}/${C}`,
      [],
    ],
    [
      "a strict preference ranks the others",
      {
        rules: [rule({ type: "prefer_provider", providers: [A, C], strict: true, boost: 15 })],
        healths: { [A]: { state: "degraded" } },
        request: timeoutAt(A),
      },
      `failover ${C}/${B}`,
      [],
    ],
    [
      "a traffic split's pick that failed ranks last",
      {
        rules: [rule({ type: "split_traffic", weights: { [A]: 100 } })],
        healths: { [A]: { state: "degraded" } },
        request: timeoutAt(A),
      },
      `failover ${B}/${C}`,
      [],
    ],
  ]);
});

describe("ACT-15: step 6: retry", () => {
  const OTHER = rule({ type: "retry_on_timeout", same_provider: false });
  cases([
    [
      "only after a timeout",
      { rules: [RETRY], request: { previous_attempt: { provider: B, outcome: "declined" } } },
      `route ${A}/${C}`,
      [],
    ],
    ["not without a matched rule", { request: timeoutAt(B) }, `route ${A}/${C}`, []],
    [
      "ACT-15: the previous provider where eligible",
      { rules: [RETRY], request: timeoutAt(C) },
      `retry ${C}/${A}`,
      [],
    ],
    [
      "the best where the previous provider is not offered",
      { rules: [RETRY], request: timeoutAt("provider_5") },
      `retry ${A}/${B}`,
      [],
    ],
    [
      "ACT-15: the best where policy excludes the previous provider",
      { rules: [RETRY, excluding(A)], request: timeoutAt(A) },
      `retry ${B}/${C}`,
      [],
    ],
    [
      "ACT-16: same_provider false: the best other",
      { rules: [OTHER], request: timeoutAt(A) },
      `retry ${B}/${C}`,
      [],
    ],
    [
      "same_provider false with two: the previous one is the fallback",
      { rules: [OTHER], offered: [A, B], request: timeoutAt(A) },
      `retry ${B}/${A}`,
      [],
    ],
    [
      "ACT-16: same_provider false: the previous one if alone",
      { rules: [OTHER], offered: [A], request: timeoutAt(A) },
      `retry ${A}/null`,
      [],
    ],
    [
      "same_provider false: the previous one if the others are ineligible",
      { rules: [OTHER, excluding(B, C)], request: timeoutAt(A) },
      `retry ${A}/null`,
      [],
    ],
  ]);
});
