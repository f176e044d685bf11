import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { DecisionDetail } from "../../../src/features/decisions/wire/decision-detail-schema.js";
import { atOnce } from "../../support/service/at-once.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import { decisionBody, send, sendRead, type RunningService } from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

type Json = Record<string, unknown>;

let service: RunningService;
let workspaceId: string;
let keys: Record<"live" | "test", string>;
before(async () => {
  service = await frozenTestService();
  workspaceId = await createWorkspace(service, {
    merchants: ["shop", "priced"],
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
const transaction = { amount: 7200, currency: "USD", country: "US", payment_method: "card" } as const;

describe("the detail read carries `request`", () => {
  const whole = {
    merchant_id: "shop",
    order_id: "order_whole",
    transaction: {
      ...transaction,
      card_network: "visa",
      transaction_type: "sale",
      customer_type: "guest",
      risk_level: "low",
      risk_score: 12,
    },
    available_providers: ["provider_2", "provider_1"],
    previous_attempt: { provider: "provider_3", outcome: "timeout", provider_reason_code: "91" },
    risk_signals: {
      velocity_count_10m: 1,
      velocity_count_1h: 2,
      velocity_amount_1h: 3,
      previous_success_count: 4,
      previous_decline_count: 5,
      order_age_seconds: 6,
      device_risk_band: "low",
      ip_country_match: true,
      merchant_supplied_risk_score: 7,
    },
    decision_mode: "shadow",
  };

  for (const mode of ["test", "live"] as const) {
    it(`LOG-16: shows all of its fields in ${mode} mode`, async () => {
      const { request } = await detailOf(await decideId(whole, keys[mode]), keys[mode]);
      assert.deepEqual(request, whole);
    });
  }

  it("LOG-16: shows the request as it was sent, without the defaults", async () => {
    const sent = {
      merchant_id: "shop",
      order_id: "order_least",
      transaction,
      available_providers: ["provider_1"],
    };
    const { request } = await detailOf(await decideId(sent));
    assert.deepEqual(request, sent);
  });
});

describe("detail reads carry cost and economics; an unpriced provider's cost reads null, never 0", () => {
  it("LOG-15: read null on deterministic-v1", async () => {
    const { model, cost, economics } = await detailOf(await decideId(decisionBody({ merchant_id: "shop" })));
    assert.deepEqual([model.model_version, cost, economics], ["deterministic-v1", null, null]);
  });

  it("COST-19, LOG-15: show the answered cost of a priced primary, and null for each unpriced provider", async () => {
    const contract = {
      merchant_id: "priced",
      contract_name: "2026",
      effective_from: "2026-01-01T00:00:00.000Z",
      rules: [
        {
          provider: "provider_1",
          payment_method: "bank_transfer",
          currency: "USD",
          percentage_bps: 200,
          fixed_minor: 0,
        },
      ],
    };
    const offer = ["provider_1", "provider_2"];
    const transfer = { ...transaction, currency: "USD", payment_method: "bank_transfer" };
    const body = (available_providers: readonly string[]) => ({
      merchant_id: "priced",
      order_id: "order_transfer",
      transaction: transfer,
      available_providers,
    });
    await atOnce(
      () => post("/v1/pricing/rules", contract),
      async () => {
        const priced = await post("/v1/decision", body(["provider_1"]));
        const detail = await detailOf(String(priced["decision_id"]));
        assert.equal(detail.model.model_version, "deterministic-v2");
        assert.deepEqual([detail.cost, detail.economics], [priced["cost"], priced["economics"]]);
        assert.equal(detail.cost?.estimated_cost_minor, 144);
      },
    );

    // There is no list price for bank transfers.
    const unpriced = await post("/v1/decision", body(["provider_2"]));
    const read = await detailOf(String(unpriced["decision_id"]));
    assert.deepEqual(
      [read.cost?.pricing_source, read.cost?.estimated_cost_minor, read.cost?.effective_bps],
      ["unknown", null, null],
    );
    assert.deepEqual(read.economics, unpriced["economics"]);

    const both = await detailOf(await decideId(body(offer)));
    const simulated = await post("/v1/policies/simulate", body(offer));
    for (const evaluations of [both.provider_evaluations, simulated["provider_evaluations"]]) {
      const found = (evaluations as DecisionDetail["provider_evaluations"]).map(({ components }) => [
        components?.pricing_source,
        components?.estimated_cost_minor,
        components?.effective_bps,
      ]);
      assert.deepEqual(found, [
        ["merchant_contract", 144, 200],
        ["unknown", null, null],
      ]);
    }
    const alone = await post("/v1/policies/simulate", body(["provider_2"]));
    assert.equal((alone["cost"] as Json)["estimated_cost_minor"], null);
    const replayed = await post(`/v1/decisions/${String(unpriced["decision_id"])}/replay`, {});
    assert.equal((replayed["cost"] as Json)["estimated_cost_minor"], null);
    assert.equal(replayed["identical"], true);
  });
});

describe("detail reads carry an outcome's created_at if one was reported", () => {
  const reported = async (more: object): Promise<DecisionDetail["outcome"]> => {
    const body = decisionBody({ merchant_id: "shop", order_id: "order_backfill" });
    const decision_id = await decideId(body);
    await post("/v1/outcomes", {
      decision_id,
      order_id: "order_backfill",
      provider_used: "provider_1",
      outcome: "approved",
      provider_latency_ms: 300,
      amount: 7200,
      currency: "USD",
      ...more,
    });
    return (await detailOf(decision_id)).outcome;
  };

  it("OUT-14: write created_at as ISO 8601 in UTC", async () => {
    const outcome = await reported({ created_at: "2026-01-02T03:04:05.678+01:00" });
    assert.equal(outcome?.created_at, "2026-01-02T02:04:05.678Z");
  });

  it("OUT-14: carry no created_at if none was reported", async () => {
    const outcome = await reported({});
    assert.ok(outcome !== null && !("created_at" in outcome));
  });
});
