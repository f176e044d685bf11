import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  addRules,
  moveRule,
  newKey,
  removeRule,
  ruleEdit,
  type Draft,
  type RuleEdit,
} from "../../../src/dashboard/pages/policies/draft/draft.js";
import { policyDiff } from "../../../src/dashboard/pages/policies/versions/policy-diff.js";
import { mergeDrafts } from "../../../src/dashboard/pages/policies/versions/policy-merge.js";
import { inEvaluationOrder } from "../../../src/domain/policy/normal-form.js";

function rule(id: string, changes: Partial<RuleEdit> = {}): RuleEdit {
  const when = { amount_gte: 1000, currency_in: ["USD"] };
  const edit = ruleEdit({ rule_id: id, name: id, when, then: { type: "hold" } });
  return { ...edit, ...changes };
}
function draft(rules: readonly RuleEdit[], defaultProvider: string | null = null): Draft {
  return { name: "P", defaultProvider, rules };
}
const BASE = draft([rule("a"), rule("b"), rule("c")]);
const namesOf = ({ rules }: Draft): string[] => rules.map(({ name }) => name);
/** The draft as a colleague's page has it, with other keys and the same rules. */
const stored = ({ name, defaultProvider, rules }: Draft): Draft => ({
  name,
  defaultProvider,
  rules: rules.map((one) => ({ ...one, key: newKey() })),
});
const without = (id: string): Draft => draft(BASE.rules.filter(({ ruleId }) => ruleId !== id));
const with_ = (id: string, changes: Partial<RuleEdit>): Draft =>
  draft(BASE.rules.map((one) => (one.ruleId === id ? { ...one, ...changes } : one)));

describe("DASH-4: your changes are merged onto the version that went live meanwhile", () => {
  const disjoint: [what: string, theirs: Draft, mine: Draft, expected: string[]][] = [
    ["a rule they removed stays removed", without("b"), with_("a", { enabled: false }), ["a", "c"]],
    ["a rule you removed stays removed", with_("a", { enabled: false }), without("b"), ["a", "c"]],
    [
      "a rule of each is added where it was",
      draft(addRules(BASE.rules, [rule("theirs")])),
      draft([rule("mine"), ...BASE.rules]),
      ["mine", "a", "b", "c", "theirs"],
    ],
    [
      "your order, with the rule that they added behind the one it stood behind",
      draft([rule("a"), rule("theirs"), rule("b"), rule("c")]),
      draft(moveRule(BASE.rules, 2, -1)),
      ["a", "theirs", "c", "b"],
    ],
    ["their order", draft(moveRule(BASE.rules, 0, 1)), without("c"), ["b", "a"]],
  ];
  for (const [what, theirs, mine, expected] of disjoint) {
    it(what, () => {
      const merge = mergeDrafts(BASE, stored(theirs), mine);
      assert.deepEqual(namesOf(merge.draft), expected);
      assert.deepEqual(merge.clashes, []);
    });
  }

  it("two fields of one rule may be changed by two people", () => {
    const merge = mergeDrafts(BASE, stored(with_("a", { enabled: false })), with_("a", { name: "A" }));
    assert.deepEqual(merge.clashes, []);
    const [first] = merge.draft.rules;
    assert.deepEqual([first?.enabled, first?.name, first?.ruleId], [false, "A", "a"]);
  });

  const block = { type: "block" };
  const clashes: [what: string, theirs: Draft, mine: Draft, told: RegExp, expected: string[]][] = [
    [
      "the same field",
      with_("a", { then: { type: "step_up" } }),
      with_("a", { then: block }),
      /^Both changed the action of “\u2068a\u2069”/,
      ["a", "b", "c"],
    ],
    [
      "removed there, changed here",
      without("a"),
      with_("a", { then: block }),
      /^“\u2068a\u2069” was removed there/,
      ["a", "b", "c"],
    ],
    [
      "changed there, removed here",
      with_("a", { then: block }),
      without("a"),
      /^“\u2068a\u2069” was changed there/,
      ["a", "b", "c"],
    ],
    [
      "one rule_id added twice",
      draft([...BASE.rules, rule("x", { then: block })]),
      draft([...BASE.rules, rule("x")]),
      /^“\u2068x\u2069” was added there and by you/,
      ["a", "b", "c", "x"],
    ],
    [
      "the default provider",
      draft(BASE.rules, "provider_1"),
      draft(BASE.rules, "provider_2"),
      /^Both changed the default provider/,
      ["a", "b", "c"],
    ],
    [
      "the order",
      draft(moveRule(BASE.rules, 0, 1)),
      draft(moveRule(BASE.rules, 2, -1)),
      /^Both put the rules in another order/,
      ["a", "c", "b"],
    ],
  ];
  for (const [what, theirs, mine, told, expected] of clashes) {
    it(`reports the changes of both sides: ${what}`, () => {
      const merge = mergeDrafts(BASE, stored(theirs), mine);
      assert.equal(merge.clashes.length, 1, merge.clashes.join());
      assert.match(merge.clashes[0] ?? "", told);
      assert.deepEqual(namesOf(merge.draft), expected);
      if (mine.rules.length === BASE.rules.length)
        assert.deepEqual(merge.draft.rules[0]?.then, mine.rules[0]?.then, "yours is kept");
    });
  }

  it("the same change by both is no clash, however its options are written", () => {
    const theirs = with_("a", { then: { type: "retry_on_timeout", same_provider: true } });
    const mine = with_("a", { then: { type: "retry_on_timeout" } });
    assert.deepEqual(mergeDrafts(BASE, stored(theirs), mine).clashes, []);
  });

  /** Something a person does in the editor. */
  const step = fc.tuple(fc.constantFrom("add", "remove", "move", "switch", "provider"), fc.nat({ max: 5 }));
  const edits = fc.array(step, { maxLength: 5 }).map((steps) => {
    let { rules, defaultProvider } = BASE;
    for (const [done, [what, at]] of steps.entries()) {
      const target = rules[at];
      if (what === "provider") defaultProvider = `provider_${at}`;
      else if (what === "add") rules = addRules(rules, [rule(`added_${done}_${at}`)]);
      else if (what === "remove") rules = removeRule(rules, at);
      else if (what === "move") rules = moveRule(rules, at, 1);
      else if (target !== undefined) rules = rules.with(at, { ...target, enabled: !target.enabled });
    }
    return draft(rules, defaultProvider);
  });
  const isSame = (a: Draft, b: Draft): boolean => {
    const { defaultProvider, rules } = policyDiff(a, b);
    return defaultProvider === null && rules.length === 0;
  };

  it("is the other side where one side changed nothing, and either where both did the same", () => {
    fc.assert(
      fc.property(edits, (edited) => {
        for (const [theirs, mine] of [
          [BASE, edited],
          [edited, BASE],
          [edited, edited],
        ] as const) {
          const merge = mergeDrafts(BASE, stored(theirs), mine);
          assert.deepEqual(merge.clashes, []);
          assert.ok(isSame(merge.draft, edited));
        }
      }),
    );
  });

  it("without a clash each side's rules and removals are in it, once, in the order of evaluation", () => {
    fc.assert(
      fc.property(edits, edits, (theirs, mine) => {
        const { draft: merged, clashes } = mergeDrafts(BASE, stored(theirs), mine);
        assert.deepEqual(inEvaluationOrder(merged.rules), merged.rules);
        const ids = merged.rules.map(({ ruleId }) => ruleId);
        assert.equal(new Set(ids).size, ids.length);
        const kept = (id: string): boolean =>
          [BASE, theirs, mine].every(({ rules }) => rules.some(({ ruleId }) => ruleId === id)) ||
          (!BASE.rules.some(({ ruleId }) => ruleId === id) &&
            [theirs, mine].some(({ rules }) => rules.some(({ ruleId }) => ruleId === id)));
        const all = [...BASE.rules, ...theirs.rules, ...mine.rules].map(({ ruleId = "" }) => ruleId);
        const expected = new Set(all.filter(kept));
        if (clashes.length === 0) assert.deepEqual(new Set(ids), expected);
        else for (const id of expected) assert.ok(ids.includes(id));
      }),
    );
  });
});
