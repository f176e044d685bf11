import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { decide } from "../../../../src/domain/decision/decide.js";
import type { DecideInput } from "../../../../src/domain/decision/decision.js";
import { toEvaluationBodies } from "../../../../src/domain/decision/evaluation-bodies.js";
import { toResponse } from "../../../../src/domain/decision/response.js";
import { seenBy } from "../../../../src/domain/decision/seen.js";
import { LIST_PRICE_VIEW } from "../../../../src/domain/pricing/merchant-pricing.js";
import {
  readDocument,
  readReasonCodes,
  writeDocument,
  writeHealth,
  writeSeen,
  readEvaluations,
  writeEvaluations,
  type StoredEvaluation,
} from "../../../../src/path/document/decision-document.js";
import { writeReply } from "../../../../src/path/document/reply.js";
import { decideInput } from "../../../support/generators/arbitraries.js";
import {
  A,
  B,
  contractPrices,
  decideGiven,
  health,
  inputOf,
  type Given,
} from "../../domain/decision/situations.js";

/** Makes a decision on `input`. Returns it with the values of its document, and the document. */
function documentOf(input: DecideInput) {
  const { request, context } = input;
  const decision = decide(input);
  const { evaluations } = decision;
  const seen = seenBy(context, request.transaction, evaluations, [A, B], "AAAA");
  const reply = writeReply(decision, 1.25);
  const values = {
    request,
    response: toResponse(decision, 1.25),
    evaluations: toEvaluationBodies(evaluations),
    provider_health_source: decision.providerHealthSource,
    seen,
  };
  return { values, text: writeDocument(JSON.stringify(request), reply, decision, seen).join("") };
}

/** The part of a document after its response. */
function storedBehindResponse(given: Given): string {
  const { text } = documentOf(inputOf({ offered: [A, B], ...given }));
  return text.slice(text.indexOf(',"evaluations":'));
}

describe("the document of a decision", () => {
  it("LOG-14: is read as the values it was written from, for any decision", () => {
    fc.assert(
      fc.property(decideInput, (input) => {
        const { values, text } = documentOf(input);
        // JSON has no -0, and omits undefined.
        assert.deepEqual(readDocument(text), JSON.parse(JSON.stringify(values)));
        assert.deepEqual(JSON.parse(readReasonCodes(text)), values.response.reason_codes);
        assert.equal(writeSeen(values.seen), JSON.stringify(values.seen));
      }),
      { numRuns: 1000 },
    );
  });

  it("has the bytes of the first build that stored it, without prices", () =>
    assert.equal(
      storedBehindResponse({}),
      ',"evaluations":[["provider_1",88.5,90,0,null,45,31.5,12,0,0,0],["provider_2",88.5,90,0,null,45,31.5,12,0,0,0]],"provider_health_source":"probe","seen":{"risk_block_threshold":90,"normal_amount_max_minor":null,"default_decision_mode":"enforce","pricing":null,"health":"AAAA"}}',
    ));

  it("has them where a provider is preferred and another is excluded, by list prices", () =>
    assert.equal(
      storedBehindResponse({
        healths: { [B]: { state: "critical", score: 31, source: "live" } },
        rules: [{ then: { type: "prefer_provider", providers: [A], strict: false, boost: 7 } }],
        pricing: LIST_PRICE_VIEW,
        context: { normalAmountMaxMinor: 5000, defaultDecisionMode: "shadow" },
      }),
      ',"evaluations":[["provider_1",95.5,90,0,null,45,31.5,12,0,0,7],["provider_2",59,31,3,"HEALTH_CRITICAL",15.5,31.5,12,0,0,0]],"provider_health_source":"probe","seen":{"risk_block_threshold":90,"normal_amount_max_minor":5000,"default_decision_mode":"shadow","pricing":"list_prices_1","health":"AAAA"}}',
    ));

  it("has them where a max_cost was compared with one provider's price, and not with another's", () =>
    assert.equal(
      storedBehindResponse({
        rules: [{ then: { type: "max_cost", max_cost_minor: 200 } }],
        pricing: contractPrices({ [A]: 333 }),
      }),
      ',"evaluations":[["provider_1",88.5,90,0,"COST_ABOVE_POLICY_LIMIT",45,31.5,12,0,0,0,[333,333.00000000000006,"merchant_contract",0.9,true]],["provider_2",88.5,90,0,null,45,31.5,12,0,0,0,[0,0,"unknown",0.9,false]]],"provider_health_source":"probe","seen":{"risk_block_threshold":90,"normal_amount_max_minor":null,"default_decision_mode":"enforce","pricing":{"version":"1.0","resolved":true,"quotes":{"provider_1":{"estimated_cost_minor":333,"effective_bps":333.00000000000006,"pricing_source":"merchant_contract","confidence_score":100,"reason_codes":["MERCHANT_CONTRACT_PRICING_USED"]},"provider_2":{"estimated_cost_minor":0,"effective_bps":0,"pricing_source":"unknown","confidence_score":0,"reason_codes":["PRICING_UNKNOWN"]}}},"health":"AAAA"}}',
    ));

  it("has them for the health group that it names", () =>
    assert.equal(
      writeHealth(health({ [B]: { state: "watch" } }), [A, B], "card", "USD"),
      '{"payment_method":"card","currency":"USD","snapshots":[["provider_1",90,0,0,100,400,0,0,0,0.9,0.9,0,450,300,[]],["provider_2",90,1,0,100,400,0,0,0,0.9,0.9,0,450,300,[]]]}',
    ));
});

const parsed = (text: string): StoredEvaluation[] => JSON.parse(text) as StoredEvaluation[];

describe("decision detail, provider_evaluations", () => {
  it("LOG-14: survive the compact record unchanged", () => {
    fc.assert(
      fc.property(decideInput, (input) => {
        const { evaluations } = decide(input);
        const text = writeEvaluations(evaluations);
        assert.deepEqual(readEvaluations(parsed(text)), toEvaluationBodies(evaluations));
        assert.equal(text, JSON.stringify(parsed(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it("have every field of the specification", () => {
    const { evaluations } = decideGiven({
      offered: [A],
      healths: { [A]: { state: "critical", score: 31 } },
    });
    const [evaluation] = readEvaluations(parsed(writeEvaluations(evaluations)));
    assert.deepEqual(evaluation, {
      provider: A,
      eligible: false,
      route_score: 59,
      health_score: 31,
      health_state: "critical",
      exclusion_reason: "HEALTH_CRITICAL",
      components: {
        health: 15.5,
        approval_rate: 31.5,
        latency: 12,
        confidence_adjustment: 0,
        degraded_penalty: 0,
        preference_boost: 0,
      },
    });
  });

  it("are an empty list where no provider was evaluated", () =>
    assert.deepEqual(readEvaluations(parsed(writeEvaluations([]))), []));
});
