import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { createPolicyValidator } from "../../../../../src/features/policies/wire/policy-validator.js";
import { compilePolicy } from "../../../../../src/domain/policy/compile-policy.js";
import { LIMITS } from "../../../../../src/domain/vocabulary/limits.js";
import { splitSentences } from "../../../../../src/features/policies/translate/words/split-sentences.js";
import {
  type Translation,
  translatePolicy,
} from "../../../../../src/features/policies/translate/translate-policy.js";
import { PROVIDER_IDS } from "../../../../support/generators/arbitraries.js";
import { block, exclude, hold, prefer, restrict, split, stepUp } from "./corpus-sentence.js";
import { CORPUS } from "./corpus.js";
import { anyText } from "../../../../support/generators/text.js";

const translate = (text: string): Translation => translatePolicy(text, PROVIDER_IDS);
const codesOf = ({ warnings }: Translation): [number, string][] =>
  warnings.map(({ sentence_index, code }) => [sentence_index, code]);

describe("translate: sentences", () => {
  for (const [text, sentences] of [
    ["Hold guests. Block NG", ["Hold guests", "Block NG"]],
    ["Hold guests; Block NG;", ["Hold guests", "Block NG"]],
    ["Hold guests\r\nBlock NG\n\n", ["Hold guests", "Block NG"]],
    ["Block over 1.5 USD. Hold guests.", ["Block over 1.5 USD", "Hold guests"]],
    ["Block over 1. 5 USD", ["Block over 1", "5 USD"]],
    ["... ;\n - \n", []],
    ["", []],
  ] as const) {
    it(`TRANS-3: splits ${JSON.stringify(text)} on points that are not between digits, semicolons and newlines`, () => {
      assert.deepEqual(splitSentences(text), sentences);
    });
  }

  it("TRANS-3, TRANS-4: counts sentence_index from 0 and leaves empty pieces out of the count", () => {
    const translation = translate(
      "Hold guests.\n\nSing a song; Block payments over 5. Default to provider_3.",
    );
    assert.deepEqual(codesOf(translation), [
      [1, "not_understood"],
      [2, "amount_without_currency"],
    ]);
    assert.equal(translation.rules.length, 1);
    assert.equal(translation.default_provider, "provider_3");
  });

  it("TRANS-5: makes each of the contract's examples a rule of one text", () => {
    const translation = translate(
      "Block payments over 5000 USD from guests. Prefer provider_1 for visa cards in NG. " +
        "Don't retry on insufficient_funds or do_not_honor. Send 30% to provider_2 and the rest to provider_1. " +
        "Default to provider_3.",
    );
    assert.deepEqual(translation.warnings, []);
    assert.deepEqual(
      translation.rules.map(({ then }) => then.type),
      ["block", "prefer_provider", "no_retry", "split_traffic"],
    );
    assert.equal(translation.default_provider, "provider_3");
  });

  it("names rules after their sentences, shortened, and no two alike", () => {
    const { rules } = translate(
      "block payments over 5000 USD from guests; Block payments over 5000 USD from guests; " +
        `Block payments in ${"NG, ".repeat(40)}KE`,
    );
    assert.equal(rules[0]?.name, "Block over 5000 USD from guests");
    assert.equal(rules[1]?.name, "Block over 5000 USD from guests (2)");
    assert.ok(rules.every(({ name }) => name.length <= 90));
  });

  it("drops a sentence if the next one takes part of it back and is not understood", () => {
    const translation = translate("Block all payments. Except from guests on Tuesdays at noon. Hold guests.");
    assert.deepEqual(codesOf(translation), [
      [0, "changed_by_next"],
      [1, "not_understood"],
    ]);
    assert.deepEqual(
      translation.rules.map(({ then }) => then.type),
      ["hold"],
    );
  });

  it("TRANS-8: reads an otherwise as the opposite of the previous sentence, and of all before it", () => {
    const { rules, warnings } = translate(
      "If the risk score is above 80, block; otherwise hold when above 60. Otherwise step up if the risk score is above 40",
    );
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      rules.map(({ name, when, then }) => [name, when, then.type]),
      [
        ["If risk score is above 80, block", { risk_score_gt: 80 }, "block"],
        ["Otherwise hold when above 60", { risk_score_gt: 60, risk_score_lte: 80 }, "hold"],
        ["Otherwise step up if risk score is above 40", { risk_score_gt: 40, risk_score_lte: 60 }, "step_up"],
      ],
    );
  });

  it("refuses an otherwise with two meanings, and the sentence that it would continue", () => {
    for (const text of [
      "Block guests if the risk score is above 80; otherwise step up",
      "Block guests over 500 USD; otherwise hold them",
      "Exclude provider_1; otherwise hold guests",
      "Sing a song; otherwise hold guests",
    ]) {
      assert.deepEqual([translate(text).rules, translate(text).warnings.length], [[], 2], text);
    }
  });

  it("names each rule of a sentence after its own part", () => {
    const names = (text: string): string[] => translate(text).rules.map(({ name }) => name);
    assert.deepEqual(names("Block payments over $5,000 from guests and hold orders over 100 EUR."), [
      "Block over $5,000 from guests",
      "Hold orders over 100 EUR",
    ]);
    assert.deepEqual(names("For visa cards, prefer provider_1 and exclude provider_3"), [
      "For visa cards, prefer provider_1",
      "For visa cards, exclude provider_3",
    ]);
    assert.deepEqual(
      names("If the country is NG, block guests, otherwise if the country is KE, hold guests"),
      [],
    );
    assert.deepEqual(names("If the country is NG, block, otherwise if the country is KE, hold"), [
      "If country is NG, block",
      "Otherwise if country is KE, hold",
    ]);
  });

  it("TRANS-8: makes no rule of a sentence of which one statement was not understood", () => {
    const { rules, default_provider, warnings } = translate(
      "Block guests over 500 USD, hold strange payments, and default to provider_1",
    );
    assert.deepEqual([rules, default_provider, warnings.length], [[], undefined, 1]);
  });

  it("keeps the first of two default providers and warns of the second", () => {
    const translation = translate("Default to provider_3. Default to provider_2. Default to provider_3");
    assert.equal(translation.default_provider, "provider_3");
    assert.deepEqual(codesOf(translation), [[1, "second_default"]]);
  });
});

describe("translate: amounts are major units, the draft holds minor units by the ISO exponent", () => {
  for (const [amount, minor, currency] of [
    ["5000 USD", 500_000, "USD"],
    ["5,000 USD", 500_000, "USD"],
    ["5,000.5 USD", 500_050, "USD"],
    ["USD 5000", 500_000, "USD"],
    ["5000USD", 500_000, "USD"],
    ["5000 usd", 500_000, "USD"],
    ["5k USD", 500_000, "USD"],
    ["1.5k USD", 150_000, "USD"],
    ["2 million NGN", 200_000_000, "NGN"],
    ["€250", 25_000, "EUR"],
    ["$500", 50_000, "USD"],
    ["500$", 50_000, "USD"],
    ["$1.5k", 150_000, "USD"],
    ["$2M", 200_000_000, "USD"],
    ["5000 dollars", 500_000, "USD"],
    ["5000 US dollars", 500_000, "USD"],
    ["US$500", 50_000, "USD"],
    ["$500 USD", 50_000, "USD"],
    ["USD $500", 50_000, "USD"],
    ["$500 CAD", 50_000, "CAD"],
    ["C$500", 50_000, "CAD"],
    ["CA$500", 50_000, "CAD"],
    ["A$500", 50_000, "AUD"],
    ["500 Canadian dollars", 50_000, "CAD"],
    ["£500", 50_000, "GBP"],
    ["500 pounds", 50_000, "GBP"],
    ["500 pounds sterling", 50_000, "GBP"],
    ["500 euros", 50_000, "EUR"],
    ["₦500", 50_000, "NGN"],
    ["500 naira", 50_000, "NGN"],
    ["₹500", 50_000, "INR"],
    ["500 Indian rupees", 50_000, "INR"],
    ["KSh 500", 50_000, "KES"],
    ["KSh500", 50_000, "KES"],
    ["500 Kenyan shillings", 50_000, "KES"],
    ["R$500", 50_000, "BRL"],
    ["500 reais", 50_000, "BRL"],
    ["500 yen", 500, "JPY"],
    ["¥500 JPY", 500, "JPY"],
    ["¥500 CNY", 50_000, "CNY"],
    ["USD 5,000.50", 500_050, "USD"],
    ["USD5000", 500_000, "USD"],
    ["5000 in USD", 500_000, "USD"],
    ["5000 JPY", 5000, "JPY"],
    ["5.5 KWD", 5500, "KWD"],
    ["1.234 KWD", 1234, "KWD"],
    ["5000 HUF", 500_000, "HUF"],
    ["1.234 IQD", 1234, "IQD"],
    ["VED500", 50_000, "VED"],
    ["90071992547409.91 USD", Number.MAX_SAFE_INTEGER, "USD"],
  ] as const) {
    it(`TRANS-6: reads ${amount} as ${minor}`, () => {
      const { rules, warnings } = translate(`Block payments over ${amount}`);
      assert.deepEqual(warnings, []);
      assert.deepEqual(rules[0]?.when, { amount_gt: minor, currency_in: [currency] });
    });
  }

  for (const [amount, code] of [
    ["5000", "amount_without_currency"],
    ["5k", "amount_without_currency"],
    ["¥5000", "ambiguous_currency"],
    ["5000 rupees", "ambiguous_currency"],
    ["5000 shillings", "ambiguous_currency"],
    ["5000 francs", "ambiguous_currency"],
    ["5000 pesos", "ambiguous_currency"],
    ["$5000 in CAD or $300", "ambiguous_currency"],
    ["$5000 EUR", "not_understood"],
    ["10.5 JPY", "amount_precision"],
    ["10.505 USD", "amount_precision"],
    ["5.000 USD", "amount_precision"],
    ["1.2345 KWD", "amount_precision"],
    ["5,00 USD", "number_out_of_range"],
    ["1,00,000 INR", "number_out_of_range"],
    ["90071992547409.92 USD", "number_out_of_range"],
    ["5000 XYZ", "not_understood"],
    ["-5 USD", "not_understood"],
  ] as const) {
    it(`TRANS-7: answers ${amount} with ${code}, never with a guess`, () => {
      const { rules, warnings } = translate(`Block payments over ${amount}`);
      assert.deepEqual([rules, warnings.map((warning) => warning.code)], [[], [code]]);
    });
  }

  it("TRANS-6, TRANS-7: takes the currency that the same conditions fix, and none that an alternative names", () => {
    const currencies = (text: string): unknown => translate(text).rules[0]?.when ?? null;
    assert.deepEqual(currencies("Block USD payments over 500"), { currency_in: ["USD"], amount_gt: 50_000 });
    assert.equal(currencies("Block USD or EUR payments over 500"), null);
    assert.equal(currencies("Block payments over 500 or in USD"), null);
    assert.equal(currencies("Block payments over 500 not in USD"), null);
  });

  for (const [words, key] of [
    ["over 1 USD", "amount_gt"],
    ["above 1 USD", "amount_gt"],
    ["at least 1 USD", "amount_gte"],
    ["of 1 USD or more", "amount_gte"],
    ["under 1 USD", "amount_lt"],
    ["below 1 USD", "amount_lt"],
    ["up to 1 USD", "amount_lte"],
    ["at most 1 USD", "amount_lte"],
    ["no more than 1 USD", "amount_lte"],
    ["not over 1 USD", "amount_lte"],
  ] as const) {
    it(`reads "${words}" as ${key}`, () => {
      assert.deepEqual(translate(`Block payments ${words}`).rules[0]?.when, {
        [key]: 100,
        currency_in: ["USD"],
      });
    });
  }
});

describe("TRANS-5: translate: ordinary phrasings", () => {
  const over5000 = { amount_gt: 500_000, currency_in: ["USD"] };
  const over1000 = { amount_gt: 100_000, currency_in: ["USD"] };
  for (const [text, when, then] of [
    ["Payments over 5000 USD must be blocked", over5000, block],
    ["All payments over 5000 USD are blocked", over5000, block],
    ["Payments over 5000 USD should be put on hold", over5000, hold],
    ["Guests are held for review", { customer_type_in: ["guest"] }, hold],
    ["Payments over 1000 USD require manual review", over1000, hold],
    ["Require review for payments over 1000 USD", over1000, hold],
    ["New customers need step-up", { customer_type_in: ["new"] }, stepUp],
    ["Require 3-D Secure for guests", { customer_type_in: ["guest"] }, stepUp],
    [
      "Block if the amount is greater than or equal to 5000 USD",
      { amount_gte: 500_000, currency_in: ["USD"] },
      block,
    ],
    ["Hold if the risk score is less than or equal to 5", { risk_score_lte: 5 }, hold],
    ["Hold payments with risk scores over 80", { risk_score_gt: 80 }, hold],
    ["Hold when the computed risk is above 70", { computed_risk_score_gt: 70 }, hold],
    [
      "Require step up for payments over 5000 USD or in NG",
      { any_of: [over5000, { country_in: ["NG"] }] },
      stepUp,
    ],
    [
      "Hold if the risk score is over 80 or more than 5 attempts in the last hour",
      { any_of: [{ risk_score_gt: 80 }, { velocity_count_1h_gt: 5 }] },
      hold,
    ],
    ["Hold orders older than 2 days", { order_age_seconds_gt: 172_800 }, hold],
    ["Hold customers with at least 1 successful payment", { previous_success_count_gte: 1 }, hold],
    ["Block customers with 3 or more declined payments", { previous_decline_count_gte: 3 }, block],
    [
      "Block when the customer attempted more than 1000 USD in the last hour",
      { velocity_amount_1h_gt: 100_000, currency_in: ["USD"] },
      block,
    ],
    [
      "Block when the hourly amount exceeds 1000 USD",
      { velocity_amount_1h_gt: 100_000, currency_in: ["USD"] },
      block,
    ],
    ["Hold when there is an IP country mismatch", { ip_country_match_is: false }, hold],
    [
      "Block when the previous decline code was stolen_card",
      { previous_reason_code_in: ["stolen_card"] },
      block,
    ],
    ["Block currencies other than USD and EUR", { currency_not_in: ["USD", "EUR"] }, block],
    [
      "Exclude provider_2 when degraded or critical",
      { provider_health_state_in: { provider: "provider_2", states: ["degraded", "critical"] } },
      exclude("provider_2"),
    ],
    ["Exclude every provider except provider_1", {}, restrict("provider_1")],
    [
      "Prefer provider_1, followed by provider_2, followed by provider_3",
      {},
      prefer("provider_1", "provider_2", "provider_3"),
    ],
    ["Split traffic: 60% provider_1, 40% provider_2", {}, split({ provider_1: 60, provider_2: 40 })],
    ["Optimize for a balance of cost and approval", {}, { type: "optimize_for", mode: "balanced" }],
  ] as const) {
    it(text, () => {
      const { rules, warnings } = translate(text);
      assert.deepEqual([rules.map((rule) => [rule.when, rule.then]), warnings], [[[when, then]], []]);
    });
  }
});

describe("TRANS-7, TRANS-8: translate: an ambiguous sentence is refused", () => {
  for (const [text, code] of [
    ["If the country is NG, default to provider_3", "not_understood"],
    ["Hold payments from guests but block them over 5000 USD", "not_understood"],
    ["Block them over 5000 USD", "not_understood"],
    ["Block guests, if the risk score is above 80, hold new customers", "not_understood"],
    ["And exclude provider_2", "not_understood"],
    ["Otherwise hold guests", "not_understood"],
    ["Use provider_1 for visa and provider_2", "not_understood"],
    ["Prefer provider_1 for visa and mastercard to provider_2", "not_understood"],
    ["Block payments", "unconditional"],
    ["Hold payments", "unconditional"],
    ["Step up payments", "unconditional"],
    ["Block payments in NG or over 500 USD in KE", "not_understood"],
    [
      "Hold payments if the customer is a guest or the country is NG and the risk score is over 50",
      "not_understood",
    ],
    ["Block payments not from guests and in NG", "not_understood"],
    ["Block payments not from guests or in NG", "not_understood"],
    ["Block payments except from guests in NG", "not_understood"],
    ["Hold payments over 5 USD unless the customer is returning for visa", "not_understood"],
    ["Block payments from guests and from returning customers", "contradiction"],
    ["Block payments over 500 USD and under 100 USD", "contradiction"],
    ["Hold payments if provider_1 or provider_2 is not offered", "not_understood"],
    ["Block payments from us", "not_understood"],
    ["Never block guests", "not_understood"],
    ["Payments over 5000 USD must not be blocked", "not_understood"],
    ["Guests do not need step up", "not_understood"],
    ["Payments must be blocked", "unconditional"],
    ["Hold payments that are blocked", "not_understood"],
    ["Guests or visa are blocked", "not_understood"],
    ["Hold when there is no IP country mismatch", "not_understood"],
    ["Exclude provider_2 and provider_3 when degraded", "not_understood"],
    ["Hold declined payments", "not_understood"],
    ["Don't prefer provider_1", "not_understood"],
    ["Don't retry on timeout", "not_understood"],
    ["Retry on declined", "not_understood"],
    ["Prefer provider_1 over provider_2", "not_understood"],
    ["Send 30% of visa payments to provider_2 and 70% of amex payments to provider_1", "not_understood"],
    ["Split traffic evenly between provider_1, provider_2 and provider_3", "weights_not_100"],
    ["Split payments 60/30 between provider_1 and provider_2", "weights_not_100"],
    ["Cap cost at 150 bps and 2 USD", "amount_without_currency"],
    ["Cap cost at 2", "amount_without_currency"],
    ["Hold payments with a risk score over 120", "number_out_of_range"],
    ["Hold payments after 22:30 UTC", "time_not_whole_hour"],
    ["Hold payments between 9am and 5pm", "time_without_zone"],
    ["Prefer provider 6 for visa", "unknown_provider"],
    [`Block payments in ${"NG, ".repeat(400)}KE`, "too_long"],
  ] as const) {
    it(`${text.slice(0, 80)}: ${code}`, () => {
      const { rules, warnings } = translate(text);
      assert.deepEqual([rules, warnings.map((warning) => warning.code)], [[], [code]]);
    });
  }

  it("distinguishes codes from words: capitals name a country or currency only where one can stand", () => {
    const when = (text: string): unknown => translate(text).rules[0]?.when;
    assert.deepEqual(when("Block ALL payments"), {});
    assert.deepEqual(when("Block payments IN Nigeria"), { country_in: ["NG"] });
    assert.deepEqual(when("Block payments in IN"), { country_in: ["IN"] });
    assert.deepEqual(when("Block payments from NO"), { country_in: ["NO"] });
    assert.deepEqual(when("BLOCK PAYMENTS FROM GUESTS IN NG"), {
      customer_type_in: ["guest"],
      country_in: ["NG"],
    });
  });

  it("reads providers from the list it is given", () => {
    const { rules } = translatePolicy("Prefer acme_pay for visa; Prefer provider_1 for visa", ["acme_pay"]);
    assert.deepEqual(
      rules.map(({ then }) => then),
      [{ type: "prefer_provider", providers: ["acme_pay"], strict: true, boost: 15 }],
    );
  });
});

describe("TRANS-4: translate: limits", () => {
  it("makes no more rules than a policy holds and warns of every sentence past that", () => {
    const count = LIMITS.rulesPerPolicyMax + 3;
    const { rules, warnings } = translate("Hold guests\n".repeat(count));
    assert.equal(rules.length, LIMITS.rulesPerPolicyMax);
    assert.deepEqual(
      warnings.map(({ sentence_index, code }) => [sentence_index, code]),
      [100, 101, 102].map((index) => [index, "too_many_rules"]),
    );
  });

  it("answers 1 MiB of anything with a bounded number of warnings, the last of which says that it stopped", () => {
    for (const piece of ["a.", "Block payments from guests if\n", "block "]) {
      const { rules, warnings } = translate(piece.repeat(LIMITS.largeBodyBytesMax / piece.length));
      assert.deepEqual(rules, []);
      assert.ok(warnings.length <= LIMITS.translateSentencesMax + 1);
      assert.ok(["too_much_text", "too_long"].includes(warnings.at(-1)?.code ?? ""));
    }
  });
});

describe("translate: every result is a policy", () => {
  const words = CORPUS.map(({ text }) => text.split(" "));
  /** The head of one sentence and the tail of another. The result is often nonsense, and sometimes makes new sense. */
  const spliced = fc
    .tuple(fc.constantFrom(...words), fc.nat(20), fc.constantFrom(...words), fc.nat(20))
    .map(([head, headWords, tail, tailFrom]) =>
      [...head.slice(0, headWords), ...tail.slice(tailFrom)].join(" "),
    );

  it("TRANS-4: compiles, and each sentence is a rule, the default provider or a warning", () => {
    fc.assert(
      fc.property(fc.array(spliced, { minLength: 1, maxLength: 4 }), (sentences) => {
        const text = sentences.join("\n");
        const { rules, default_provider, warnings } = translate(text);
        compilePolicy({
          policy_id: "pol_1",
          name: "Translated",
          status: "draft",
          version: "v1",
          updated_at: "2026-01-01T00:00:00.000Z",
          default_provider: default_provider ?? null,
          rules: rules.map((rule, i) => ({ ...rule, rule_id: `rule_${i}`, enabled: true, priority: i * 10 })),
        });
        const warned = new Set(warnings.map(({ sentence_index }) => sentence_index)).size;
        const defaults = default_provider === undefined ? 0 : 1;
        assert.ok(
          rules.length + warned + defaults >= splitSentences(text).length - defaultRepeats(sentences),
        );
        assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
      }),
      { numRuns: 300 },
    );
  });

  it("TRANS-2: passes the strict validation as it is, in normal form, without a warning of its conditions", () => {
    const validator = createPolicyValidator({ providers: PROVIDER_IDS, nextId: () => "0".repeat(26) });
    for (const { text, warning } of CORPUS) {
      if (warning !== undefined) continue;
      const { rules, default_provider } = translate(text);
      const validated = validator.validate({ default_provider: default_provider ?? "provider_1", rules });
      assert.ok(validated.ok, text);
      assert.deepEqual(
        [validated.policy.rules.map(({ name, when, then }) => ({ name, when, then })), validated.warnings],
        [rules, []],
        text,
      );
    }
  });

  it("takes any text at all without an error", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(fc.constantFrom(...words.flat())).map((all) => all.join(" ")),
        ),
        (text) => {
          const { rules, warnings } = translate(text);
          assert.ok(rules.length + warnings.length <= splitSentences(text).length + 1);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Counts the sentences that only repeat the default provider. They need no warning. */
function defaultRepeats(sentences: readonly string[]): number {
  return Math.max(0, sentences.filter((sentence) => /default/i.test(sentence)).length - 1);
}
