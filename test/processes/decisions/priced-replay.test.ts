import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { BacktestReport } from "../../../src/features/policies/backtest/messages.js";
import { auditOf, bearer, register } from "../../support/people/accounts.js";
import { atOnce } from "../../support/service/at-once.js";
import { freezeHealth, FROZEN_PROBER } from "../../support/service/frozen-health.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

type Json = Record<string, unknown>;

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await startTestService({ ...FROZEN_PROBER, DECISION_WORKERS: "2", RATE_LIMIT_PER_MINUTE: "0" });
  // `createWorkspace` repeats a decision until the last merchant is known, so the last merchant is one that no test
  // uses.
  workspaceId = await createWorkspace(service, {
    merchants: ["replayed", "listed", "simulated", "backtested", "unused"],
  });
  key = await createKey(service.pool, workspaceId);
});
// The health is frozen before each test, because the prober ticks at its start and then once a minute.
beforeEach(() => freezeHealth(service, {}));

const OFFER = ["provider_1", "provider_2", "provider_3"];
const post = async (path: string, body: object): Promise<Json> => {
  const { status, json, text } = await send(service, "POST", path, { body, key });
  assert.equal(status, 200, text);
  return json;
};
/** Uploads prices by provider, in basis points. */
const upload = (merchant_id: string, prices: Readonly<Record<string, number>>): Promise<Json> =>
  post("/v1/pricing/rules", {
    merchant_id,
    contract_name: "2026",
    effective_from: "2026-01-01T00:00:00.000Z",
    replace: true,
    rules: Object.entries(prices).map(([provider, percentage_bps]) => ({
      provider,
      payment_method: "card",
      currency: "USD",
      percentage_bps,
      fixed_minor: 3,
      tiers: [{ amount_gte: 50_000, percentage_bps: percentage_bps - 10, fixed_minor: 0 }],
    })),
  });
const transactionOf = (amount: number): Json => ({
  amount,
  currency: "USD",
  country: "US",
  payment_method: "card",
});
const decide = (merchant_id: string, amount = 7777): Promise<Json> =>
  post(
    "/v1/decision",
    decisionBody({ merchant_id, available_providers: OFFER, transaction: transactionOf(amount) }),
  );
const sampleOf = (merchant_id: string): Json => ({
  merchant_id,
  available_providers: OFFER,
  transaction: transactionOf(7777),
});
const idOf = (decided: Json): string => String(decided["decision_id"]);
const costOf = (decided: Json): unknown => (decided["cost"] as Json | null)?.["estimated_cost_minor"];
const sourceOf = (decided: Json): unknown => (decided["cost"] as Json | null)?.["pricing_source"];
const optimize = { name: "cheapest", when: {}, then: { type: "optimize_for", mode: "cost" } } as const;
const limit = { name: "limit", when: {}, then: { type: "max_cost", max_effective_bps: 280 } } as const;

async function assertIdentical(decided: readonly Json[]): Promise<void> {
  for (const { decision_id, cost, economics } of decided) {
    const { rule_evaluations: _, ...replay } = await eventually(() =>
      post(`/v1/decisions/${String(decision_id)}/replay`, {}),
    );
    assert.deepEqual(replay, {
      decision_id,
      identical: true,
      differences: [],
      missing: [],
      cost,
      economics,
    });
  }
}

describe("replay: a deterministic-v2 decision is replayed with the prices it saw", () => {
  it("the prices of a contract with tiers and version; after other contracts, a publish and kill -9", async () => {
    const decidedAt = (costMinor: number, prices: Readonly<Record<string, number>>): Promise<Json> =>
      atOnce(
        () => upload("replayed", prices),
        async () => {
          const decided = await decide("replayed");
          assert.equal(costOf(decided), costMinor);
          return decided;
        },
      );
    const before = [
      await decidedAt(229, { provider_1: 290, provider_2: 137, provider_3: 215 }),
      await decide("replayed", 333),
      await decide("replayed", 60_000),
    ];
    await publish(service, { workspaceId, merchantId: "replayed", key, rules: [optimize, limit] });
    const governed = [await decide("replayed"), await decide("replayed", 60_000)];
    const after = [
      await decidedAt(19, { provider_1: 20, provider_3: 400 }),
      await decide("replayed", 60_000),
    ];
    const all = [...before, ...governed, ...after];
    assert.deepEqual(
      all.map((decided) => [
        (decided["route"] as Json)["primary_provider"],
        costOf(decided),
        sourceOf(decided),
      ]),
      [
        ["provider_1", 229, "merchant_contract"],
        ["provider_1", 13, "merchant_contract"],
        ["provider_1", 1680, "merchant_contract"],
        ["provider_2", 110, "merchant_contract"],
        ["provider_2", 762, "merchant_contract"],
        ["provider_1", 19, "merchant_contract"],
        ["provider_1", 60, "merchant_contract"],
      ],
    );
    await assertIdentical(all);
    await service.killAndRestart();
    await assertIdentical(all);
  });

  it("list prices, for a merchant without its own; also after it gets some", async () => {
    const plain = await decide("listed");
    assert.deepEqual([(plain["model"] as Json)["model_version"], plain["cost"]], ["deterministic-v1", null]);
    await publish(service, { workspaceId, merchantId: "listed", key, rules: [optimize] });
    const estimated = await decide("listed");
    assert.equal(sourceOf(estimated), "estimated_fallback");
    const contracted = await atOnce(
      () => upload("listed", { provider_1: 100, provider_2: 50, provider_3: 75 }),
      async () => {
        const decided = await decide("listed");
        assert.equal(sourceOf(decided), "merchant_contract");
        return decided;
      },
    );
    await assertIdentical([plain, estimated, contracted]);
  });
});

describe("SIM-2: POST /v1/policies/simulate uses the same engine: a merchant's prices too", () => {
  it("with the published policy as on the live path, and with a draft at the same prices", async () => {
    const sample = sampleOf("simulated");
    const live = await atOnce(
      () => upload("simulated", { provider_1: 290, provider_2: 137, provider_3: 215 }),
      async () => {
        const decided = await decide("simulated");
        assert.equal(sourceOf(decided), "merchant_contract");
        return decided;
      },
    );
    const simulated = await post("/v1/policies/simulate", sample);
    for (const field of ["action", "route", "model", "cost", "economics", "reason_codes"]) {
      assert.deepEqual(simulated[field], live[field], field);
    }
    assert.equal(sourceOf(simulated), "merchant_contract");
    const draft = await post("/v1/policies/simulate", { ...sample, policy: { rules: [optimize] } });
    assert.deepEqual([(draft["route"] as Json)["primary_provider"], costOf(draft)], ["provider_2", 110]);
  });
});

describe("POST /v1/policies/backtest, with the prices each decision saw", () => {
  it("not the current prices; also for providers that were not the primary", async () => {
    // A simulation shows the cost under a draft. The backtest only counts decisions.
    const price = (cheapest: string, prices: Readonly<Record<string, number>>): Promise<void> =>
      atOnce(
        () => upload("backtested", prices),
        async () => {
          const draft = { ...sampleOf("backtested"), policy: { rules: [optimize] } };
          const { route } = await post("/v1/policies/simulate", draft);
          assert.equal((route as Json)["primary_provider"], cheapest);
        },
      );
    await price("provider_2", { provider_1: 290, provider_2: 137, provider_3: 215 });
    const first = idOf(await decide("backtested"));
    await price("provider_3", { provider_1: 290, provider_2: 280, provider_3: 40 });
    const second = idOf(await decide("backtested"));
    await eventually(async () => {
      const { status, text } = await send(service, "POST", "/v1/policies/backtest", {
        body: { merchant_id: "backtested", policy: { rules: [optimize] } },
        key,
      });
      assert.equal(status, 200, text);
      const result = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as BacktestReport;
      assert.equal(result.type, "result");
      assert.deepEqual([result.replayed, result.not_replayable], [2, 0]);
      assert.deepEqual(
        result.changed_decisions.map((row) => [row.decision_id, row.provider_before, row.provider_after]),
        [
          [second, "provider_1", "provider_3"],
          [first, "provider_1", "provider_2"],
        ],
      );
    });
  });
});

describe("PRICE-1: POST /v1/pricing/rules by a session", () => {
  it("names the user in the audit trail", async () => {
    const owner = await register(service);
    const body = {
      merchant_id: "demo_merchant",
      contract_name: "2026",
      effective_from: "2026-01-01T00:00:00.000Z",
      rules: [
        {
          provider: "provider_1",
          payment_method: "card",
          currency: "USD",
          percentage_bps: 290,
          fixed_minor: 0,
        },
      ],
    };
    const reply = await send(service, "POST", "/v1/pricing/rules", {
      body,
      key: null,
      headers: bearer(owner.token),
    });
    assert.equal(reply.status, 200, reply.text);
    const entry = (await auditOf(service, owner.workspaceId)).find(
      ({ action }) => action === "pricing_contract.uploaded",
    );
    assert.deepEqual([entry?.actor, entry?.resource], [owner.userId, reply.json["contract_id"]]);
  });
});
