import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createPolicyBodyParser,
  type ParsedPolicyRequest,
} from "../../../../src/features/policies/wire/policy-body.js";
import { createPolicyValidator } from "../../../../src/features/policies/wire/policy-validator.js";

const parse = createPolicyBodyParser(
  createPolicyValidator({ providers: ["provider_1"], nextId: () => "01jd4wqk2m0000000000000000" }),
);

const RULE = { name: "rule", when: {}, then: { type: "hold" } };
const BODY = { merchant_id: "shop", name: "Main", rules: [RULE] };

function outcome(parsed: ParsedPolicyRequest): string[] {
  if (parsed.ok) return ["ok"];
  return [parsed.kind, ...parsed.issues.map(({ path, code }) => `${code} ${path}`)];
}

describe("POL-7: Policy 400s", () => {
  const body = (changes: object): string => JSON.stringify({ ...BODY, ...changes });
  const cases: readonly [what: string, text: string, expected: string[]][] = [
    ["a policy", body({}), ["ok"]],
    ["no merchant_id", body({ merchant_id: undefined }), ["invalid", "invalid_type merchant_id"]],
    ["a malformed merchant_id", body({ merchant_id: "a b" }), ["invalid", "invalid_string merchant_id"]],
    ["no name", body({ name: undefined }), ["invalid", "invalid_type name"]],
    ["POL-1: a name of 120 characters", body({ name: "😀".repeat(120) }), ["ok"]],
    ["POL-1: a name of 121 characters", body({ name: "😀".repeat(121) }), ["invalid", "too_big name"]],
    ["a publish that is no flag", body({ publish: "true" }), ["invalid", "invalid_type publish"]],
    ["an unknown field", body({ note: 1 }), ["invalid", "unrecognized_keys note"]],
    [
      "a card number as a field",
      body({ "4111111111111111": 1 }),
      ["invalid", "unrecognized_keys [redacted]"],
    ],
    ["no rules", body({ rules: undefined }), ["policy_invalid", "invalid_type rules"]],
    [
      "an unknown default_provider",
      body({ default_provider: "x" }),
      ["policy_invalid", "invalid_enum_value default_provider"],
    ],
    [
      "a broken rule",
      body({ rules: [{ ...RULE, when: 5 }] }),
      ["policy_invalid", "invalid_type rules.0.when"],
    ],
    [
      "101 rules",
      body({ rules: Array.from({ length: 101 }, () => RULE) }),
      ["policy_invalid", "too_big rules"],
    ],
    ["both kinds: the body comes first", body({ name: 5, rules: 5 }), ["invalid", "invalid_type name"]],
    ["no object", "[]", ["invalid", "invalid_type "]],
    ["null", "null", ["invalid", "invalid_type "]],
    ["no JSON", "{", ["invalid", "invalid_json "]],
    ["a repeated field", `{"name":"a",${body({}).slice(1)}`, ["invalid", "custom name"]],
    ["repeated rules", `{"rules":[],${body({}).slice(1)}`, ["policy_invalid", "custom rules"]],
    [
      "a repeated condition",
      body({}).replace('"when":{}', '"when":{"amount_gte":1,"amount_gte":2}'),
      ["policy_invalid", "custom rules.0.when.amount_gte"],
    ],
    ["U+0000 in the name", body({ name: "a\u0000" }), ["invalid", "invalid_string name"]],
    [
      "U+0000 in a rule's name",
      body({ rules: [{ ...RULE, name: "a\u0000" }] }),
      ["policy_invalid", "invalid_string rules.0.name"],
    ],
    [
      "a lone surrogate in a reason code",
      body({ rules: [{ ...RULE, when: { previous_reason_code_in: ["\ud800"] } }] }),
      ["policy_invalid", "invalid_string rules.0.when.previous_reason_code_in.0"],
    ],
    [
      "__proto__ in the body",
      `{"__proto__":{},${body({}).slice(1)}`,
      ["invalid", "unrecognized_keys __proto__"],
    ],
    [
      "__proto__ in a condition",
      body({}).replace('"when":{}', '"when":{"__proto__":{}}'),
      ["policy_invalid", "unrecognized_keys rules.0.when.__proto__"],
    ],
    [
      "nesting of a million levels",
      `{"rules":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
      ["invalid", "custom "],
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(what, () => assert.deepEqual(outcome(parse(text)), expected));
  }

  it("POL-6: warnings reject only a publish, with severity warning", () => {
    const rules = [{ ...RULE, when: { country_in: [] } }];
    const draft = parse(body({ rules }));
    assert.ok(draft.ok);
    assert.deepEqual([draft.value.publish, draft.value.warnings.length], [false, 1]);
    const publish = parse(body({ rules, publish: true }));
    assert.ok(!publish.ok && publish.kind === "policy_invalid");
    assert.deepEqual(publish.issues, draft.value.warnings);
    assert.ok(publish.issues.every(({ severity }) => severity === "warning"));
    assert.deepEqual(outcome(parse(body({ publish: true }))), ["ok"]);
  });

  it("reports at most 20 issues, and of a body of too many fields only that", () => {
    const fields = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(",");
    assert.equal(outcome(parse(`{${fields(20_000)}}`)).length, 21);
    assert.deepEqual(outcome(parse(`{${fields(20_001)}}`)), ["invalid", "too_big "]);
    // The text is refused before it is parsed, so it need not even be JSON.
    assert.deepEqual(outcome(parse(`{${fields(20_001)}`)), ["invalid", "too_big "]);
    const inWhen = (count: number): string => body({}).replace('"when":{}', `"when":{${fields(count)}}`);
    assert.deepEqual(outcome(parse(inWhen(10_000))), ["policy_invalid", "too_big rules.0.when"]);
    assert.deepEqual(outcome(parse(inWhen(20_000))), ["invalid", "too_big "]);
  });
});
