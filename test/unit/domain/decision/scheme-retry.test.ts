import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RETRY_RULES_VERSION } from "../../../../src/domain/retries/retry-rules.js";
import type { RecoveryRow } from "../../../../src/domain/retries/recovery.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import type { CardNetwork, PreviousOutcome } from "../../../../src/domain/vocabulary/vocabulary.js";
import { A, B, C, decideGiven, type Given, NOW_MS, type RuleSpec, said } from "./situations.js";

/** The amount in the situations of these tests, in minor units. */
const AMOUNT = 10_000;
const HOUR_MS = 3_600_000;
const WITHIN: RuleSpec = { then: { type: "retry_within_scheme_rules" } };
const rule = (then: RuleAction): RuleSpec => ({ then });
/** The order by score is A, B, C. All of them are healthy. */
const DESCENDING = { [A]: { score: 98 }, [B]: { score: 94 }, [C]: { score: 90 } };

interface Attempt {
  network?: CardNetwork | undefined;
  code?: string | undefined;
  outcome?: PreviousOutcome;
  /** The ages of the earlier attempts, in milliseconds. */
  agesMs?: readonly number[];
  recoveries?: readonly RecoveryRow[];
}

/** A decision after a decline at A. The policy's only rule is WITHIN, unless `given` says otherwise. */
function retried(
  { network, code, outcome = "declined", agesMs = [], recoveries = [] }: Attempt,
  given: Given = {},
) {
  return decideGiven({
    rules: [WITHIN],
    healths: DESCENDING,
    transaction: network === undefined ? {} : { card_network: network },
    request: {
      previous_attempt: {
        provider: A,
        outcome,
        ...(code === undefined ? {} : { provider_reason_code: code }),
      },
    },
    input: {
      attempts: {
        timesMs: agesMs.map((ageMs) => NOW_MS - ageMs),
        rulesVersion: RETRY_RULES_VERSION,
        recoveries,
      },
    },
    ...given,
  });
}
const ages = (count: number): number[] => Array<number>(count).fill(1);

const SCHEME_CODES = [
  "RETRY_ALLOWED_BY_SCHEME_RULES",
  "RETRY_FORBIDDEN_BY_SCHEME",
  "RETRY_BUDGET_EXHAUSTED",
  "RETRY_TOO_EARLY",
  "RETRY_GAIN_TOO_LOW",
];
const schemeCodes = (decision: { reasonCodes: readonly string[] }): string[] =>
  decision.reasonCodes.filter((code) => SCHEME_CODES.includes(code));

describe("retry_within_scheme_rules", () => {
  it("ACT-21: allowed is a retry, and the provider that failed is last among equals", () => {
    const decision = retried({ network: "visa", code: "51", agesMs: ages(19) });
    assert.equal(said(decision), `retry ${B}/${C}`);
    assert.equal(decision.reasonCodes[0], "RETRY_ALLOWED_BY_SCHEME_RULES");
  });

  it("ACT-21, ACT-18: where that provider is first all the same, a code says so", () => {
    const decision = retried({ network: "visa", code: "51" }, { offered: [A] });
    assert.equal(said(decision), `retry ${A}/null`);
    assert.deepEqual(decision.reasonCodes.slice(0, 2), [
      "RETRY_ALLOWED_BY_SCHEME_RULES",
      "PREVIOUS_ATTEMPT_FAILED_HERE",
    ]);
  });

  const BLOCKS = [
    ["Visa's category 1", { network: "visa", code: "41" }, "RETRY_FORBIDDEN_BY_SCHEME"],
    ["Mastercard's advice 21", { network: "mastercard", code: "21" }, "RETRY_FORBIDDEN_BY_SCHEME"],
    ["the 21st with Visa", { network: "visa", code: "51", agesMs: ages(20) }, "RETRY_BUDGET_EXHAUSTED"],
    [
      "the 11th with Mastercard",
      { network: "mastercard", code: "02", agesMs: ages(10) },
      "RETRY_BUDGET_EXHAUSTED",
    ],
    ["half the wait", { network: "mastercard", code: "24", agesMs: [HOUR_MS / 2] }, "RETRY_TOO_EARLY"],
  ] as const satisfies readonly [string, Attempt, string][];
  for (const [what, attempt, code] of BLOCKS) {
    it(`ACT-20: ${what} blocks with ${code} and without a route`, () => {
      const decision = retried(attempt);
      assert.equal(said(decision), "block");
      assert.equal(decision.reasonCodes[0], code);
      assert.deepEqual(schemeCodes(decision), [code]);
    });
  }

  describe("RTRY-19: min_expected_gain_minor", () => {
    const gainful = (min_expected_gain_minor: number): RuleSpec =>
      rule({ type: "retry_within_scheme_rules", min_expected_gain_minor });
    const asked = { network: "visa", code: "51", agesMs: [1, 2] } as const;
    const gainOf = (attempt: Attempt, rules: RuleSpec[] = [gainful(0)]) =>
      retried(attempt, { rules }).schemeRetry?.gain ?? assert.fail("no gain");

    it("where nothing is learnt, a retry is as good as a first attempt, at the provider that ranks first", () => {
      const { provider, probability, expectedMinor } = gainOf(asked);
      const decision = retried(asked, { rules: [gainful(0)] });
      const best = decision.evaluations.find((one) => one.provider === B);
      assert.equal(provider, B);
      assert.equal(probability, best?.segment.approvalProbability);
      assert.ok(Math.abs(expectedMinor - probability * AMOUNT * 0.2) < 1e-9);
    });

    it("blocks below the least gain, and allows from it on", () => {
      const least = Math.floor(gainOf(asked).expectedMinor);
      assert.equal(said(retried(asked, { rules: [gainful(least)] })), `retry ${B}/${C}`);
      const blocked = retried(asked, { rules: [gainful(least + 1)] });
      assert.equal(said(blocked), "block");
      assert.deepEqual(blocked.reasonCodes[0], "RETRY_GAIN_TOO_LOW");
    });

    it("earlier results of retries move it, those of the same provider and number most", () => {
      const prior = gainOf(asked).probability;
      const lost = (attempt: number, provider: string): number =>
        gainOf({ ...asked, recoveries: [["51", attempt, provider, 50, 0]] }).probability;
      assert.ok(Math.abs(lost(2, B) - prior / 2) < 1e-9);
      assert.ok(Math.abs(lost(2, A) - prior / 2) < 1e-9, "its parent is all that is known");
      assert.equal(gainOf({ ...asked, recoveries: [["05", 2, B, 50, 0]] }).probability, prior);
      const both = gainOf({
        ...asked,
        recoveries: [
          ["51", 2, A, 50, 50],
          ["51", 2, B, 50, 0],
        ],
      }).probability;
      assert.ok(both < (prior + 1) / 2);
    });

    it("the margin is that of an optimize_for by margin", () => {
      const margin = rule({ type: "optimize_for", mode: "margin", margin_bps: 1000 });
      const [half, whole] = [gainOf(asked, [gainful(0), margin]), gainOf(asked)];
      assert.ok(half.expectedMinor < whole.expectedMinor);
    });

    it("a scheme's block repeats the scheme's verdict, and no gain is computed", () => {
      const forbidden = retried({ network: "visa", code: "41" }, { rules: [gainful(1e9)] });
      assert.deepEqual(
        [forbidden.reasonCodes[0], forbidden.schemeRetry?.gain],
        ["RETRY_FORBIDDEN_BY_SCHEME", null],
      );
    });
  });

  it("RTRY-8: without a known attempt a wait blocks nothing", () => {
    assert.equal(retried({ network: "mastercard", code: "24" }).instruction.action, "retry");
  });

  const NOTHING = [
    ["without a network", { code: "41" }],
    ["without a code", { network: "visa" }],
    ["with a network that has no rules", { network: "amex", code: "41" }],
    ["with another network", { network: "other", code: "41", agesMs: ages(50) }],
  ] as const satisfies readonly [string, Attempt][];
  for (const [what, attempt] of NOTHING) {
    it(`RTRY-12: does nothing ${what}`, () => {
      const decision = retried(attempt);
      assert.equal(said(decision), `route ${B}/${C}`);
      assert.deepEqual(schemeCodes(decision), []);
    });
  }

  it("RTRY-12: does nothing where its rule does not match, or is none", () => {
    const unmatched: RuleSpec = { ...WITHIN, when: { amount_gte: 1_000_000 } };
    for (const rules of [[unmatched], []]) {
      const decision = retried({ network: "visa", code: "41" }, { rules });
      assert.equal(said(decision), `route ${B}/${C}`);
    }
  });

  it("RTRY-12: a first attempt is no retry", () => {
    const decision = decideGiven({ rules: [WITHIN], transaction: { card_network: "visa" } });
    assert.equal(decision.instruction.action, "route");
    assert.equal(decision.schemeRetry, null);
  });

  const OTHER_BLOCKS = [
    ["no_retry", rule({ type: "no_retry", reason_codes: ["41"] }), "RETRY_SUPPRESSED_BY_POLICY"],
    ["block", rule({ type: "block" }), "BLOCKED_BY_POLICY"],
  ] as const;
  for (const [what, other, code] of OTHER_BLOCKS) {
    it(`ACT-20: ${what} wins over it, with its own code alone`, () => {
      const decision = retried({ network: "visa", code: "41" }, { rules: [WITHIN, other] });
      assert.equal(said(decision), "block");
      assert.equal(decision.reasonCodes[0], code);
      assert.deepEqual(schemeCodes(decision), []);
    });
  }

  it("ACT-20: a scheme's block comes before hold and step_up, and its allowance after them", () => {
    for (const type of ["hold", "step_up"] as const) {
      const rules = [WITHIN, rule({ type })];
      assert.equal(retried({ network: "visa", code: "41" }, { rules }).instruction.action, "block");
      const allowed = retried({ network: "visa", code: "51" }, { rules });
      assert.equal(said(allowed), `${type} ${B}/${C}`);
      assert.deepEqual(schemeCodes(allowed), ["RETRY_ALLOWED_BY_SCHEME_RULES"]);
    }
  });

  it("ACT-21: a failover and a default route come before it", () => {
    const timedOut = { network: "visa", code: "51", outcome: "timeout" } as const;
    const failover = retried(timedOut, { healths: { [A]: { state: "degraded", score: 60 } } });
    assert.equal(failover.instruction.action, "failover");
    const down = { state: "unavailable" } as const;
    const none = { healths: { [A]: down, [B]: down, [C]: down }, defaultProvider: B };
    assert.equal(retried(timedOut, none).instruction.action, "use_default_route");
  });

  it("ACT-15: after a timeout retry_on_timeout gives the route, and both codes say why", () => {
    const rules = [rule({ type: "retry_on_timeout", same_provider: true }), WITHIN];
    const decision = retried({ network: "visa", code: "51", outcome: "timeout" }, { rules });
    assert.equal(said(decision), `retry ${A}/${B}`);
    assert.deepEqual(decision.reasonCodes.slice(0, 2), [
      "RETRY_ALLOWED_BY_POLICY",
      "RETRY_ALLOWED_BY_SCHEME_RULES",
    ]);
    const forbidden = retried({ network: "visa", code: "41", outcome: "timeout" }, { rules });
    assert.equal(said(forbidden), "block");
  });

  it("RTRY-11: max_attempts_24h tightens, and of two rules the first one's holds", () => {
    const tight = (max_attempts_24h: number): RuleSpec => ({
      then: { type: "retry_within_scheme_rules", max_attempts_24h },
    });
    const tried = (rules: RuleSpec[], count: number): string =>
      retried({ network: "visa", code: "51", agesMs: ages(count) }, { rules }).instruction.action;
    assert.deepEqual([tried([tight(2)], 1), tried([tight(2)], 2)], ["retry", "block"]);
    assert.deepEqual([tried([tight(3), tight(1)], 2), tried([tight(3), tight(1)], 3)], ["retry", "block"]);
    assert.deepEqual([tried([tight(35)], 19), tried([tight(35)], 20)], ["retry", "block"]);
  });

  it("RTRY-13: attempts that nobody has looked up count as none", () => {
    const decision = retried({ network: "mastercard", code: "24" }, { input: {} });
    assert.equal(decision.instruction.action, "retry");
  });
});
