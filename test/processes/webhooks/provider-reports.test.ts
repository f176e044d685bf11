import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  dropOldWebhooks,
  loadProviderReports,
} from "../../../src/features/webhooks/queries/provider-report.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { signIn } from "../../support/people/feedback.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { feeBody, secretOf, sendWebhook, WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

type Shown = Record<string, unknown>;

const SETTINGS = { SECRET_KEY: WEBHOOK_SECRET_KEY, WEBHOOK_RATE_LIMIT_PER_MINUTE: "0" };
let service: RunningService;
/** Another node on the same database. */
let node: RunningService;
before(async () => {
  service = await startTestService(SETTINGS);
  const url = service.pool.options.connectionString ?? "";
  node = await startTestService({ ...SETTINGS, DATABASE_URL: url, DEMO: "0" });
});

interface Tenant {
  workspaceId: string;
  secret: string;
  keys: { test: string; live: string };
}
/** A workspace whose merchant `shop` gets webhooks from provider_1. */
async function newTenant(): Promise<Tenant> {
  const workspaceId = await createWorkspace(service, { merchants: ["shop"] });
  const { token } = await signIn(service.pool, workspaceId, "owner");
  const secret = secretOf(workspaceId);
  const put = await send(service, "PUT", "/v1/integrations/provider_1/webhook-secret", {
    body: { merchant_id: "shop", secret },
    key: null,
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(put.status, 200, put.text);
  const keys = {
    test: await createKey(service.pool, workspaceId),
    live: await createKey(service.pool, workspaceId, { mode: "live" }),
  };
  return { workspaceId, secret, keys };
}

async function tell({ secret }: Tenant, type: string, data: object = {}, at = Date.now()): Promise<void> {
  const body = JSON.stringify({ type, created_at: new Date(at).toISOString(), data });
  const { status, json, text } = await sendWebhook(service, { secret, body });
  assert.deepEqual([status, json["status"]], [200, "accepted"], text);
}
const open = (tenant: Tenant, data: object = {}, at?: number): Promise<void> =>
  tell(tenant, "provider.incident_opened", data, at);
const close = (tenant: Tenant, data: object = {}, at?: number): Promise<void> =>
  tell(tenant, "provider.incident_closed", data, at);

async function segment(key: string, name = "provider_1:card:USD", on = service): Promise<Shown> {
  const { json } = await send(on, "GET", "/v1/provider-health", { key });
  return (json["providers"] as Shown[]).find((row) => row["segment_key"] === name) ?? {};
}
async function decide(key: string, changes: object = {}): Promise<Shown> {
  const body = decisionBody({
    merchant_id: "shop",
    available_providers: ["provider_1", "provider_2"],
    transaction: { amount: 1000, currency: "USD", country: "US", payment_method: "card" },
    ...changes,
  });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json;
}
const stateIs = (key: string, state: string, on = service): Promise<void> =>
  eventually(async () => assert.equal((await segment(key, undefined, on))["state"], state));

describe("incidents and lag of provider webhooks feed health", () => {
  it("an incident degrades the provider for this workspace, in both modes, until it is closed", async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    await stateIs(tenant.keys.live, "healthy");
    await open(tenant, { incident_id: "inc-1", description: "4111111111111111" });
    await stateIs(tenant.keys.live, "degraded");
    await stateIs(tenant.keys.test, "degraded");
    assert.ok(
      ((await segment(tenant.keys.live))["reason_codes"] as string[]).includes(
        "PROVIDER_1_INCIDENT_REPORTED",
      ),
    );
    assert.equal((await segment(tenant.keys.live, "provider_2:card:USD"))["state"], "healthy");
    await stateIs(other.keys.live, "healthy");

    const decision = await decide(tenant.keys.live, {
      previous_attempt: { provider: "provider_1", outcome: "timeout" },
    });
    assert.deepEqual(
      [decision["action"], (decision["route"] as Shown)["primary_provider"]],
      ["failover", "provider_2"],
    );
    await close(tenant, { incident_id: "inc-1" });
    await stateIs(tenant.keys.live, "healthy");
  });

  it("ALRT-3: an incident opens alerts of this workspace in both modes, and its end closes them", async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    const { token } = await signIn(service.pool, tenant.workspaceId, "analyst");
    const stranger = await signIn(service.pool, other.workspaceId, "analyst");
    const alertsOf = async (as: string, mode: string): Promise<Shown[]> => {
      const path = `/v1/alerts?mode=${mode}`;
      const headers = { authorization: `Bearer ${as}` };
      const { status, json, text } = await sendRead(service, "GET", path, { key: null, headers });
      assert.equal(status, 200, text);
      return (json["alerts"] as Shown[]).filter(({ kind }) => kind === "workspace_health");
    };
    const incident = { incident_id: "alerting", payment_method: "card", currency: "USD", severity: "major" };
    await open(tenant, incident);
    for (const mode of ["live", "test"]) {
      await eventually(async () => {
        const [alert, ...others] = await alertsOf(token, mode);
        assert.deepEqual(
          [alert?.["segment_key"], alert?.["severity"], alert?.["reason_code"], alert?.["closed_at"]],
          ["provider_1:card:USD", "warning", "PROVIDER_1_INCIDENT_REPORTED", null],
        );
        assert.deepEqual(others, []);
      });
    }
    assert.deepEqual(await alertsOf(stranger.token, "live"), []);
    await close(tenant, { incident_id: "alerting" });
    for (const mode of ["live", "test"]) {
      await eventually(async () => {
        const alerts = await alertsOf(token, mode);
        assert.equal(alerts.length, 1);
        assert.notEqual(alerts[0]?.["closed_at"], null);
      });
    }
  });

  it("an incident reaches the other nodes, and survives kill -9", async () => {
    const tenant = await newTenant();
    await open(tenant, { severity: "critical" });
    await stateIs(tenant.keys.live, "critical", node);
    await stateIs(tenant.keys.live, "critical");
    await service.killAndRestart();
    assert.equal((await segment(tenant.keys.live))["state"], "critical");
    assert.equal(
      ((await decide(tenant.keys.live))["route"] as Shown)["primary_provider"],
      "provider_2",
      "critical rules out",
    );
    await close(tenant);
    await stateIs(tenant.keys.live, "healthy", node);
  });

  it("the newest report applies, in any order of arrival; a close without an id closes all", async () => {
    const tenant = await newTenant();
    const now = Date.now();
    await close(tenant, { incident_id: "late" }, now - 1000);
    await open(tenant, { incident_id: "late" }, now - 2000);
    await open(tenant, { incident_id: "a", severity: "critical" }, now - 3000);
    await open(tenant, { incident_id: "b", severity: "minor" }, now - 3000);
    await stateIs(tenant.keys.live, "critical");
    await close(tenant, { incident_id: "a" }, now);
    await stateIs(tenant.keys.live, "watch");
    await close(tenant, {}, now);
    await stateIs(tenant.keys.live, "healthy");
    // A time in the future counts as the time of receipt. Otherwise no later report could close the incident.
    await open(tenant, {}, now + 86_400_000);
    await stateIs(tenant.keys.live, "degraded");
    await close(tenant, {}, Date.now() + 1);
    await stateIs(tenant.keys.live, "healthy");
  });

  it("an incident that nobody closes ends after a day", async () => {
    const tenant = await newTenant();
    await open(tenant);
    const of = async (nowMs: number): Promise<unknown> =>
      (await loadProviderReports(service.pool, nowMs)).find(
        ({ workspaceId }) => workspaceId === tenant.workspaceId,
      )?.incidents.length;
    assert.equal(await of(Date.now()), 1);
    assert.equal(await of(Date.now() + LIMITS.incidentLifeMs), undefined);
  });

  it("webhook_lag_seconds is the median time from created_at to receipt, within 10 s on every node", async () => {
    // No notification announces a lag. Each node reads the lags at this interval, and later on a starved host.
    assert.ok(TUNING.providerReportsIntervalMs <= 10_000);
    const tenant = await newTenant();
    const now = Date.now();
    for (const lagSeconds of [120, 120, 86_400])
      await tell(tenant, "payment.settled", {}, now - lagSeconds * 1000);
    await tell(await newTenant(), "payment.settled", {}, now - 1000);
    for (const on of [service, node]) {
      const check = async () => {
        const { webhook_lag_seconds: lag } = await segment(tenant.keys.live, undefined, on);
        assert.ok(Number(lag) >= 120 && Number(lag) < 140, String(lag));
      };
      await eventually(check);
    }
    const lagging = await segment(tenant.keys.live);
    const usual = await segment((await newTenant()).keys.live);
    assert.ok(Number(usual["webhook_lag_seconds"]) < TUNING.webhookLagSecondsMin);
    assert.ok(Number(lagging["score"]) < Number(usual["score"]));
  });
});

describe("webhooks are not kept forever", () => {
  it("webhooks that no sender repeats are deleted, except the newest of a route; fees and prices stay", async () => {
    const tenant = await newTenant();
    const nowMs = Date.now();
    const ids = ["old-1", "old-2", "new"];
    for (const id of ids) {
      const { status } = await sendWebhook(service, { id, secret: tenant.secret, body: feeBody() });
      assert.equal(status, 200);
    }
    const age = (id: string, ms: number): Promise<unknown> =>
      service.pool.query(
        "update webhook_events set received_at = $3 where workspace_id = $1 and webhook_id = $2",
        [idToHex(tenant.workspaceId), id, new Date(nowMs - ms)],
      );
    const kept = async (table: string): Promise<string[]> => {
      const { rows } = await service.pool.query<{ id: string }>(
        `select ${table === "webhook_events" ? "webhook_id" : "fee_id::text"} as id from ${table}
         where workspace_id = $1 order by 1`,
        [idToHex(tenant.workspaceId)],
      );
      return rows.map(({ id }) => id);
    };
    await age("old-1", LIMITS.webhookEventsKeptMs + 2000);
    await age("old-2", LIMITS.webhookEventsKeptMs - 60_000);
    await dropOldWebhooks(service.pool, nowMs);
    assert.deepEqual(await kept("webhook_events"), ["new", "old-2"]);
    await age("old-2", LIMITS.webhookEventsKeptMs + 2000);
    await age("new", LIMITS.webhookEventsKeptMs + 1000);
    await dropOldWebhooks(service.pool, nowMs);
    assert.deepEqual(await kept("webhook_events"), ["new"]);
    assert.equal((await kept("observed_fees")).length, 3);
  });

  it("expired incidents are deleted too", async () => {
    const tenant = await newTenant();
    await open(tenant, { incident_id: "forgotten" });
    const count = async (): Promise<unknown> => {
      const { rows } = await service.pool.query<{ count: number }>(
        "select count(*)::int as count from provider_incidents where workspace_id = $1",
        [idToHex(tenant.workspaceId)],
      );
      return rows[0]?.count;
    };
    await dropOldWebhooks(service.pool, Date.now());
    assert.equal(await count(), 1);
    await dropOldWebhooks(service.pool, Date.now() + LIMITS.incidentLifeMs + 1);
    assert.equal(await count(), 0);
  });
});
