import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { ConditionBody } from "../../../src/domain/decision/rule-evaluations.js";
import type { DecisionDetail } from "../../../src/features/decisions/wire/decision-detail-schema.js";
import { sampleBucketOf } from "../../../src/domain/policy/stable-hash.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import { decisionBody, send, sendRead, type RunningService } from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, publish, type RuleSpec } from "../../support/people/tenants.js";

type Json = Record<string, unknown>;

let service: RunningService;
let workspaceId: string;
let keys: Record<"live" | "test", string>;
before(async () => {
  service = await frozenTestService();
  workspaceId = await createWorkspace(service, {
    merchants: ["shop", "ruled", "archived", "plain", "last"],
    riskBlockThreshold: 80,
  });
  keys = {
    live: await createKey(service.pool, workspaceId, { mode: "live" }),
    test: await createKey(service.pool, workspaceId),
  };
});
// The health is frozen before each test, because the prober ticks at its start and then once a minute.
beforeEach(() => freezeHealth(service, {}));

const post = async (path: string, body: object, key = keys.test): Promise<Json> => {
  const { status, json, text } = await send(service, "POST", path, { body, key });
  assert.equal(status, 200, text);
  return json;
};
const decideId = async (body: object, key = keys.test): Promise<string> =>
  String((await post("/v1/decision", body, key))["decision_id"]);
const detailOf = async (decisionId: string, key = keys.test): Promise<DecisionDetail> => {
  const { status, json, text } = await sendRead(service, "GET", `/v1/decisions/${decisionId}`, { key });
  assert.equal(status, 200, text);
  return json as unknown as DecisionDetail;
};
const rulesOf = async (decisionId: string, key = keys.test) => {
  const { rule_evaluations } = await detailOf(decisionId, key);
  assert.ok(rule_evaluations !== null);
  return rule_evaluations;
};
const transaction = { amount: 7200, currency: "USD", country: "US", payment_method: "card" } as const;

describe("the detail read carries each rule's conditions with the decisive value", () => {
  const field = (
    condition: string,
    [name, operator]: readonly [string, string],
    expected: unknown,
    actual: unknown,
    held: boolean,
  ) => ({ condition, field: name, operator, expected, actual, held }) as ConditionBody;

  it("LOG-17: shows matched, unmatched and computed conditions and every branch of a group, as at the time of the decision", async () => {
    await freezeHealth(service, { "provider_3:USD": { score: 60, state: "degraded" } });
    const rules: RuleSpec[] = [
      {
        name: "blocks",
        priority: 5,
        when: {
          amount_gte: 5000,
          computed_risk_score_lt: 40,
          risk_band_in: ["low"],
          card_network_not_in: ["visa"],
          mode_in: ["test"],
          provider_health_state_in: { provider: "provider_3", states: ["degraded", "critical"] },
        },
        then: { type: "block" },
      },
      {
        name: "holds",
        when: {
          none_of: [{ amount_lt: 100 }, { currency_in: ["EUR"] }],
          any_of: [
            { all_of: [{ country_in: ["NG"] }, { amount_gt: 1 }] },
            { offered_provider_in: ["provider_2"], offered_provider_count_lte: 2 },
          ],
        },
        then: { type: "hold" },
      },
      { name: "off", enabled: false, when: {}, then: { type: "step_up" } },
      { name: "always", when: { sample_bps_lt: 10_000 }, then: { type: "step_up" } },
    ];
    await publish(service, { workspaceId, merchantId: "ruled", key: keys.test, rules });
    const body = {
      ...decisionBody({ merchant_id: "ruled", order_id: "order_ruled" }),
      transaction,
      available_providers: ["provider_1", "provider_2"],
    };
    const id = await decideId(body);
    // A later change must not appear in the explanation.
    await freezeHealth(service, { "provider_3:USD": { score: 0, state: "unavailable" } });
    const { risk } = await detailOf(id);
    assert.deepEqual(await rulesOf(id), [
      {
        rule_id: "rule_0",
        name: "blocks",
        action_type: "block",
        matched: false,
        failed_condition: "card_network_not_in",
        conditions: [
          field("amount_gte", ["amount", "gte"], 5000, 7200, true),
          field("computed_risk_score_lt", ["computed_risk_score", "lt"], 40, risk.score, true),
          field("risk_band_in", ["risk_band", "in"], ["low"], risk.band, true),
          field("card_network_not_in", ["card_network", "not_in"], ["visa"], null, false),
          field("mode_in", ["mode", "in"], ["test"], "test", true),
          field(
            "provider_health_state_in",
            ["provider_health_state", "in"],
            { provider: "provider_3", states: ["degraded", "critical"] },
            "degraded",
            true,
          ),
        ],
      },
      {
        rule_id: "rule_1",
        name: "holds",
        action_type: "hold",
        matched: true,
        failed_condition: null,
        conditions: [
          {
            condition: "none_of",
            held: true,
            decided_by: null,
            branches: [
              { held: false, conditions: [field("amount_lt", ["amount", "lt"], 100, 7200, false)] },
              { held: false, conditions: [field("currency_in", ["currency", "in"], ["EUR"], "USD", false)] },
            ],
          },
          {
            condition: "any_of",
            held: true,
            decided_by: 1,
            branches: [
              {
                held: false,
                conditions: [
                  {
                    condition: "all_of",
                    held: false,
                    decided_by: 0,
                    branches: [
                      {
                        held: false,
                        conditions: [field("country_in", ["country", "in"], ["NG"], "US", false)],
                      },
                      { held: true, conditions: [field("amount_gt", ["amount", "gt"], 1, 7200, true)] },
                    ],
                  },
                ],
              },
              {
                held: true,
                conditions: [
                  field(
                    "offered_provider_in",
                    ["offered_provider", "in"],
                    ["provider_2"],
                    ["provider_1", "provider_2"],
                    true,
                  ),
                  field("offered_provider_count_lte", ["offered_provider_count", "lte"], 2, 2, true),
                ],
              },
            ],
          },
        ],
      },
      {
        rule_id: "rule_3",
        name: "always",
        action_type: "step_up",
        matched: true,
        failed_condition: null,
        conditions: [
          field("sample_bps_lt", ["sample_bps", "lt"], 10_000, sampleBucketOf("rule_3")("order_ruled"), true),
        ],
      },
    ]);
  });

  for (const mode of ["test", "live"] as const) {
    it(`LOG-17: explains by the deciding version, even if it is archived since, in ${mode} mode`, async () => {
      const key = keys[mode];
      const publishing = { workspaceId, merchantId: "archived", key };
      const when = { amount_gte: 7000, mode_in: [mode] };
      await publish(service, { ...publishing, rules: [{ name: "old", when, then: { type: "hold" } }] });
      const id = await decideId({ ...decisionBody({ merchant_id: "archived" }), transaction }, key);
      await publish(service, { ...publishing, rules: [{ name: "new", then: { type: "block" } }] });
      const [rule, ...others] = await rulesOf(id, key);
      assert.deepEqual(others, []);
      assert.equal(rule?.name, "old");
      assert.deepEqual(rule.conditions, [
        field("amount_gte", ["amount", "gte"], 7000, 7200, true),
        field("mode_in", ["mode", "in"], [mode], mode, true),
      ]);
    });
  }

  it("shows no rules without a policy, and null if the health that a rule read is not recorded", async () => {
    const plain = decisionBody({ merchant_id: "plain" });
    assert.deepEqual(await rulesOf(await decideId(plain)), []);
    const states = { provider_health_state_in: { provider: "provider_1", states: ["healthy" as const] } };
    await publish(service, {
      workspaceId,
      merchantId: "plain",
      key: keys.test,
      rules: [{ name: "asks", when: states, then: { type: "hold" } }],
    });
    const id = await decideId(plain);
    assert.equal((await rulesOf(id)).length, 1);
    await service.pool.query("create table kept_for_explanation as table health_views");
    await service.pool.query("delete from health_views");
    assert.equal((await detailOf(id)).rule_evaluations, null);
    await service.pool.query("insert into health_views table kept_for_explanation");
    assert.equal((await rulesOf(id)).length, 1);
  });

  it("shows the block threshold that was in force at the decision", async () => {
    const risky = {
      ...decisionBody({ merchant_id: "shop" }),
      transaction: { ...transaction, risk_score: 81 },
    };
    const { action, risk_block_threshold, reason_codes, request } = await detailOf(await decideId(risky));
    assert.deepEqual([action, risk_block_threshold], ["block", 80]);
    assert.ok(reason_codes.includes("RISK_SCORE_ABOVE_BLOCK_THRESHOLD"));
    assert.equal(request.transaction.risk_score, 81);
  });
});
