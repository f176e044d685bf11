import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  createPolicyValidator,
  type ValidPolicy,
} from "../../../../src/features/policies/wire/policy-validator.js";
import type { DecideInput } from "../../../../src/domain/decision/decision.js";
import { decide } from "../../../../src/domain/decision/decide.js";
import { writeReply } from "../../../../src/path/document/reply.js";
import { DecisionPolicy } from "../../../../src/domain/decision/decision-policy.js";
import { MODES } from "../../../../src/domain/vocabulary/vocabulary.js";
import {
  decisionRequest,
  healthView,
  pricingView,
  PROVIDER_IDS,
} from "../../../support/generators/arbitraries.js";
import {
  nearlyValidWirePolicy,
  SUBMITTED,
  validWirePolicy,
  type WirePolicy,
} from "../../../support/generators/wire-policies.js";

let issued = 0;
const validator = createPolicyValidator({
  providers: PROVIDER_IDS,
  nextId: () => String(issued++).padStart(26, "0"),
});

type Situation = Omit<DecideInput, "context"> & { context: Omit<DecideInput["context"], "policy"> };
/** The situations are the same in every run, and each policy meets a part of them. */
const SITUATIONS: Situation[] = fc.sample(
  fc.record({
    request: decisionRequest,
    context: fc.record({
      health: healthView,
      riskBlockThreshold: fc.integer({ min: 0, max: 100 }),
      normalAmountMaxMinor: fc.constant(null),
      defaultDecisionMode: fc.constantFrom("enforce" as const, "shadow" as const),
      pricing: fc.option(pricingView),
    }),
    mode: fc.constantFrom(...MODES),
    decisionId: fc.constant("dec_01jd4wqk2m0000000000000000"),
    nowMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  }),
  { numRuns: 1000, seed: 5 },
);
const REQUESTS_PER_POLICY = 100;
const VALID_POLICIES = 500;
const NEARLY_VALID_POLICIES = 1500;

/** Decides requests, from `offset` on, by a policy that validation let through. */
function decideBy(source: ValidPolicy, offset: number): number {
  const policy = DecisionPolicy.of({
    policy_id: "pol_01jd4wqk2m0000000000000000",
    name: "Generated",
    status: "published",
    version: "v1",
    updated_at: "2026-11-20T12:00:00.000Z",
    // The policy as it is stored and read back.
    ...(JSON.parse(JSON.stringify(source)) as ValidPolicy),
  });
  for (let i = 0; i < REQUESTS_PER_POLICY; i++) {
    const situation = SITUATIONS[(offset + i) % SITUATIONS.length] as Situation;
    const decision = decide({ ...situation, context: { ...situation.context, policy } });
    JSON.parse(writeReply(decision, 1));
  }
  return REQUESTS_PER_POLICY;
}

let cases = 0;

function holdsFor(source: WirePolicy, offset: number): boolean {
  const judged = validator.validate(source);
  if (!judged.ok) {
    assert.ok(judged.issues.length >= 1 && judged.issues.length <= 20);
    assert.ok(judged.issues.every(({ severity }) => severity === "error"));
    assert.ok(!JSON.stringify(judged.issues).includes(SUBMITTED));
    return false;
  }
  // A normal form is its own normal form: the stored policy is valid again, and means the same.
  assert.deepEqual(validator.validate(judged.policy), judged);
  cases += decideBy(judged.policy, offset);
  return true;
}

const offset = fc.nat({ max: SITUATIONS.length });

describe("a policy that passes validation never makes a decision fail", () => {
  it("valid policies, in every accepted spelling, are let through, compile and decide", () => {
    fc.assert(
      fc.property(validWirePolicy, offset, (source, at) => assert.ok(holdsFor(source, at))),
      { numRuns: VALID_POLICIES },
    );
  });

  it("nearly valid ones are refused without echo, or compile and decide", () => {
    let refused = 0;
    fc.assert(
      fc.property(nearlyValidWirePolicy, offset, (source, at) => {
        if (!holdsFor(source, at)) refused++;
      }),
      { numRuns: NEARLY_VALID_POLICIES },
    );
    assert.ok(refused > NEARLY_VALID_POLICIES / 2, `${refused} refused`);
  });

  it("any JSON at all is judged", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue(), (rules, provider) => {
        validator.validate({ rules, default_provider: provider });
        validator.validate({ rules: [rules, { name: "n", when: rules, then: provider }] });
      }),
      { numRuns: 1000 },
    );
  });

  it("POL-8: all in all 100,000 policies times requests", () => {
    // The refused policies above decided no requests. Here valid ones decide until `cases` reaches its floor.
    fc.assert(
      fc.property(
        validWirePolicy,
        offset,
        (source, at) => cases >= 100_000 || assert.ok(holdsFor(source, at)) === undefined,
      ),
      { numRuns: 1000 },
    );
    assert.ok(cases >= 100_000, String(cases));
  });
});
