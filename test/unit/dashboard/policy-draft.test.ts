import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { createPolicyValidator } from "../../../src/features/policies/wire/policy-validator.js";
import { firstAction } from "../../../src/dashboard/pages/policies/rules/actions.js";
import {
  conditionKey,
  firstValue,
  isGroup,
  operatorsOf,
} from "../../../src/dashboard/pages/policies/rules/conditions.js";
import {
  addRules,
  draftOf,
  draftText,
  duplicateRule,
  EMPTY_DRAFT,
  isOutOfOrder,
  moveRule,
  newRule,
  removeRule,
  ruleEdit,
  sortRules,
  toWire,
  type RuleEdit,
} from "../../../src/dashboard/pages/policies/draft/draft.js";
import { parseDraft } from "../../../src/dashboard/pages/policies/draft/draft-text.js";
import { policyDiff } from "../../../src/dashboard/pages/policies/versions/policy-diff.js";
import { conditionsSchema } from "../../../src/features/policies/wire/policy-condition-schema.js";
import { ACTION_ROWS, ACTION_TYPES } from "../../../src/domain/policy/action-rows.js";
import { CONDITION_FIELD_NAMES } from "../../../src/domain/policy/condition-vocabulary.js";
import { compilePolicy } from "../../../src/domain/policy/compile-policy.js";
import { inEvaluationOrder } from "../../../src/domain/policy/normal-form.js";
import type { Policy } from "../../../src/domain/policy/policy.js";
import { PROVIDER_IDS } from "../../support/generators/arbitraries.js";
import { facts } from "../domain/policy/facts.js";
import { validWirePolicy } from "../../support/generators/wire-policies.js";

let ids = 0;
const validator = createPolicyValidator({ providers: PROVIDER_IDS, nextId: () => `new-${ids++}` });

/** The policy as the service would store it. */
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

describe("form and JSON edit one draft", () => {
  it("a stored policy comes out of the editor as it went in, in the order of evaluation", () => {
    fc.assert(
      fc.property(policy, (source) => {
        const wire = toWire(draftOf(source));
        const rules = source.rules.toSorted((a, b) => a.priority - b.priority);
        assert.deepEqual(wire.rules, rules);
        assert.equal(wire.default_provider ?? null, source.default_provider);
        assert.ok(validator.validate(wire).ok);
      }),
    );
  });

  it("its JSON means the same draft", () => {
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
          assert.ok(then.type in ACTION_ROWS, then.type);
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
    it(`explains the error in ${JSON.stringify(text)}`, () => {
      const parsed = parseDraft(text, EMPTY_DRAFT);
      assert.ok(!parsed.ok);
      assert.match(parsed.message, message);
    });
  }
});

/** Rules, some with a priority and some without. */
const mixedRules = fc
  .array(fc.option(fc.integer({ min: -20, max: 90 }), { nil: undefined }), { maxLength: 8 })
  .map((priorities) =>
    priorities.map((priority, index) =>
      ruleEdit({
        rule_id: `rule-${index}`,
        name: `rule ${index}`,
        ...(priority === undefined ? {} : { priority }),
        when: {},
        then: { type: "hold" },
      }),
    ),
  );

/** Names in the order in which the service evaluates the rules once the draft is stored. */
function evaluated(rules: readonly RuleEdit[]): string[] {
  const policy = stored({ rules: toWire({ ...EMPTY_DRAFT, rules }).rules });
  return compilePolicy(policy)
    .explain(facts())
    .map(({ name }) => name);
}
const namesOf = (rules: readonly RuleEdit[]): string[] => rules.map(({ name }) => name);

describe("DASH-2: the page orders rules as the service does, with any priorities", () => {
  it("a priority beside a missing one is compared with ten times the position counted from 1", () => {
    const rules = [15, undefined].map((priority, index) =>
      ruleEdit({
        name: `rule ${index}`,
        ...(priority === undefined ? {} : { priority }),
        when: {},
        then: { type: "hold" },
      }),
    );
    assert.deepEqual(evaluated(rules), ["rule 0", "rule 1"]);
    assert.equal(isOutOfOrder(rules), false);
    const added = addRules(rules, [newRule()]);
    assert.deepEqual(evaluated(added), ["rule 0", "rule 1", "New rule"]);
    assert.deepEqual(added.slice(0, 2), rules, "the others keep their priorities");
  });

  it("shows the order of evaluation, and says where the list has another one", () => {
    fc.assert(
      fc.property(mixedRules, (rules) => {
        assert.deepEqual(namesOf(inEvaluationOrder(rules)), evaluated(rules));
        assert.equal(isOutOfOrder(rules), evaluated(rules).join() !== namesOf(rules).join());
      }),
    );
  });

  it("the list is the order of evaluation after adding, moving, duplicating, removing and sorting", () => {
    fc.assert(
      fc.property(mixedRules, fc.nat({ max: 8 }), fc.constantFrom(-1, 1), (rules, index, places) => {
        const before = evaluated(rules);
        const name = rules[index]?.name ?? "";
        const copy = `${name} (copy)`;
        const from = before.indexOf(name);
        const others = before.filter((other) => other !== name);
        const mayMove = from !== -1 && from + places >= 0 && from + places < before.length;
        const edits: [changed: RuleEdit[], expected: string[]][] = [
          [addRules(rules, [newRule()]), [...before, "New rule"]],
          [removeRule(rules, index), others],
          [sortRules(rules), before],
        ];
        if (mayMove) edits.push([moveRule(rules, index, places), others.toSpliced(from + places, 0, name)]);
        if (from !== -1) edits.push([duplicateRule(rules, index), before.toSpliced(from + 1, 0, copy)]);
        for (const [changed, expected] of edits) {
          assert.deepEqual(namesOf(changed), expected);
          assert.deepEqual(evaluated(changed), expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("any stored policy keeps its order through every edit, and stays one that the service takes", () => {
    fc.assert(
      fc.property(policy, fc.nat({ max: 5 }), fc.constantFrom(-1, 1), (source, index, places) => {
        const { rules } = draftOf(source);
        for (const changed of [moveRule(rules, index, places), duplicateRule(rules, index)]) {
          assert.deepEqual(inEvaluationOrder(changed), changed);
          assert.ok(validator.validate({ rules: toWire({ ...EMPTY_DRAFT, rules: changed }).rules }).ok);
        }
      }),
    );
  });
});

describe("the form is driven by the vocabulary", () => {
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

  for (const type of ACTION_TYPES) {
    it(`begins ${type} with nothing unknown or of the wrong type`, () => {
      const judged = validator.validate({ rules: [{ name: "r", when: {}, then: firstAction(type) }] });
      const codes = judged.ok ? [] : judged.issues.map(({ code }) => code);
      for (const code of codes) assert.ok(["too_small", "custom"].includes(code), code);
    });
  }
});

describe("a publish shows the diff to the live policy", () => {
  it("a policy differs from itself in nothing", () => {
    fc.assert(
      fc.property(policy, (source) => {
        const diff = policyDiff(draftOf(source), draftOf(source));
        assert.deepEqual(diff, { defaultProvider: null, rules: [], unchangedRules: source.rules.length });
      }),
    );
  });

  it("names the added, removed, changed and moved rules", () => {
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
