import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  decisionBody,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { freezeHealth, FROZEN_PROBER } from "../../support/service/frozen-health.js";
import { onceLooked } from "../../support/service/once-looked.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

let service: RunningService;
before(async () => {
  service = await startTestService({ ...FROZEN_PROBER, RISK_BLOCK_THRESHOLD: "50" });
});
// The health is frozen before each test, because the prober ticks once a minute.
beforeEach(() =>
  freezeHealth(service, {
    "provider_1:EUR": { score: 60, state: "degraded" },
    "provider_2:EUR": { score: 30, state: "critical" },
  }),
);

async function decide(key: string, changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { status, json, text } = await send(service, "POST", "/v1/decision", {
    body: decisionBody(changes),
    key,
  });
  assert.equal(status, 200, text);
  return json;
}

const detailOf = async (key: string, decision: Record<string, unknown>) =>
  (await sendRead(service, "GET", `/v1/decisions/${String(decision["decision_id"])}`, { key })).json;

const atRisk = (riskScore: number) => ({
  transaction: { amount: 1, currency: "USD", country: "US", payment_method: "card", risk_score: riskScore },
});

describe("decision_mode", () => {
  it("REQ-4, RES-3, SVC-11: comes from the request, else from the workspace's default, else is enforce", async () => {
    const [plain, shadow, enforce] = await Promise.all([
      createWorkspace(service),
      createWorkspace(service, { defaultDecisionMode: "shadow" }),
      createWorkspace(service, { defaultDecisionMode: "enforce" }),
    ]);
    for (const [workspaceId, expected] of [
      [plain, "enforce"],
      [shadow, "shadow"],
      [enforce, "enforce"],
    ] as const) {
      const key = await createKey(service.pool, workspaceId);
      assert.equal((await decide(key))["decision_mode"], expected);
      for (const mode of ["shadow", "enforce"]) {
        const decision = await decide(key, { decision_mode: mode });
        assert.equal(decision["decision_mode"], mode);
      }
    }
  });

  it("SVC-11: a shadow decision is computed identically", async () => {
    const workspaceId = await createWorkspace(service);
    const key = await createKey(service.pool, workspaceId);
    await publish(service, { workspaceId, key, rules: [{ name: "hold", then: { type: "hold" } }] });
    const [enforce, shadow] = [
      await decide(key, { decision_mode: "enforce" }),
      await decide(key, { decision_mode: "shadow" }),
    ];
    const differing = { decision_id: "", decision_mode: "", decision_latency_ms: 0 };
    assert.deepEqual({ ...shadow, ...differing }, { ...enforce, ...differing });
    assert.equal(shadow["action"], "hold");
  });

  it("a changed default applies to the next decisions", async () => {
    const workspaceId = await createWorkspace(service);
    const key = await createKey(service.pool, workspaceId);
    assert.equal((await decide(key))["decision_mode"], "enforce");
    // 1 is `shadow`, by its position in DECISION_MODES.
    await service.pool.query("update workspaces set default_decision_mode = 1 where workspace_id = $1", [
      idToHex(workspaceId),
    ]);
    await onceLooked(service, async () => assert.equal((await decide(key))["decision_mode"], "shadow"));
  });
});

describe("risk_block_threshold", () => {
  it("ACT-3: comes from the workspace, else from RISK_BLOCK_THRESHOLD", async () => {
    for (const [settings, threshold] of [
      [{}, 50],
      [{ riskBlockThreshold: 20 }, 20],
      [{ riskBlockThreshold: 0 }, 0],
    ] as const) {
      const key = await createKey(service.pool, await createWorkspace(service, settings));
      assert.equal((await decide(key, atRisk(threshold)))["action"], "route");
      const above = await decide(key, atRisk(threshold + 1));
      assert.deepEqual([above["action"], above["route"]], ["block", null]);
      assert.equal((above["reason_codes"] as string[])[0], "RISK_SCORE_ABOVE_BLOCK_THRESHOLD");
    }
  });

  it("a threshold of 100 blocks nothing", async () => {
    const key = await createKey(service.pool, await createWorkspace(service, { riskBlockThreshold: 100 }));
    assert.equal((await decide(key, atRisk(100)))["action"], "route");
  });
});

describe("Model generations", () => {
  for (const [what, rule] of [
    ["an optimize_for rule", { name: "cost", then: { type: "optimize_for", mode: "cost" } }],
    ["a max_cost rule", { name: "cost", then: { type: "max_cost", max_effective_bps: 300 } }],
    [
      "a max_cost rule that never matches",
      { name: "cost", when: { currency_in: ["JPY"] }, then: { type: "max_cost", max_cost_minor: 1 } },
    ],
  ] as const) {
    it(`COST-1, RES-11, SVC-12, SVC-13: ${what} activates deterministic-v2, with cost and economics`, async () => {
      const workspaceId = await createWorkspace(service);
      const key = await createKey(service.pool, workspaceId);
      await publish(service, { workspaceId, key, rules: [structuredClone(rule) as never] });
      const { model, cost, economics } = (await decide(key)) as Record<string, Record<string, unknown>>;
      assert.equal(model?.["model_version"], "deterministic-v2");
      assert.deepEqual(Object.keys(cost ?? {}), [
        "estimated_cost_minor",
        "effective_bps",
        "currency",
        "pricing_source",
        "confidence_score",
        "reason_codes",
      ]);
      assert.deepEqual([cost?.["pricing_source"], cost?.["currency"]], ["estimated_fallback", "USD"]);
      assert.deepEqual(Object.keys(economics ?? {}), [
        "expected_value_minor",
        "model_version",
        "optimization_mode",
      ]);
      assert.equal(economics?.["model_version"], "deterministic-v2");
      const blocked = await decide(key, atRisk(51));
      assert.equal((blocked["model"] as { model_version: string }).model_version, "deterministic-v2");
      assert.deepEqual([blocked["cost"], blocked["economics"]], [null, null]);
    });
  }

  it("COST-1: a disabled rule does not", async () => {
    const workspaceId = await createWorkspace(service);
    const key = await createKey(service.pool, workspaceId);
    const then = { type: "optimize_for", mode: "cost" } as const;
    await publish(service, { workspaceId, key, rules: [{ name: "off", enabled: false, then }] });
    const { model, cost } = (await decide(key)) as Record<string, Record<string, unknown> | null>;
    assert.deepEqual([model?.["model_version"], cost], ["deterministic-v1", null]);
  });
});

describe("scores, in the decision and its detail", () => {
  const OFFERED = ["provider_3", "provider_1", "provider_2", "provider_5"];
  const request = {
    order_id: "detail_1",
    transaction: { amount: 2500, currency: "EUR", country: "DE", payment_method: "wallet" },
    available_providers: OFFERED,
  };
  /** 0.50·health + 0.35·90 + 0.15·(100 − 400/20), minus 15 if degraded, plus a boost. */
  const SCORES = { provider_3: 86, provider_1: 58.5, provider_2: 58.5, provider_5: 91 };

  it("FMT-15, HLTH-1, LOG-10, LOG-11, LOG-12, LOG-13, LOG-14, RES-7, RES-9, RES-10, SCORE-1, SCORE-5, SVC-4, SVC-13: shows health, scores, exclusions and components for the providers offered, in their order", async () => {
    const workspaceId = await createWorkspace(service);
    const key = await createKey(service.pool, workspaceId);
    const policy = await publish(service, {
      workspaceId,
      key,
      rules: [
        { name: "no 3", then: { type: "exclude_provider", providers: ["provider_3"] } },
        {
          name: "like 5",
          then: { type: "prefer_provider", providers: ["provider_5"], strict: false, boost: 10 },
        },
      ],
    });
    const decision = await decide(key, request);
    assert.deepEqual(decision["provider_health"], {
      provider_3: { score: 85, state: "healthy", confidence: 100, source: "probe" },
      provider_1: { score: 60, state: "degraded", confidence: 100, source: "probe" },
      provider_2: { score: 30, state: "critical", confidence: 100, source: "probe" },
      provider_5: { score: 75, state: "healthy", confidence: 100, source: "probe" },
    });
    assert.deepEqual(decision["model"], { model_version: "deterministic-v1", route_scores: SCORES });
    assert.deepEqual(decision["route"], { primary_provider: "provider_5", fallback_provider: "provider_1" });
    assert.deepEqual(decision["risk"], {
      score: 10,
      band: "low",
      recommended_action: "route",
      reason_codes: ["RISK_ACCEPTABLE"],
    });

    const terms = {
      approval_rate: 31.5,
      latency: 12,
      confidence_adjustment: 0,
      degraded_penalty: 0,
      preference_boost: 0,
    };
    // decision-detail.test.ts tests the fields of LOG-15 to LOG-17.
    const {
      created_at: createdAt,
      cost: _cost,
      economics: _economics,
      request: _request,
      risk_block_threshold: _threshold,
      rule_evaluations: _rules,
      ...detail
    } = await detailOf(key, decision);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(detail, {
      decision_id: decision["decision_id"],
      merchant_id: "demo_merchant",
      order_id: "detail_1",
      mode: "test",
      action: "route",
      route: decision["route"],
      provider_health_source: "probe",
      risk: decision["risk"],
      transaction: request.transaction,
      policy: { policy_id: policy.policy_id, policy_version: "v1", matched_rules: ["no 3", "like 5"] },
      model: { model_version: "deterministic-v1", provider_scores: SCORES },
      reason_codes: decision["reason_codes"],
      decision_latency_ms: decision["decision_latency_ms"],
      ttl_ms: 3000,
      provider_evaluations: [
        {
          provider: "provider_3",
          eligible: false,
          route_score: 86,
          health_score: 85,
          health_state: "healthy",
          exclusion_reason: "POLICY_EXCLUDED_PROVIDER",
          components: { health: 42.5, ...terms },
        },
        {
          provider: "provider_1",
          eligible: true,
          route_score: 58.5,
          health_score: 60,
          health_state: "degraded",
          exclusion_reason: null,
          components: { health: 30, ...terms, degraded_penalty: -15 },
        },
        {
          provider: "provider_2",
          eligible: false,
          route_score: 58.5,
          health_score: 30,
          health_state: "critical",
          exclusion_reason: "HEALTH_CRITICAL",
          components: { health: 15, ...terms },
        },
        {
          provider: "provider_5",
          eligible: true,
          route_score: 91,
          health_score: 75,
          health_state: "healthy",
          exclusion_reason: null,
          components: { health: 37.5, ...terms, preference_boost: 10 },
        },
      ],
      review: null,
      outcome: null,
    });
  });

  it("SVC-6: decides the same again, byte for byte except id and latency", async () => {
    const key = await createKey(service.pool, await createWorkspace(service));
    const texts = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const decision = await decide(key, request);
      texts.add(JSON.stringify({ ...decision, decision_id: "", decision_latency_ms: 0 }));
    }
    assert.equal(texts.size, 1);
  });
});
