import { randomFillSync } from "node:crypto";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { decide } from "../../../../src/domain/decision/decide.js";
import type { DecideInput } from "../../../../src/domain/decision/decision.js";
import { DecisionPolicy } from "../../../../src/domain/decision/decision-policy.js";
import type { RecordedDecision } from "../../../../src/domain/decision/recorded-decision.js";
import type { Cost } from "../../../../src/domain/decision/response.js";
import { replayDecision } from "../../../../src/domain/decision/replay.js";
import { seenBy } from "../../../../src/domain/decision/seen.js";
import {
  readDocument,
  readHealth,
  writeDocument,
  writeHealth,
} from "../../../../src/path/document/decision-document.js";
import { writeReply } from "../../../../src/path/document/reply.js";
import type { Policy } from "../../../../src/domain/policy/policy.js";
import { createIdGenerator, createRandomSource } from "../../../../src/domain/ids/ids.js";
import { decideInput, healthView, policy, PROVIDER_IDS } from "../../../support/generators/arbitraries.js";

const ids = createIdGenerator(createRandomSource(randomFillSync));
/** An input as a decide worker makes it. Its id has the input's time. */
const liveInput = decideInput.map((input): DecideInput => {
  // The generator never goes back, so each input gets a new generator.
  const id = createIdGenerator(createRandomSource(randomFillSync)).next(input.nowMs);
  return { ...input, decisionId: `dec_${id}` };
});

/** An input of `liveInput`, and the stored form of the policy that decides it. */
const storedInput = fc.tuple(liveInput, fc.option(policy)).map(([input, source]) => ({
  input: {
    ...input,
    context: { ...input.context, policy: source === null ? null : DecisionPolicy.of(source) },
  },
  source,
}));

/** The journal's record of a decision, converted through JSON text. */
function record(input: DecideInput): { recorded: RecordedDecision; group: string } {
  const decision = decide(input);
  const { transaction } = input.request;
  const { payment_method, currency } = transaction;
  const seen = seenBy(input.context, transaction, decision.evaluations, PROVIDER_IDS, "hash");
  const reply = writeReply(decision, 0.25);
  const doc = writeDocument(JSON.stringify(input.request), reply, decision, seen);
  const recorded = readDocument(doc.join(""));
  const group = writeHealth(input.context.health, PROVIDER_IDS, payment_method, currency);
  return { recorded, group };
}

const NO_PRICE = { estimated_cost_minor: null, effective_bps: null };
const costOnReads = (cost: Cost | null): object | null =>
  cost?.pricing_source === "unknown" ? { ...cost, ...NO_PRICE } : cost;

describe("replay: for every decision this version made, identical is true", () => {
  it("COST-19: any policy, request, health, prices and settings, with the policy recompiled from its stored text", () => {
    fc.assert(
      fc.property(storedInput, ({ input: made, source }) => {
        const { recorded, group } = record(made);
        const stored = source === null ? null : (JSON.parse(JSON.stringify(source)) as Policy);
        const replay = replayDecision(recorded, stored, readHealth(recorded.seen.health, group));
        const { cost, economics, policy: decidedBy } = recorded.response;
        const { rule_evaluations, ...rest } = replay;
        assert.deepEqual(rest, {
          decision_id: made.decisionId,
          identical: true,
          differences: [],
          missing: [],
          cost: costOnReads(cost),
          economics,
        });
        const enabled = source?.rules.filter((rule) => rule.enabled) ?? [];
        assert.equal(rule_evaluations?.length, enabled.length);
        assert.deepEqual(
          rule_evaluations.filter(({ matched }) => matched).map(({ name }) => name),
          decidedBy.matched_rules,
        );
        // One of the rule's own conditions stops it, or the rule matches.
        for (const { rule_id, matched, failed_condition } of rule_evaluations) {
          const when = enabled.find((rule) => rule.rule_id === rule_id)?.when ?? {};
          assert.equal(matched, failed_condition === null);
          if (failed_condition !== null) assert.ok(Object.hasOwn(when, failed_condition));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is identical under other health exactly where the decision would have been the same", () => {
    let different = 0;
    fc.assert(
      fc.property(storedInput, healthView, ({ input, source }, health) => {
        const { recorded } = record(input);
        const { payment_method, currency } = input.request.transaction;
        const other = writeHealth(health, PROVIDER_IDS, payment_method, currency);
        const replay = replayDecision(recorded, source, readHealth("other", other));
        const again = record({ ...input, context: { ...input.context, health } }).recorded;
        const same = JSON.stringify({ ...again, seen: null }) === JSON.stringify({ ...recorded, seen: null });
        assert.equal(replay.identical, same);
        assert.equal(replay.differences.length === 0, same);
        if (!same) different++;
      }),
      { numRuns: 300 },
    );
    assert.ok(different > 100, `only ${different} inputs decide differently`);
  });

  it("names the differences, with the recorded and the new values", () => {
    const [{ input, source }] = fc.sample(storedInput, 1) as [{ input: DecideInput; source: Policy | null }];
    const { recorded, group } = record({ ...input, decisionId: `dec_${ids.next(input.nowMs)}` });
    const altered = structuredClone(recorded);
    altered.response.risk.score = recorded.response.risk.score + 1;
    altered.response.reason_codes = [...recorded.response.reason_codes, "EXTRA"];
    altered.provider_health_source = recorded.provider_health_source === "demo" ? "live" : "demo";
    const { identical, differences } = replayDecision(
      altered,
      source,
      readHealth(altered.seen.health, group),
    );
    assert.equal(identical, false);
    assert.deepEqual(differences, [
      { path: "risk.score", recorded: altered.response.risk.score, replayed: recorded.response.risk.score },
      { path: `reason_codes.${recorded.response.reason_codes.length}`, recorded: "EXTRA", replayed: null },
      {
        path: "provider_health_source",
        recorded: altered.provider_health_source,
        replayed: recorded.provider_health_source,
      },
    ]);
  });
});
