import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contentNameOf } from "../../../../src/path/replica/policy-contents.js";
import { compileContent, compilePolicy } from "../../../../src/domain/policy/compile-policy.js";
import { policyContent } from "../../../../src/domain/policy/policy-content.js";
import type { Conditions, Policy, Rule } from "../../../../src/domain/policy/policy.js";
import { facts } from "./facts.js";

const rule = (changes: Partial<Rule> = {}): Rule => ({
  rule_id: "rule_1",
  name: "Large",
  priority: 10,
  enabled: true,
  when: { amount_gte: 1000, currency_in: ["USD", "EUR"] },
  then: { type: "hold", reason_code: "LARGE" },
  ...changes,
});
const policy = (rules: Rule[], changes: Partial<Policy> = {}): Policy => ({
  policy_id: "pol_01jd4wqk2m0000000000000000",
  name: "Ours",
  status: "published",
  version: "v1",
  default_provider: "provider_1",
  rules,
  updated_at: "2026-11-20T12:00:00.000Z",
  ...changes,
});
const textOf = (rules: Rule[], changes: Partial<Policy> = {}): string =>
  policyContent(policy(rules, changes)).text;

describe("a policy's content", () => {
  it("is the same for policies that decide alike with the same words, if anything else differs", () => {
    const text = textOf([rule()]);
    const same: [string, string][] = [
      ["rule ids", textOf([rule({ rule_id: "another" })])],
      ["priorities in the same order", textOf([rule({ priority: 99 })])],
      ["disabled rules", textOf([rule({ name: "off", enabled: false }), rule()])],
      [
        "id, name, version, status and time",
        textOf([rule()], {
          policy_id: "pol_01jd4wqk2m0000000000000001",
          name: "Theirs",
          version: "v9",
          status: "archived",
          updated_at: "2027-01-01T00:00:00.000Z",
        }),
      ],
      ["the order of an action's keys", textOf([rule({ then: { reason_code: "LARGE", type: "hold" } })])],
    ];
    for (const [what, other] of same) assert.equal(other, text, what);
  });

  it("differs where anything differs that a decision or an explanation shows", () => {
    const other = rule({ name: "Other" });
    const texts = [
      textOf([rule()]),
      textOf([rule()], { default_provider: null }),
      textOf([rule({ name: "Small" })]),
      textOf([rule({ then: { type: "hold" } })]),
      textOf([rule({ when: { amount_gte: 1001, currency_in: ["USD", "EUR"] } })]),
      // A rule is stopped by the first key that did not hold, in the order written.
      textOf([rule({ when: { currency_in: ["USD", "EUR"], amount_gte: 1000 } })]),
      textOf([rule(), other]),
      textOf([other, rule()]),
      textOf([rule({ priority: 30 }), other]),
      textOf([]),
    ];
    // The same rules in the same order of evaluation. The order comes once from priorities and once from positions.
    assert.equal(texts[7], texts[8]);
    assert.equal(new Set(texts).size, texts.length - 1);
  });

  it("keeps a rule's id where the id decides which orders are sampled, at any depth", () => {
    const sampled: Conditions[] = [
      { sample_bps_lt: 5000 },
      { any_of: [{ amount_gte: 20_000 }, { sample_bps_lt: 5000 }] },
      { all_of: [{ none_of: [{ sample_bps_lt: 5000 }] }] },
    ];
    for (const when of sampled) {
      const [one, two] = ["rule_1", "rule_2"].map((rule_id) => policy([rule({ rule_id, when })]));
      assert.notEqual(textOf((one as Policy).rules), textOf((two as Policy).rules));
      const matched = [one, two].map((source) =>
        Array.from({ length: 200 }, (_, i) => `order_${i}`).filter(
          (orderId) => compilePolicy(source as Policy).evaluate(facts({ orderId })).matchedRules.length > 0,
        ),
      );
      assert.notDeepEqual(matched[0], matched[1]);
    }
  });

  it("names the ids of the enabled rules in evaluation order", () => {
    const { ruleIds } = policyContent(
      policy([
        rule({ rule_id: "late", priority: 30 }),
        rule({ rule_id: "off", enabled: false }),
        rule({ rule_id: "early", priority: 10 }),
        rule({ rule_id: "early too", priority: 10 }),
      ]),
    );
    assert.deepEqual(ruleIds, ["early", "early too", "late"]);
  });

  it("has a name that a key may hold, another one for another text", () => {
    const [one, two] = [textOf([rule()]), textOf([rule({ name: "Small" })])].map(contentNameOf);
    assert.match(one as string, /^[\w-]{22}$/);
    assert.notEqual(one, two);
    assert.equal(contentNameOf(textOf([rule({ rule_id: "another" })])), one);
  });

  it("is not compiled if validation let an invalid condition through by mistake", () => {
    const mistaken = rule({ when: { unheard_of: 1 } as Conditions });
    assert.throws(() => compileContent(textOf([mistaken])), RangeError);
  });
});
