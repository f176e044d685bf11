import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { PASSWORD, bearer, newEmail, register } from "../../support/people/accounts.js";
import { DocumentedCalls, memberOf } from "../../support/generators/documented-calls.js";
import {
  decisionBody,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { newId } from "../../support/people/tenants.js";
import { WEBHOOK_SECRET_KEY, feeBody, secretOf, signatureOf } from "../../support/service/webhooks.js";

/**
 * Calls every operation of the document once, on a service with data. A validator that is not the service's own checks
 * each reply against the document; `send` checks it with Ajv.
 */
const PLATFORM = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };
/** An operation that has its own listener, for scraping. */
const ELSEWHERE = "getMetrics";

let service: RunningService;
let calls: DocumentedCalls;
const call: DocumentedCalls["call"] = (...given) => calls.call(...given);

before(async () => {
  service = await startTestService({
    ...PLATFORM,
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
  });
  const reply = await sendRead(service, "GET", "/openapi.json", { key: null });
  calls = new DocumentedCalls(service, reply.json);
});

/** Sets an outcome aside, as when its decision arrived and PostgreSQL then refused the outcome. */
async function setOutcomeAside(orderId: string): Promise<void> {
  const outcome = {
    position: 0,
    workspace_id: idToHex(service.workspaceId),
    decision_id: idToHex(newId("dec")),
    amount_minor: 1,
    reported_at_ms: 1,
    provider_latency_ms: 1,
    mode: 0,
    outcome: 0,
    order_id: orderId,
    provider_used: "provider_1",
    currency: "USD",
  };
  await service.pool.query(
    `insert into set_aside (set_aside_id, workspace_id, mode, decision_id, kind, entry, statement, sql_state, message)
     values (new_ulid(), $1, 0, $2, 'kept_outcome', $3, 'apply_outcomes', '23514', 'refused')`,
    [outcome.workspace_id, outcome.decision_id, Buffer.from(JSON.stringify(outcome))],
  );
}

describe("OpenAPI: every operation answers as documented", () => {
  let session: Record<string, string>;
  let key: string;
  let workspaceId: string;
  const email = newEmail();
  const MERCHANT = { merchantId: "demo_merchant" };

  it("the service itself", async () => {
    await call("getHealth", 200);
    await call("getReadiness", 200);
    const reply = await call("getOpenApi", 200);
    await call("getOpenApi", 304, { headers: { "if-none-match": reply.headers.get("etag") ?? "" } });
  });

  it("accounts and API keys", async () => {
    const body = {
      email,
      password: PASSWORD,
      name: "Ada",
      workspace_name: "Shop",
      merchant_id: "demo_merchant",
    };
    await call("register", 201, { body });
    const reply = await call("login", 200, { body: { email, password: PASSWORD } });
    session = bearer(memberOf(reply, "session", "token"));
    workspaceId = memberOf(reply, "workspace", "id");
    await call("getAccount", 200, { headers: session });
    const scopes = ["decision:write", "outcome:write", "health:read", "policy:read", "policy:write"];
    const made = await call("createApiKey", 201, {
      headers: session,
      body: { name: "All", mode: "test", scopes, expires_at: "2099-12-31T23:59:59+01:00" },
    });
    key = memberOf(made, "secret");
    const scoped = await call("createApiKey", 201, {
      headers: session,
      body: { name: "One", mode: "live", scopes: ["health:read"], merchant_id: "demo_merchant" },
    });
    await call("revokeApiKey", 200, { headers: session, path: { id: memberOf(scoped, "api_key", "id") } });
    await call("listApiKeys", 200, { headers: session });
  });

  it("the team", async () => {
    const invited = newEmail();
    const invite = await call("inviteMember", 201, {
      headers: session,
      body: { email: invited, role: "analyst" },
    });
    await call("getTeam", 200, { headers: session });
    const accepted = await call("acceptInvitation", 201, {
      body: { token: memberOf(invite, "token"), name: "Bea", password: PASSWORD },
    });
    const path = { userId: memberOf(accepted, "user", "user_id") };
    await call("changeMemberRole", 200, { headers: session, path, body: { role: "developer" } });
    await call("getTeam", 200, { headers: session });
    await call("removeMember", 204, { headers: session, path });
  });

  it("policies, prices and webhooks", async () => {
    const when = { amount_gte: 200_000, currency_in: ["USD"] };
    const policy = {
      default_provider: "provider_3",
      rules: [
        { name: "Hold large orders", when, then: { type: "hold", reason_code: "LARGE_ORDER" } },
        { name: "Prefer", when: {}, then: { type: "preferred_provider", provider: "provider_2" } },
        { name: "Cost", when: {}, then: { type: "max_cost", max_effective_bps: 900 } },
      ],
    };
    const headers = { "x-api-key": key };
    const body = { merchant_id: "demo_merchant", name: "Main", ...policy };
    await call("createPolicy", 200, { headers, body: { ...body, publish: true } });
    const draft = await call("createPolicy", 200, { headers, body: { ...body, name: "Next" } });
    await call("publishPolicy", 200, { headers, path: { policyId: memberOf(draft, "policy", "policy_id") } });
    await call("listPolicies", 200, { headers, path: MERCHANT });
    const text = "Block payments over 5000 USD from guests. Sing a song.";
    await call("translatePolicy", 200, { headers, body: { merchant_id: "demo_merchant", text } });
    const { order_id: _, ...sample } = decisionBody();
    await call("simulatePolicy", 200, { headers, body: { ...sample, policy } });
    const price = { provider: "provider_1", payment_method: "card", currency: "USD", fixed_minor: 30 };
    const contract = {
      merchant_id: "demo_merchant",
      contract_name: "2026",
      effective_from: "2020-01-01T00:00:00Z",
      rules: [{ ...price, percentage_bps: 290.1 }],
    };
    await call("uploadPricing", 200, { headers, body: contract });
    await call("listPricing", 200, { headers, path: MERCHANT });
    const secret = secretOf("shop");
    const provider = { provider: "provider_1" };
    const rotated = { merchant_id: "demo_merchant", secret };
    await call("setWebhookSecret", 200, { headers: session, path: provider, body: rotated });
    await call("setWebhookSecret", 200, {
      headers: session,
      path: { provider: "provider_2" },
      body: { merchant_id: "demo_merchant" },
    });
    await call("listIntegrations", 200, { headers: session });
    const fee = feeBody();
    const timestamp = Math.floor(Date.now() / 1000);
    await call("receiveProviderWebhook", 200, {
      path: { providerSlug: "provider_1", ...MERCHANT },
      body: fee,
      headers: {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureOf(secret, "evt_1", timestamp, fee),
      },
    });
  });

  it("decisions, their outcomes and reviews", async () => {
    const headers = { "x-api-key": key };
    const idempotent = { ...headers, "idempotency-key": "order_1" };
    const previous_attempt = { provider: "provider_1", outcome: "timeout", provider_reason_code: "05" };
    const body = decisionBody({ previous_attempt, risk_signals: { velocity_count_10m: 3 } });
    const decided = await call("createDecision", 200, { headers: idempotent, body });
    await call("createDecision", 200, { headers: idempotent, body: decisionBody() });
    const path = { decisionId: memberOf(decided, "decision_id") };
    const outcome = {
      decision_id: path.decisionId,
      order_id: "order_1",
      provider_used: "provider_2",
      outcome: "declined",
      provider_latency_ms: 420,
      provider_reason_code: "05",
      amount: 129_900,
      currency: "USD",
      created_at: "2026-02-28T10:00:00.5+05:30",
    };
    await call("reportOutcome", 200, { headers, body: outcome });
    await call("getDecision", 200, { headers, path });
    await call("replayDecision", 200, { headers, path });
    const transaction = { amount: 300_000, currency: "USD", country: "US", payment_method: "card" };
    const shadow = decisionBody({ order_id: "order_2", decision_mode: "shadow" });
    await call("createDecision", 200, { headers, body: shadow });
    for (const [order_id, review] of [
      ["order_3", { resolution: "approve" }],
      ["order_4", { resolution: "reject", note: "Not theirs." }],
    ] as const) {
      const held = await call("createDecision", 200, {
        headers,
        body: decisionBody({ order_id, transaction }),
      });
      assert.equal(memberOf(held, "action"), "hold");
      const reviewed = { decisionId: memberOf(held, "decision_id") };
      await call("resolveReview", 200, {
        headers: session,
        query: "?mode=test",
        path: reviewed,
        body: review,
      });
      await call("getDecision", 200, { headers, path: reviewed });
    }
    for (const query of ["", "?page_size=1", "?action=hold&unresolved=false&range=24h"]) {
      await call("listDecisions", 200, { headers, query });
    }
    await call("getDecisionAggregate", 200, { headers });
    await call("getShadowReport", 200, { headers, query: "?days=7" });
    const draft = { rules: [{ name: "Block", when: {}, then: { type: "block" } }] };
    await call("backtestPolicy", 200, { headers, body: { merchant_id: "demo_merchant", policy: draft } });
    await call("getAnalyticsSummary", 200, { headers: session, query: "?mode=test&range=7d" });
  });

  it("health and alerts", async () => {
    await call("listProviderHealth", 200, { headers: { "x-api-key": key } });
    const alertId = newId("alr");
    // Opens an alert like a change of test mode's health.
    await service.pool.query(
      `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
         confirmed_at)
       values ($1, ${ALERT_KIND_ROWS.workspace_health.code}, $2, 0, 1, 'provider_1', 'provider_1:card:USD', 'CIRCUIT_OPEN', now(), now() + interval '1 hour')`,
      [idToHex(workspaceId), idToHex(alertId)],
    );
    await call("acknowledgeAlert", 200, { headers: session, path: { alertId } });
    await call("listAlerts", 200, { headers: session, query: "?mode=test" });
    const pin = { state: "critical", score: 20.5, payment_method: "card", currency: null };
    const path = { provider: "provider_4" };
    await call("overrideProvider", 200, { headers: session, path, body: pin });
    await call("listProviderHealth", 200, { headers: { "x-api-key": key } });
    await call("overrideProvider", 200, { headers: session, path, body: { state: null } });
  });

  it("administration of workspaces and of the platform", async () => {
    await call("updateWorkspace", 200, { headers: session, body: { risk_block_threshold: 80 } });
    await call("getWorkspace", 200, { headers: session });
    await call("registerMerchant", 201, {
      headers: session,
      body: { merchant_id: "second", name: "Second" },
    });
    await call("listMerchants", 200, { headers: session });
    await call("listAuditLog", 200, { headers: session, query: "?page_size=100" });
    await call("getUsage", 200, { headers: session });
    const admin = await call("login", 200, {
      body: { email: PLATFORM.PLATFORM_ADMIN_EMAIL, password: PLATFORM.PLATFORM_ADMIN_PASSWORD },
    });
    const headers = bearer(memberOf(admin, "session", "token"));
    await call("listWorkspaces", 200, { headers });
    const path = { id: service.workspaceId };
    await call("suspendWorkspace", 200, { headers, path });
    await call("activateWorkspace", 200, { headers, path });
    const squatter = await register(service);
    await call("releaseAccount", 204, { headers, body: { email: squatter.email, reason: "Not theirs" } });
    await call("listSetAside", 200, { headers });
    for (const order of ["order_1", "order_2"]) await setOutcomeAside(order);
    const listed = await call("listSetAside", 200, { headers, query: "?page_size=2" });
    const [first, second] = (listed.json["records"] as { set_aside_id: string }[]).map(
      ({ set_aside_id: id }) => ({ id }),
    );
    assert.ok(first !== undefined && second !== undefined);
    await call("getSetAside", 200, { headers, path: first });
    await call("listAlerts", 200, { headers });
    await call("retrySetAside", 200, { headers, path: first });
    await call("discardSetAside", 204, { headers, path: second, body: { reason: "A test payment" } });
    await call("logout", 204, { headers: session });
  });

  it("API-5: the calls above cover every documented operation and status", () => {
    const documented = calls.successes().filter((success) => !success.startsWith(ELSEWHERE));
    assert.deepEqual([...calls.calledOperations].toSorted(), documented.toSorted());
  });
});
