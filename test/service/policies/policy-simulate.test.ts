import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { DecisionResponse } from "../../../src/domain/decision/response.js";
import type { Simulation } from "../../../src/domain/decision/simulation.js";
import { expositionOf } from "../../support/service/exposition.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await frozenTestService();
  workspaceId = await createWorkspace(service, { merchants: ["shop", "shop_b", "free"] });
  key = await createKey(service.pool, workspaceId);
  await publish(service, {
    workspaceId,
    merchantId: "shop",
    key,
    rules: [
      { name: "large", when: { amount_gte: 100_000, currency_in: ["USD"] }, then: { type: "step_up" } },
      { name: "no four", then: { type: "exclude_provider", providers: ["provider_4"] } },
      { name: "slow", when: { computed_risk_score_gte: 50 }, then: { type: "hold" } },
    ],
  });
});
// The health is frozen before each test, because the prober ticks once a minute.
beforeEach(() => freezeHealth(service, { "provider_3:USD": { score: 10, state: "unavailable" } }));

const OFFER = ["provider_1", "provider_2", "provider_3", "provider_4"];
const { merchant_id: _merchant, order_id: _order, ...base } = decisionBody({ available_providers: OFFER });
const sample = (changes: object = {}): Record<string, unknown> => ({
  merchant_id: "shop",
  ...base,
  ...changes,
});
const simulate = (changes: object = {}, as = key): Promise<Reply> =>
  send(service, "POST", "/v1/policies/simulate", { body: sample(changes), key: as });
interface Answer extends Simulation {
  validation: { valid: boolean; errors: unknown[]; warnings: { path: string; severity: string }[] };
}
const answerOf = ({ status, text, json }: Reply): Answer => {
  assert.equal(status, 200, text);
  return json as unknown as Answer;
};
const issuesOf = ({ json }: Reply) =>
  (json["issues"] as { path: string; code: string; severity?: string }[]).map(({ path, code, severity }) =>
    [path, code, severity ?? ""].join(" ").trim(),
  );

describe("POST /v1/policies/simulate", () => {
  it("SIM-5: a draft that draws a sample answers the same each time, though its rules have no ids", async () => {
    const rules = [2000, 4000, 6000, 8000].map((sample_bps_lt, index) => ({
      name: `${sample_bps_lt}`,
      priority: index,
      when: { sample_bps_lt },
      then: { type: "require_min_health", min_score: 1 },
    }));
    const matched = async () => answerOf(await simulate({ policy: { rules } })).matched_rules;
    const first = await matched();
    for (let again = 0; again < 5; again++) assert.deepEqual(await matched(), first);
  });

  it("SIM-1, SIM-2, SIM-3: uses the published policy if none is given, and answers as the live path decides", async () => {
    const simulated = answerOf(await simulate());
    const { json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: "shop", available_providers: OFFER }),
      key,
    });
    const decided = json as unknown as DecisionResponse;
    for (const field of [
      "action",
      "route",
      "risk",
      "reason_codes",
      "model",
      "cost",
      "economics",
      "policy",
    ] as const) {
      assert.deepEqual(simulated[field], decided[field], field);
    }
    assert.deepEqual(simulated.matched_rules, ["large", "no four"]);
    assert.equal(simulated.action, "step_up");
    assert.deepEqual(simulated.route_scores, decided.model.route_scores);
    assert.deepEqual(simulated.validation, { valid: true, errors: [], warnings: [] });
  });

  it("SIM-3, SIM-4: names each excluded provider and its reason; the evaluations equal those of the detail", async () => {
    const simulated = answerOf(await simulate());
    assert.deepEqual(simulated.excluded_providers, [
      { provider: "provider_3", exclusion_reason: "CIRCUIT_OPEN" },
      { provider: "provider_4", exclusion_reason: "POLICY_EXCLUDED_PROVIDER" },
    ]);
    const decided = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: "shop", available_providers: OFFER }),
      key,
    });
    const detail = await send(service, "GET", `/v1/decisions/${String(decided.json["decision_id"])}`, {
      key,
    });
    assert.deepEqual(simulated.provider_evaluations, detail.json["provider_evaluations"]);
  });

  it("SIM-3: says whether each rule matched and which condition stopped it", async () => {
    const { rule_evaluations } = answerOf(
      await simulate({ transaction: { ...(base["transaction"] as object), amount: 99_999 } }),
    );
    assert.deepEqual(
      rule_evaluations.map(({ name, matched, failed_condition }) => [name, matched, failed_condition]),
      [
        ["large", false, "amount_gte"],
        ["no four", true, null],
        ["slow", false, "computed_risk_score_gte"],
      ],
    );
    assert.equal(new Set(rule_evaluations.map(({ rule_id }) => rule_id)).size, 3);
  });

  it("SIM-1, SIM-4, SIM-5: decides by a given draft, even with warnings; the draft has no id and no version", async () => {
    const policy = {
      name: "Try",
      default_provider: "provider_2",
      rules: [
        { name: "none", when: {}, then: { type: "exclude_provider", providers: OFFER } },
        { name: "large", when: { amount_gte: 1 }, then: { type: "hold", reason_code: "LOOK" } },
      ],
    };
    const simulated = answerOf(await simulate({ policy }));
    assert.equal(simulated.action, "hold");
    assert.deepEqual(simulated.route, { primary_provider: "provider_2", fallback_provider: null });
    assert.deepEqual(simulated.policy, {
      policy_id: null,
      policy_version: null,
      matched_rules: ["none", "large"],
    });
    assert.ok(simulated.reason_codes.includes("LOOK"));
    assert.equal(simulated.validation.valid, true);
    assert.ok(simulated.validation.warnings.length > 0);
    for (const { path, severity } of simulated.validation.warnings) {
      assert.ok(path.startsWith("policy."), path);
      assert.equal(severity, "warning");
    }
  });

  it("simulates without a policy if none is published", async () => {
    const simulated = answerOf(await simulate({ merchant_id: "free" }));
    assert.equal(simulated.action, "route");
    assert.deepEqual(simulated.policy, { policy_id: null, policy_version: null, matched_rules: [] });
    assert.deepEqual(simulated.rule_evaluations, []);
  });

  it("SIM-1: accepts previous_attempt and risk_signals like a decision", async () => {
    const failed = { provider: "provider_3", outcome: "timeout" };
    assert.equal(
      answerOf(await simulate({ merchant_id: "free", previous_attempt: failed })).action,
      "failover",
    );
    const { risk } = answerOf(await simulate({ risk_signals: { velocity_count_10m: 10 } }));
    assert.equal(risk.score, 45);
  });

  it("SIM-6: hashes '' if no order_id is given", async () => {
    const rules = [{ name: "split", when: {}, then: { type: "split_traffic", weights: splitWeights } }];
    const pick = async (order: object): Promise<string | undefined> =>
      answerOf(await simulate({ merchant_id: "free", policy: { rules }, ...order })).route?.primary_provider;
    const without = await pick({});
    assert.equal(await pick({}), without);
    const picks = new Set<string>();
    for (let i = 0; i < 40; i++) picks.add(String(await pick({ order_id: `order_${i}` })));
    assert.deepEqual([...picks].toSorted(), ["provider_1", "provider_2"]);
  });
  const splitWeights = { provider_1: 50, provider_2: 50 };
});

describe("POST /v1/policies/simulate, nothing is persisted", () => {
  it("SIM-2: it stores no decision and no policy, changes no decision metric, and leaves live decisions unchanged", async () => {
    const count = async (table: string): Promise<unknown> =>
      (await service.pool.query(`select count(*)::int as count from ${table}`)).rows;
    const metric = async (): Promise<string> =>
      (await expositionOf(service))
        .split("\n")
        .filter((line) => line.startsWith("payinference_decision") && !line.startsWith("#"))
        .join("\n");
    const settled = async () => {
      const { json } = await send(service, "GET", "/v1/decisions?page_size=1", { key });
      return [json["total"], await count("decisions"), await count("policies"), await metric()];
    };
    const earlier = await settled();
    const rules = [{ name: "all", when: {}, then: { type: "block" } }];
    for (let i = 0; i < 5; i++) await simulate({ policy: { rules } });
    assert.deepEqual(await settled(), earlier);
    assert.equal(answerOf(await simulate()).action, "step_up");
  });
});

describe("simulate's refusals", () => {
  for (const [name, changes, issues] of [
    ["an unknown top-level field", { decision_mode: "shadow" }, ["decision_mode unrecognized_keys"]],
    [
      "an unknown field of the draft",
      { policy: { rules: [], color: 1 } },
      ["policy.color unrecognized_keys"],
    ],
    ["a missing transaction", { transaction: undefined }, ["transaction invalid_type"]],
    ["an empty order_id", { order_id: "" }, ["order_id too_small"]],
    [
      "duplicate providers",
      { available_providers: ["provider_1", "provider_1"] },
      ["available_providers custom"],
    ],
  ] as const) {
    it(`${name}: 400 validation_error`, async () => {
      const reply = await simulate(changes);
      assert.equal(reply.status, 400);
      assert.equal(reply.json["error"], "validation_error");
      assert.deepEqual(issuesOf(reply), issues);
    });
  }

  for (const [name, policy, issues] of [
    ["no rules", {}, ["policy.rules invalid_type error"]],
    [
      "an unknown action",
      { rules: [{ name: "a", when: {}, then: { type: "explode" } }] },
      ["policy.rules.0.then.type invalid_enum_value error"],
    ],
    [
      "an unknown default provider",
      { rules: [], default_provider: "nobody" },
      ["policy.default_provider invalid_enum_value error"],
    ],
  ] as const) {
    it(`SIM-5: a draft with ${name}: 400 policy_validation_failed`, async () => {
      const reply = await simulate({ policy });
      assert.equal(reply.status, 400);
      assert.equal(reply.json["error"], "policy_validation_failed");
      assert.deepEqual(issuesOf(reply), issues);
    });
  }

  it("answers 403 for a merchant other than the key's, for one outside the workspace and for a missing scope", async () => {
    const scoped = await createKey(service.pool, workspaceId, { merchantId: "shop_b" });
    const message = async (reply: Promise<Reply>) => {
      const { status, json } = await reply;
      assert.equal(status, 403);
      return json["message"];
    };
    assert.equal(await message(simulate({}, scoped)), "API key is scoped to a different merchant");
    assert.equal(
      await message(simulate({ merchant_id: "nobody" })),
      "Merchant is not registered in this workspace",
    );
    const writer = await createKey(service.pool, workspaceId, { scopes: ["policy:write"] });
    assert.equal(await message(simulate({}, writer)), "API key is missing scopes: policy:read");
    assert.equal((await simulate({ merchant_id: "shop_b" }, scoped)).status, 200);
  });

  it("HTTP-18: a body over 1 MiB: 413", async () => {
    const reply = await simulate({ order_id: "x".repeat(2 ** 20) });
    assert.equal(reply.status, 413);
  });

  it("uses the mode of the key: a rule on mode sees it", async () => {
    const live = await createKey(service.pool, workspaceId, { mode: "live" });
    const policy = { rules: [{ name: "live only", when: { mode_in: ["live"] }, then: { type: "hold" } }] };
    assert.equal(answerOf(await simulate({ policy })).action, "route");
    await eventually(async () => assert.equal(answerOf(await simulate({ policy }, live)).action, "hold"));
  });
});
