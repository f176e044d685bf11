import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { conditionsIssues } from "../../../../src/features/policies/wire/policy-condition-rules.js";
import { conditionsSchema } from "../../../../src/features/policies/wire/policy-condition-schema.js";
import { createConditionsCheck } from "../../../../src/features/policies/wire/policy-conditions-validator.js";
import { createValidator } from "../../../../src/platform/wire/body-validator.js";
import { PROVIDER_IDS } from "../../../support/generators/arbitraries.js";
import { nearlyValidWirePolicy } from "../../../support/generators/wire-policies.js";

const inParts = createConditionsCheck(PROVIDER_IDS);
/** The schema compiled as one. Its results must equal those of the check in parts. */
const whole = createValidator<object>(conditionsSchema(PROVIDER_IDS), { isRare: true });

const PATH = "rules.0.when";
let refused = 0;

function assertSameIssues(when: unknown): void {
  // Conditions that nest too deep are refused earlier.
  if (typeof when === "object" && when !== null && conditionsIssues(when, PATH).length > 0) return;
  const expected = whole.check(when, PATH);
  if (!expected.ok) refused++;
  assert.deepEqual(inParts(when, PATH), expected.ok ? [] : expected.issues);
}

const fields = Object.keys((conditionsSchema(PROVIDER_IDS) as { properties: object }).properties);
const oddValue = fc.constantFrom<unknown>(
  0,
  -2,
  1.5,
  1e300,
  "USD",
  "x",
  "",
  [],
  [1, "USD", "USD"],
  ["usd"],
  {},
  null,
  true,
  { provider: 1, x: 2 },
  [{ x: 1 }, 3, { amount_gte: "x" }],
);
const oddFields = fc.dictionary(fc.constantFrom(...fields, "x", "__proto__", "constructor"), oddValue, {
  maxKeys: 40,
});
const anyWhen = fc.oneof(
  oddFields,
  fc.record({
    any_of: fc.array(oddFields, { maxLength: 3 }),
    none_of: fc.array(oddFields, { maxLength: 3 }),
    amount_gte: oddValue,
  }),
  oddValue,
);

describe("COND-1: conditions that are checked field by field", () => {
  it("give the issues of the whole schema, in its order, for odd conditions", () => {
    fc.assert(fc.property(anyWhen, assertSameIssues), { numRuns: 2000 });
    assert.ok(refused > 500, `${refused} refused`);
  });

  it("give the issues of the whole schema for nearly valid policies", () => {
    fc.assert(
      fc.property(nearlyValidWirePolicy, ({ rules }) => {
        for (const rule of Array.isArray(rules) ? (rules as { when?: unknown }[]) : [])
          assertSameIssues(rule?.when ?? null);
      }),
      { numRuns: 500 },
    );
  });
});
