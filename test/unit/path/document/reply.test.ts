import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { decide } from "../../../../src/domain/decision/decide.js";
import {
  codesJson,
  integerJson,
  quoteJson,
  twoDecimalsJson,
} from "../../../../src/path/document/json-text.js";
import { writeReply } from "../../../../src/path/document/reply.js";
import { toResponse } from "../../../../src/domain/decision/response.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { roundTo2 } from "../../../../src/domain/vocabulary/rounding.js";
import { decideInput, hostileText } from "../../../support/generators/arbitraries.js";
import { A, B, contractPrices, decideGiven } from "../../domain/decision/situations.js";
import { anyText } from "../../../support/generators/text.js";

describe("Decision response body", () => {
  it("RES-6: a deterministic-v1 route, every field in the specification's order", () => {
    const decision = decideGiven({
      offered: [A, B],
      healths: { [B]: { state: "watch", score: 72.5, source: "live" } },
    });
    const expected = {
      decision_id: "dec_01jd4wqk2m0000000000000000",
      merchant_id: "merchant_1",
      mode: "test",
      decision_mode: "enforce",
      action: "route",
      route: { primary_provider: A, fallback_provider: B },
      risk: { score: 10, band: "low", recommended_action: "route", reason_codes: ["RISK_ACCEPTABLE"] },
      provider_health: {
        [A]: { score: 90, state: "healthy", confidence: 100, source: "probe" },
        [B]: { score: 72.5, state: "watch", confidence: 100, source: "live" },
      },
      policy: { policy_id: null, policy_version: null, matched_rules: [] },
      model: { model_version: "deterministic-v1", route_scores: { [A]: 88.5, [B]: 79.75 } },
      cost: null,
      economics: null,
      reason_codes: ["PROVIDER_1_HEALTHY_FOR_SEGMENT", "RISK_ACCEPTABLE"],
      decision_latency_ms: 1.23,
      ttl_ms: 3000,
    };
    assert.equal(writeReply(decision, 1.2345678), JSON.stringify(expected));
  });

  it("ACT-2: a block has route null and still shows the requested providers' health and scores", () => {
    const rules = [{ name: 'A "rule"', then: { type: "block" } as const }];
    const body = JSON.parse(writeReply(decideGiven({ offered: [B], rules }), 0)) as Record<string, unknown>;
    assert.equal(body["action"], "block");
    assert.equal(body["route"], null);
    assert.deepEqual(Object.keys(body["provider_health"] as object), [B]);
    assert.deepEqual(body["policy"], {
      policy_id: "pol_1",
      policy_version: "v1",
      matched_rules: ['A "rule"'],
    });
    assert.equal(body["decision_latency_ms"], 0);
  });

  it("RES-7: shows only the providers requested, a default provider not among them", () => {
    const decision = decideGiven({
      offered: [B],
      healths: { [B]: { state: "critical" } },
      defaultProvider: A,
    });
    const { provider_health, model, route } = toResponse(decision, 1);
    assert.deepEqual([Object.keys(provider_health), Object.keys(model.route_scores)], [[B], [B]]);
    assert.deepEqual(route, { primary_provider: A, fallback_provider: null });
  });

  it("echoes the effective decision_mode: the request's, else the workspace's", () => {
    const workspace = { defaultDecisionMode: "shadow" } as const;
    assert.equal(decideGiven({ context: workspace }).decisionMode, "shadow");
    assert.equal(
      decideGiven({ context: workspace, request: { decision_mode: "enforce" } }).decisionMode,
      "enforce",
    );
  });

  it("equals JSON.stringify of the plain response, with any strings and figures", () => {
    fc.assert(
      fc.property(decideInput, fc.double({ min: 0, max: 1000, noNaN: true }), (input, latencyMs) => {
        const decision = decide(input);
        assert.equal(writeReply(decision, latencyMs), JSON.stringify(toResponse(decision, latencyMs)));
      }),
      { numRuns: 1000 },
    );
  });

  it("equals it for more default providers than are kept as they were written", () => {
    const excluded: RuleAction = { type: "exclude_provider", providers: [A] };
    for (const round of [1, 2]) {
      for (let nth = 0; nth < 300; nth++) {
        const decision = decideGiven({
          offered: [A],
          rules: [{ then: excluded }],
          defaultProvider: `default_${nth}`,
        });
        const said = JSON.stringify(toResponse(decision, round));
        assert.equal(writeReply(decision, round), said);
        assert.ok(said.includes(`"primary_provider":"default_${nth}"`));
      }
    }
  });

  it("equals it on deterministic-v2 too", () => {
    const decision = decideGiven({ pricing: contractPrices({ [A]: 333 }), transaction: { amount: 7 } });
    assert.equal(writeReply(decision, 2.5), JSON.stringify(toResponse(decision, 2.5)));
    assert.equal(toResponse(decision, 2.5).cost?.estimated_cost_minor, 333);
  });

  it("quotes any text as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, anyText()), (text) => {
        assert.equal(quoteJson(text), JSON.stringify(text));
      }),
    );
  });
});

describe("numbers of two decimals as JSON", () => {
  it("equal the output of JSON.stringify", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1_000_000, max: 2 ** 31 }), fc.maxSafeInteger()),
        fc.constantFrom(1, 10, 100, 1000),
        (ticks, unit) => {
          const value = ticks / unit;
          assert.equal(twoDecimalsJson(value), JSON.stringify(roundTo2(value)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("are so for every number of digits, with and without decimals", () => {
    for (const whole of [
      0, 7, 10, 64, 100, 987, 1000, 9876, 10_000, 98_765, 100_000, 987_654, 999_998, 999_999, 1e6,
    ]) {
      for (const hundredths of [0, 1, 9, 10, 12, 50, 99]) {
        const value = whole + hundredths / 100;
        assert.equal(twoDecimalsJson(value), JSON.stringify(roundTo2(value)));
      }
    }
  });

  it("integers are too, of any size", () => {
    const edges = Array.from({ length: 16 }, (_, power) => 10 ** power).flatMap((unit) => [unit - 1, unit]);
    for (const value of [...edges, -1, 123_456, Number.MAX_SAFE_INTEGER]) {
      assert.equal(integerJson(value), JSON.stringify(value));
    }
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 0, max: 2_000_000 }), fc.maxSafeInteger()), (value) => {
        assert.equal(integerJson(value), JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("a list of codes is JSON.stringify's, also where it shares its beginning, and past any number of others", () => {
    const code = fc.oneof(fc.constantFrom("A", "B", "C"), hostileText);
    fc.assert(
      fc.property(fc.array(fc.array(code, { maxLength: 6 }), { minLength: 1, maxLength: 20 }), (lists) => {
        for (const codes of [...lists, ...lists]) assert.equal(codesJson(codes), JSON.stringify(codes));
      }),
      { numRuns: 500 },
    );
    for (let other = 0; other < 10_000; other++) codesJson([`OTHER_${other}`, "A"]);
    assert.equal(codesJson(["A", "B"]), '["A","B"]');
  });
});
