import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { DECISION_MODES, MODES } from "../../../src/domain/vocabulary/vocabulary.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { freezeHealth } from "../../support/service/frozen-health.js";
import { decisionBody, eventually, send, type RunningService } from "../../support/service/service.js";
import { frozenTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let owner: Dashboard;
let keys: { test: string; live: string };
before(async () => {
  service = await frozenTestService();
  await freezeHealth(service, {});
  workspaceId = await createWorkspace(service, { merchants: ["plain", "priced"] });
  owner = await openDashboard(service, workspaceId);
  keys = {
    test: await createKey(service.pool, workspaceId),
    live: await createKey(service.pool, workspaceId, { mode: "live" }),
  };
  await publish(service, {
    workspaceId,
    key: keys.test,
    merchantId: "priced",
    rules: [
      {
        name: "Prefer provider_2",
        then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
      },
    ],
  });
  const price = (provider: string, percentage_bps: number, currency: string): object => ({
    provider,
    payment_method: "card",
    currency,
    percentage_bps,
    fixed_minor: 0,
  });
  const body = {
    merchant_id: "priced",
    contract_name: "2026",
    effective_from: "2026-01-01T00:00:00.000Z",
    rules: [
      price("provider_1", 300, "USD"),
      price("provider_2", 200, "USD"),
      price("provider_3", 450, "USD"),
      price("provider_2", 100, "EUR"),
      price("provider_1", 50, "JPY"),
      price("provider_2", 100, "JPY"),
    ],
  };
  const uploaded = await send(service, "POST", "/v1/pricing/rules", { body, key: keys.test });
  assert.equal(uploaded.status, 200, uploaded.text);
});

const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
async function decide(
  changes: object,
  transaction: object = {},
  key = keys.live,
  idempotencyKey: string | null = null,
): Promise<string> {
  const body = decisionBody({
    merchant_id: "priced",
    available_providers: PROVIDERS,
    transaction: { amount: 10_000, currency: "USD", country: "US", payment_method: "card", ...transaction },
    ...changes,
  });
  const headers = idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey };
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key, headers });
  assert.equal(status, 200, text);
  return String(json["decision_id"]);
}

async function report(decisionId: string, outcome: string, provider: string): Promise<void> {
  const body = {
    decision_id: decisionId,
    order_id: "order_1",
    provider_used: provider,
    outcome,
    provider_latency_ms: 200,
    amount: 10_000,
    currency: "USD",
  };
  const { status, text } = await send(service, "POST", "/v1/outcomes", { body, key: keys.live });
  assert.equal(status, 200, text);
}

async function summary(query = ""): Promise<Record<"cost" | "retries", Record<string, unknown>>> {
  let found: Record<string, unknown> = {};
  // On a busy machine a read may exceed its time limit. It is then repeated.
  await eventually(async () => {
    const { status, json, text } = await owner.get(`/v1/analytics/summary${query}`);
    assert.equal(status, 200, text);
    found = json;
  });
  return found as Record<"cost" | "retries", Record<string, unknown>>;
}

describe("ANA-2: GET /v1/analytics/summary gains estimated cost and savings, per currency", () => {
  it("compares with the dearest and with the first offered provider, by mode, if pricing is real", async () => {
    // The decision costs 200. provider_1 is offered first and would cost 300. provider_3 would cost 450.
    await decide({}, {}, keys.live, "once");
    // The repeated request gives the same decision, which counts once.
    await decide({}, {}, keys.live, "once");
    // provider_2 is offered first here, so nothing is saved against the first.
    await decide({ available_providers: ["provider_2", "provider_1"] }, { amount: 20_000 });
    // In EUR provider_1, which is offered first, has only a list price.
    await decide({}, { currency: "EUR" });
    // In JPY the first offered provider would have been cheaper, so the saving is negative.
    await decide({}, { currency: "JPY" });
    // Shadow decisions are counted separately.
    await decide({ decision_mode: "shadow" });
    // These decisions have no cost that counts: the primary's price is an estimate, the payment is blocked, or the
    // model is deterministic-v1.
    await decide({}, { currency: "GBP" });
    await decide({}, { risk_score: 100 });
    await decide({ merchant_id: "plain" });
    await decide({}, { amount: 777 }, keys.test);

    const live = [
      {
        currency: "EUR",
        decision_mode: "enforce",
        decisions: 1,
        estimated_cost_minor: 100,
        saving_vs_most_expensive_minor: 0,
        first_offered_decisions: 0,
        saving_vs_first_offered_minor: 0,
      },
      {
        currency: "JPY",
        decision_mode: "enforce",
        decisions: 1,
        estimated_cost_minor: 100,
        saving_vs_most_expensive_minor: 0,
        first_offered_decisions: 1,
        saving_vs_first_offered_minor: -50,
      },
      {
        currency: "USD",
        decision_mode: "enforce",
        decisions: 2,
        estimated_cost_minor: 200 + 400,
        saving_vs_most_expensive_minor: 250 + 200,
        first_offered_decisions: 2,
        saving_vs_first_offered_minor: 100 + 0,
      },
      {
        currency: "USD",
        decision_mode: "shadow",
        decisions: 1,
        estimated_cost_minor: 200,
        saving_vs_most_expensive_minor: 250,
        first_offered_decisions: 1,
        saving_vs_first_offered_minor: 100,
      },
    ];
    const all = await summary();
    assert.deepEqual(all.cost, { since: null, by_currency: live });
    const day = (await summary("?range=24h")).cost;
    assert.deepEqual(day["by_currency"], live);
    // The rows of decisions give the same figures as the rollups. A range counts its first hour from rows.
    const { rows } = await service.pool.query<Record<string, unknown>>(
      `select currency, decision_mode, count(*)::integer as decisions, sum(cost_minor)::integer as cost,
         sum(cost_dearest_minor - cost_minor)::integer as dearest, count(cost_first_minor)::integer as firsts,
         coalesce(sum(cost_first_minor - cost_minor), 0)::integer as first
       from decisions where workspace_id = $1 and mode = $2 and cost_minor is not null
       group by currency, decision_mode order by currency, decision_mode`,
      [idToHex(workspaceId), MODES.indexOf("live")],
    );
    assert.deepEqual(
      rows.map((row) => ({
        currency: row["currency"],
        decision_mode: DECISION_MODES[row["decision_mode"] as number],
        decisions: row["decisions"],
        estimated_cost_minor: row["cost"],
        saving_vs_most_expensive_minor: row["dearest"],
        first_offered_decisions: row["firsts"],
        saving_vs_first_offered_minor: row["first"],
      })),
      live,
    );
    const [test] = (await summary("?mode=test")).cost["by_currency"] as Record<string, unknown>[];
    // The figures are rounded half up: 15.54, 34.965 and 23.31.
    assert.deepEqual(
      [test?.["estimated_cost_minor"], test?.["saving_vs_most_expensive_minor"]],
      [16, 35 - 16],
    );
  });
});

describe("Outcomes feed retry intelligence", () => {
  it("ANA-3: counts retries by failed provider and failure, with their results, including re-reports", async () => {
    const after = (outcome: string, provider_reason_code?: string): Promise<string> =>
      decide({
        previous_attempt: {
          provider: "provider_1",
          outcome,
          ...(provider_reason_code === undefined ? {} : { provider_reason_code }),
        },
      });
    await report(await after("timeout"), "approved", "provider_2");
    await report(await after("timeout"), "soft_declined", "provider_1");
    const again = await after("timeout");
    await report(again, "timeout", "provider_1");
    // This read waits until the report is stored. Of two reports stored together, only the later one would count.
    await summary();
    await report(again, "approved", "provider_3");
    await after("timeout");
    await report(await after("declined", "stolen_card"), "hard_declined", "provider_2");
    await report(await after("declined", "insufficient_funds"), "approved", "provider_1");
    await report(await after("error"), "step_up_completed", "provider_2");

    const none = { with_outcome: 0, recovered: 0, recovery_rate: null };
    const one = (recovered: number): object => ({ with_outcome: 1, recovered, recovery_rate: recovered });
    const { retries } = await summary();
    assert.deepEqual(retries, {
      since: null,
      by_failure: [
        {
          provider: "provider_1",
          failure_class: "soft_decline",
          decisions: 1,
          ...one(1),
          same_provider: one(1),
          other_provider: none,
        },
        {
          provider: "provider_1",
          failure_class: "hard_decline",
          decisions: 1,
          ...one(0),
          same_provider: none,
          other_provider: one(0),
        },
        {
          provider: "provider_1",
          failure_class: "technical",
          decisions: 1,
          ...one(0),
          same_provider: none,
          other_provider: one(0),
        },
        {
          provider: "provider_1",
          failure_class: "timeout",
          decisions: 4,
          with_outcome: 3,
          recovered: 2,
          recovery_rate: 2 / 3,
          same_provider: one(0),
          other_provider: { with_outcome: 2, recovered: 2, recovery_rate: 1 },
        },
      ],
    });
    assert.deepEqual((await summary("?mode=test")).retries["by_failure"], []);

    // The metric counts every stored report, including the replaced one.
    const labels = 'failed_provider="provider_1",failure_class="timeout"';
    await eventually(async () => {
      const counted = (await (await fetch(service.metricsUrl)).text())
        .split("\n")
        .filter((line) => line.startsWith("payinference_retry_outcomes_total{"))
        .filter((line) => line.includes('failure_class="timeout"'));
      assert.deepEqual(counted.toSorted(), [
        `payinference_retry_outcomes_total{${labels},executed_on="other_provider",recovered="yes"} 2`,
        `payinference_retry_outcomes_total{${labels},executed_on="same_provider",recovered="no"} 2`,
      ]);
    });
  });
});
