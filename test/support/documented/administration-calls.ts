import assert from "node:assert/strict";
import { idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import { bearer, PASSWORD } from "../people/accounts.js";
import { newId } from "../people/tenants.js";
import type { RunningService } from "../service/service.js";
import { untilPasses } from "../waiting/eventually.js";
import type { Callers } from "./account-calls.js";
import { DAY_MS, HOUR_MS } from "./placeholders.js";
import { memberOf, type DocumentedCalls } from "./documented-calls.js";

/** The platform administrator of the service that answers the calls. */
export const ADMIN = { email: "root@pay.example", password: "platform password" };

/** Health, its alerts and pins. */
export async function callHealth(
  calls: DocumentedCalls,
  service: RunningService,
  { key, session, workspaceId }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  await call("listProviderHealth", 200, { headers: key });
  const alertId = newId("alr");
  // A change of health in test mode would open this alert.
  await service.pool.query(
    `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
       confirmed_at)
     values ($1, ${ALERT_KIND_ROWS.workspace_health.code}, $2, 0, 1, 'provider_1', 'provider_1:card:USD', 'CIRCUIT_OPEN', now(), now() + interval '1 hour')`,
    [idToHex(workspaceId), idToHex(alertId)],
  );
  await call("acknowledgeAlert", 404, { headers: session, path: { alertId: newId("alr") } });
  await call("acknowledgeAlert", 200, { headers: session, path: { alertId } });
  await call("listAlerts", 400, { headers: session, query: "?mode=staging" });
  await call("listAlerts", 200, { headers: session, query: "?mode=test" });

  const pin = (status: number, provider: string, body: object) =>
    call("overrideProvider", status, { headers: session, path: { provider }, body });
  await pin(400, "provider_3", {});
  await pin(404, "provider_9", { state: "unavailable" });
  await pin(200, "provider_3", { state: "critical", score: 20.5, payment_method: "card", currency: null });
  await call("listProviderHealth", 200, { headers: key });
  await pin(200, "provider_3", { state: null, payment_method: "card" });
  await call("listDrills", 400, { headers: session, query: "?page_size=26" });
  await call("listDrills", 200, { headers: session });
}

/** Event endpoints and their deliveries. */
export async function callEvents(
  calls: DocumentedCalls,
  service: RunningService,
  { session: headers, workspaceId }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  const url = "https://shop.example.com/events";
  const body = { url, types: ["decision.held", "decision.reviewed"], description: "Checkout" };
  await call("createEventEndpoint", 400, { headers, body: { ...body, url: "http://127.0.0.1/" } });
  const made = await call("createEventEndpoint", 201, { headers, body });
  // No node has the name `nobody`, so this lease stops deliveries. A recording does not need them.
  await service.pool.query(
    "update event_endpoints set leased_by = 'nobody', leased_until = now() + interval '1 day' where workspace_id = $1",
    [idToHex(workspaceId)],
  );
  const path = { id: memberOf(made, "event_endpoint", "id") };
  const unknown = { id: newId("ep") };
  await call("listEventEndpoints", 400, { headers, query: "?page_size=0" });
  await call("listEventEndpoints", 200, { headers });
  await call("getEventEndpoint", 404, { headers, path: unknown });
  await call("getEventEndpoint", 200, { headers, path });
  await call("updateEventEndpoint", 400, { headers, path, body: { types: [] } });
  await call("updateEventEndpoint", 404, { headers, path: unknown, body: {} });
  await call("testEventEndpoint", 404, { headers, path: unknown });
  const tested = await call("testEventEndpoint", 201, { headers, path });
  const delivery = { ...path, deliveryId: memberOf(tested, "delivery", "id") };
  await service.pool.query(
    `update event_deliveries set attempts = 1, last_status = 200, last_tried_at = now(), delivered_at = now(), next_try_at = null
     where workspace_id = $1`,
    [idToHex(workspaceId)],
  );
  await call("listEventDeliveries", 400, { headers, path, query: "?page_size=0" });
  await call("listEventDeliveries", 404, { headers, path: unknown });
  await call("listEventDeliveries", 200, { headers, path });
  await call("redeliverEvent", 404, { headers, path: { ...path, deliveryId: newId("dlv") } });
  await call("redeliverEvent", 201, { headers, path: delivery });
  await call("updateEventEndpoint", 200, { headers, path, body: { status: "disabled" } });
  await call("redeliverEvent", 409, { headers, path: delivery });
  await call("testEventEndpoint", 409, { headers, path });
  await call("deleteEventEndpoint", 404, { headers, path: unknown });
  await call("deleteEventEndpoint", 204, { headers, path });
}

/** Saved views. */
export async function callSavedViews(
  calls: DocumentedCalls,
  { session: headers, ownerId, workspaceId }: Callers,
  service: RunningService,
): Promise<void> {
  const call = calls.call.bind(calls);
  const body = { name: "Cards in Germany", page: "analytics", query: "range=7d&country=DE", is_shared: true };
  await call("createSavedView", 400, { headers, body: { ...body, page: "overview" } });
  const made = await call("createSavedView", 201, { headers, body });
  const path = { id: memberOf(made, "saved_view", "id") };
  const unknown = { id: newId("svw") };
  await call("listSavedViews", 400, { headers, query: "?page_size=0" });
  await call("listSavedViews", 200, { headers, query: "?page=analytics" });
  await call("updateSavedView", 400, { headers, path, body: { name: "" } });
  await call("updateSavedView", 404, { headers, path: unknown, body: { name: "Germany" } });
  await call("updateSavedView", 200, { headers, path, body: { name: "Germany" } });
  await call("deleteSavedView", 404, { headers, path: unknown });
  await call("deleteSavedView", 204, { headers, path });
  await service.pool.query(
    `insert into saved_views (workspace_id, view_id, owner, name, page, query, is_shared)
     select $1, gen_random_uuid(), $2, 'Full', 'decisions', '', false from generate_series(1, 100)`,
    [idToHex(workspaceId), idToHex(ownerId)],
  );
  await call("createSavedView", 409, { headers, body });
  await service.pool.query("delete from saved_views where workspace_id = $1", [idToHex(workspaceId)]);
}

/** Exports. */
export async function callExports(
  calls: DocumentedCalls,
  service: RunningService,
  { session: headers, workspaceId }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  const body = {
    kind: "decisions",
    from: new Date(Date.now() - 30 * DAY_MS).toISOString(),
    to: new Date(Date.now() + HOUR_MS).toISOString(),
    mode: "live",
    format: "csv",
    currency: "USD",
  };
  await call("createExport", 400, { headers, body: { ...body, to: body.from } });
  const made = await call("createExport", 202, { headers, body });
  const path = { id: memberOf(made, "export", "id") };
  const unknown = { id: newId("xpt") };
  await untilPasses(async () => {
    const { rows } = await service.pool.query(
      "select from exports where export_id = $1 and status = 'done'",
      [idToHex(path.id)],
    );
    assert.equal(rows.length, 1);
  });
  await call("listExports", 400, { headers, query: "?page_size=0" });
  await call("listExports", 200, { headers });
  await call("getExport", 404, { headers, path: unknown });
  await call("getExport", 200, { headers, path });
  await call("downloadExport", 404, { headers, path: unknown });
  const { headers: sent } = await call("downloadExport", 200, { headers, path });
  await call("downloadExport", 304, {
    headers: { ...headers, "if-none-match": sent.get("etag") ?? "" },
    path,
  });
  await call("downloadExport", 206, { headers: { ...headers, range: "bytes=0-10" }, path });
  await call("downloadExport", 416, { headers: { ...headers, range: "bytes=1000000-" }, path });
  await service.pool.query("update exports set status = 'expired' where export_id = $1", [idToHex(path.id)]);
  await call("downloadExport", 409, { headers, path });
  await service.pool.query(
    `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters, status)
     select $1, gen_random_uuid(), gen_random_uuid(), 'usage', 'csv', 0, now(), now(), '{}', 'failed'
     from generate_series(1, 100)`,
    [idToHex(workspaceId)],
  );
  await call("createExport", 409, { headers, body });
  await service.pool.query("delete from exports where workspace_id = $1 and status = 'failed'", [
    idToHex(workspaceId),
  ]);
  await call("deleteExport", 404, { headers, path: unknown });
  await call("deleteExport", 204, { headers, path });
}

/** The administration of a workspace by its owner. */
export async function callWorkspace(calls: DocumentedCalls, { session: headers }: Callers): Promise<void> {
  const call = calls.call.bind(calls);
  await call("getWorkspace", 200, { headers });
  await call("updateWorkspace", 400, { headers, body: { risk_block_threshold: 101 } });
  await call("updateWorkspace", 200, {
    headers,
    body: { default_decision_mode: "enforce", risk_block_threshold: 85 },
  });
  const second = { merchant_id: "second_merchant", name: "Kenya" };
  await call("registerMerchant", 400, { headers, body: { ...second, merchant_id: "" } });
  await call("registerMerchant", 201, { headers, body: second });
  await call("registerMerchant", 409, { headers, body: second });
  await call("listMerchants", 400, { headers, query: "?page_size=0" });
  await call("listMerchants", 200, { headers });
  await call("listAuditLog", 400, { headers, query: "?page_size=0" });
  for (const query of ["?page_size=2", "?page_size=100"]) await call("listAuditLog", 200, { headers, query });
  await call("listRequests", 400, { headers, query: "?page_size=0" });
  await call("listRequests", 200, { headers, query: "?mode=live&status=4xx&page_size=1" });
  await call("getUsage", 400, { headers, query: "?from=2026" });
  await call("getUsage", 200, { headers });
}

/** The administration of the deployment by its administrator. */
export async function callPlatform(calls: DocumentedCalls, service: RunningService): Promise<void> {
  const call = calls.call.bind(calls);
  const admin = await call("login", 200, { body: ADMIN });
  const headers = bearer(memberOf(admin, "session", "token"));
  const own = { id: memberOf(admin, "workspace", "id") };
  const other = { id: service.workspaceId };
  const unknown = { id: newId("ws") };
  await call("listWorkspaces", 400, { headers, query: "?page_size=0" });
  await call("listWorkspaces", 200, { headers });
  await call("suspendWorkspace", 404, { headers, path: unknown });
  await call("suspendWorkspace", 409, { headers, path: own });
  await call("suspendWorkspace", 200, { headers, path: other });
  await call("activateWorkspace", 404, { headers, path: unknown });
  await call("activateWorkspace", 200, { headers, path: other });

  const email = "victim@bank.example";
  const release = { email, reason: "Registered by somebody else" };
  const squatted = await call("register", 201, {
    body: { email, password: PASSWORD, workspace_name: "Squatted" },
  });
  await call("releaseAccount", 400, { headers, body: { email } });
  await call("releaseAccount", 409, { headers, body: { ...release, email: ADMIN.email } });
  await call("releaseAccount", 204, { headers, body: release });
  await call("releaseAccount", 404, { headers, body: release });
  await callErasures(calls, service, headers, memberOf(squatted, "workspace", "id"));
  await callSetAside(calls, service, headers);
}

async function callErasures(
  calls: DocumentedCalls,
  service: RunningService,
  headers: Record<string, string>,
  workspaceId: string,
): Promise<void> {
  const call = calls.call.bind(calls);
  const body = { workspace_id: workspaceId };
  await call("createErasure", 400, { headers, body: {} });
  await call("createErasure", 404, { headers, body: { ...body, merchant_id: "nobody" } });
  await call("createErasure", 409, { headers, body });
  await call("suspendWorkspace", 200, { headers, path: { id: workspaceId } });
  // A workspace with an erasure cannot be activated. The service does not run this erasure, because it has failed.
  await service.pool.query(
    `insert into erasures (erasure_id, number, workspace_id, requested_by, proven_in, status)
     select new_ulid(), coalesce(max(number), 0) + 1, $1, $1, $1, 'failed' from erasures`,
    [idToHex(workspaceId)],
  );
  await call("activateWorkspace", 409, { headers, path: { id: workspaceId } });
  await service.pool.query("delete from erasures where workspace_id = $1", [idToHex(workspaceId)]);
  const asked = await call("createErasure", 202, { headers, body });
  const path = { id: memberOf(asked, "erasure", "id") };
  await untilPasses(async () => {
    const { rows } = await service.pool.query(
      "select from erasures where erasure_id = $1 and status = 'done'",
      [idToHex(path.id)],
    );
    assert.equal(rows.length, 1);
  });
  await call("listErasures", 400, { headers, query: "?page_size=0" });
  await call("listErasures", 200, { headers });
  await call("getErasure", 404, { headers, path: { id: newId("ers") } });
  await call("getErasure", 200, { headers, path });
}

async function callSetAside(
  calls: DocumentedCalls,
  service: RunningService,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const call = calls.call.bind(calls);
  const [stored, refused] = [{ id: newId("sas") }, { id: newId("sas") }];
  await setOutcomeAside(service, stored.id, "order_1");
  await setOutcomeAside(service, refused.id, "order_2");
  await service.pool.query(
    "alter table unmatched_outcomes add constraint refuses check (order_id <> 'order_2') not valid",
  );
  const unknown = { id: newId("sas") };
  await call("listSetAside", 400, { headers, query: "?page_size=0" });
  await call("listSetAside", 200, { headers, query: "?page_size=2" });
  await call("getSetAside", 404, { headers, path: unknown });
  await call("getSetAside", 200, { headers, path: stored });
  await call("listAlerts", 200, { headers });
  await call("retrySetAside", 404, { headers, path: unknown });
  await call("retrySetAside", 409, { headers, path: refused });
  await call("retrySetAside", 200, { headers, path: stored });
  const body = { reason: "The customer was paid back by hand" };
  await call("discardSetAside", 400, { headers, path: refused, body: {} });
  await call("discardSetAside", 404, { headers, path: unknown, body });
  await call("discardSetAside", 204, { headers, path: refused, body });
  const left = await call("listSetAside", 200, { headers });
  assert.deepEqual(left.json["records"], []);
}

/** Sets aside an outcome that waited for its decision, and that PostgreSQL refused when the decision arrived. */
async function setOutcomeAside(service: RunningService, setAsideId: string, orderId: string): Promise<void> {
  const decisionId = newId("dec");
  const outcome = {
    position: 0,
    workspace_id: idToUuid(service.workspaceId),
    decision_id: idToUuid(decisionId),
    amount_minor: 129_900,
    reported_at_ms: 1_795_197_600_000,
    provider_latency_ms: 321,
    mode: 0,
    outcome: 0,
    order_id: orderId,
    provider_used: "provider_1",
    currency: "USD",
  };
  await service.pool.query(
    `insert into set_aside (set_aside_id, workspace_id, mode, decision_id, kind, entry, statement, sql_state, message)
     values ($4, $1, 0, $2, 'kept_outcome', $3, 'apply_outcomes', '23514', $5)`,
    [
      outcome.workspace_id,
      outcome.decision_id,
      Buffer.from(JSON.stringify(outcome)),
      idToUuid(setAsideId),
      'new row for relation "unmatched_outcomes" violates check constraint "refuses"',
    ],
  );
}
