import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { createPolicyValidator } from "../../../src/api/policy-validator.js";
import { ACTION_FORMS, firstAction } from "../../../src/dashboard/pages/policies/actions.js";
import {
  conditionKey,
  firstValue,
  isGroup,
  operatorsOf,
} from "../../../src/dashboard/pages/policies/conditions.js";
import {
  draftOf,
  draftText,
  duplicateRule,
  EMPTY_DRAFT,
  inEvaluationOrder,
  moveRule,
  toWire,
} from "../../../src/dashboard/pages/policies/draft.js";
import { parseDraft } from "../../../src/dashboard/pages/policies/draft-text.js";
import { policyDiff } from "../../../src/dashboard/pages/policies/policy-diff.js";
import { conditionsSchema } from "../../../src/api/policy-condition-schema.js";
import { CONDITION_FIELD_NAMES } from "../../../src/shared/condition-vocabulary.js";
import type { Policy } from "../../../src/policy/policy.js";
import { PROVIDER_IDS } from "../../support/arbitraries.js";
import { validWirePolicy } from "../../support/wire-policies.js";

let ids = 0;
const validator = createPolicyValidator({ providers: PROVIDER_IDS, nextId: () => `new-${ids++}` });

/** Stored as the service stores it. */
function stored(source: { default_provider?: unknown; rules?: unknown }): Policy {
  const judged = validator.validate(JSON.parse(JSON.stringify(source)) as typeof source);
  assert.ok(judged.ok, JSON.stringify(judged));
  return {
    policy_id: "pol_1",
    name: "P",
    status: "draft",
    version: "v1",
    updated_at: "2026-01-01T00:00:00.000Z",
    ...judged.policy,
  };
}
const policy = validWirePolicy.map(stored);

describe("issue: form and JSON edit one draft", () => {
  it("a stored policy comes out of the editor as it went in, in the order of evaluation", () => {
    fc.assert(
      fc.property(policy, (source) => {
        const wire = toWire(draftOf(source));
        const rules = source.rules.toSorted((a, b) => a.priority - b.priority);
        assert.deepEqual(wire.rules, rules);
        assert.equal(wire.default_provider, source.default_provider);
        assert.ok(validator.validate(wire).ok);
      }),
    );
  });

  it("its JSON stands for the same draft", () => {
    fc.assert(
      fc.property(policy, (source) => {
        const draft = draftOf(source);
        const parsed = parseDraft(draftText(draft), draft);
        assert.ok(parsed.ok);
        assert.deepEqual(parsed.draft, draft);
      }),
    );
  });

  it("every accepted spelling of a policy is one that the form can show", () => {
    fc.assert(
      fc.property(validWirePolicy, (wire) => {
        const parsed = parseDraft(JSON.stringify(wire), EMPTY_DRAFT);
        assert.ok(parsed.ok);
        for (const { then, when } of parsed.draft.rules) {
          assert.ok(then.type in ACTION_FORMS, then.type);
          for (const key of Object.keys(when)) assert.ok(isGroup(key) || conditionKey(key), key);
        }
        assert.ok(validator.validate(toWire(parsed.draft)).ok);
      }),
    );
  });

  const broken = [
    ["{\n  nonsense", /line 2/],
    ["[]", /is an object/],
    ['{"rules":5}', /rules: a list/],
    ['{"rules":[],"merchant_id":"m"}', /merchant_id is not a field/],
    ['{"rules":[{"name":"x","when":{},"then":{}}]}', /rules\.0\.then/],
    ['{"rules":[{"name":"x","when":[],"then":{"type":"block"}}]}', /rules\.0\.when/],
  ] as const;
  for (const [text, message] of broken) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      const parsed = parseDraft(text, EMPTY_DRAFT);
      assert.ok(!parsed.ok);
      assert.match(parsed.message, message);
    });
  }

  it("moving and duplicating a rule makes the list's order the order of evaluation", () => {
    fc.assert(
      fc.property(policy, fc.nat({ max: 5 }), fc.nat({ max: 5 }), (source, from, to) => {
        const { rules } = draftOf(source);
        for (const changed of [moveRule(rules, from, to), duplicateRule(rules, from)]) {
          assert.deepEqual(inEvaluationOrder(changed), changed);
          assert.ok(validator.validate({ rules: toWire({ ...EMPTY_DRAFT, rules: changed }).rules }).ok);
        }
      }),
    );
  });
});

describe("issue: the form is driven by the vocabulary", () => {
  it("knows exactly the conditions that the service's schema takes", () => {
    const { properties } = conditionsSchema(PROVIDER_IDS) as { properties: object };
    const known = CONDITION_FIELD_NAMES.flatMap((field) =>
      operatorsOf(field).map((operator) => `${field}_${operator}`),
    );
    assert.deepEqual(
      Object.keys(properties)
        .filter((key) => !isGroup(key))
        .toSorted(),
      known.toSorted(),
    );
  });

  for (const field of CONDITION_FIELD_NAMES.filter((name) => name !== "provider_health_state")) {
    it(`begins a condition on ${field} with a value the service takes`, () => {
      for (const operator of operatorsOf(field)) {
        const when = { [`${field}_${operator}`]: firstValue(field) };
        const judged = validator.validate({ rules: [{ name: "r", when, then: { type: "block" } }] });
        assert.ok(judged.ok, JSON.stringify(judged));
      }
    });
  }

  for (const type of Object.keys(ACTION_FORMS)) {
    it(`begins ${type} with nothing unknown or of the wrong type`, () => {
      const judged = validator.validate({ rules: [{ name: "r", when: {}, then: firstAction(type) }] });
      const codes = judged.ok ? [] : judged.issues.map(({ code }) => code);
      for (const code of codes) assert.ok(["too_small", "custom"].includes(code), code);
    });
  }
});

describe("issue: a publish shows the diff to the live policy", () => {
  it("a policy differs from itself in nothing", () => {
    fc.assert(
      fc.property(policy, (source) => {
        const diff = policyDiff(draftOf(source), draftOf(source));
        assert.deepEqual(diff, { defaultProvider: null, rules: [], unchangedRules: source.rules.length });
      }),
    );
  });

  it("names what was added, removed, changed and moved", () => {
    const rule = (rule_id: string, amount: number) => ({
      rule_id,
      name: rule_id,
      when: { amount_gte: amount, currency_in: ["USD"] },
      then: { type: "hold" },
    });
    const before = draftOf(stored({ rules: [rule("a", 1), rule("b", 2), rule("c", 3)] }));
    const after = draftOf(
      stored({ default_provider: PROVIDER_IDS[0], rules: [rule("d", 4), rule("c", 3), rule("a", 5)] }),
    );
    const { defaultProvider, rules, unchangedRules } = policyDiff(before, after);
    assert.deepEqual(defaultProvider, { before: null, after: PROVIDER_IDS[0] });
    assert.equal(unchangedRules, 0);
    const told = rules.map((change) => [
      change.kind,
      change.name,
      change.kind === "changed" ? change.changes.map(({ field }) => field) : [],
    ]);
    assert.deepEqual(told, [
      ["added", "d", []],
      ["changed", "c", ["position"]],
      ["changed", "a", ["position", "when"]],
      ["removed", "b", []],
    ]);
  });

  it("is all new where nothing is live", () => {
    const after = draftOf(stored({ rules: [{ name: "r", when: {}, then: { type: "block" } }] }));
    assert.deepEqual(
      policyDiff(null, after).rules.map(({ kind }) => kind),
      ["added"],
    );
  });
});
