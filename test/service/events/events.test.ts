import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { startScriptedServer, type ScriptedServer } from "../../support/http/scripted-server.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createKey, createWorkspace, newId, publish } from "../../support/people/tenants.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

const TYPES = [
  "decision.held",
  "decision.reviewed",
  "policy.published",
  "key.created",
  "key.revoked",
  "alert.opened",
  "alert.closed",
];

let service: RunningService;
let workspaceId: string;
let key: string;
let owner: Dashboard;
let receiver: ScriptedServer;
before(async () => {
  service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY, EVENTS_ALLOW_PRIVATE: "1" });
  workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId);
  owner = await openDashboard(service, workspaceId);
  receiver = await startScriptedServer(
    (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  );
});

interface Event {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

async function create(body: object): Promise<{ id: string; secret: string }> {
  const { status, json, text } = await owner.request("POST", "/v1/event-endpoints", body);
  assert.equal(status, 201, text);
  return { id: (json["event_endpoint"] as { id: string }).id, secret: String(json["secret"]) };
}

const listed = async (id: string) =>
  (await owner.get(`/v1/event-endpoints/${id}/deliveries`)).json["deliveries"] as Record<string, unknown>[];

describe("EVT-3, EVT-12: changes cause events", () => {
  it("a held payment, its review, a publication, a key and an alert", async () => {
    const { id, secret } = await create({ url: `${receiver.url}/all`, types: TYPES });
    const policy = await publish(service, {
      workspaceId,
      key,
      rules: [{ name: "Hold", when: { amount_gte: 500_000 }, then: { type: "hold" } }],
    });
    const transaction = { currency: "USD", country: "US", payment_method: "card", amount: 500_000 };
    const decide = (changes: object) =>
      send(service, "POST", "/v1/decision", { body: decisionBody({ transaction, ...changes }), key });
    const held = await decide({});
    const { decision_id: decisionId } = held.json;
    assert.equal(held.json["action"], "hold");
    // Neither a shadow decision nor a routed one causes an event.
    await decide({ decision_mode: "shadow" });
    await decide({ transaction: { ...transaction, amount: 1 } });
    const review = await owner.request("POST", `/v1/decisions/${String(decisionId)}/review?mode=test`, {
      resolution: "approve",
    });
    assert.equal(review.status, 200, review.text);
    const made = await owner.request("POST", "/v1/api-keys", {
      name: "Checkout",
      mode: "test",
      scopes: ["decision:write"],
    });
    const { id: keyId } = made.json["api_key"] as { id: string };
    await owner.request("DELETE", `/v1/api-keys/${keyId}`);
    const alertId = newId("alr");
    await service.pool.query(
      `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
         confirmed_at) values ($1, 1, $2, 0, 1, 'provider_1', 'provider_1:card:USD', 'CIRCUIT_OPEN', now(), now())`,
      [idToHex(workspaceId), idToHex(alertId)],
    );
    await service.pool.query("update alerts set closed_at = now() where alert_id = $1", [idToHex(alertId)]);

    const eventsOf = (subject: unknown): Event[] =>
      receiver.requests
        .filter(({ line }) => line === "POST /all")
        .map(({ body, headers }) => new Webhook(secret).verify(body, { ...headers }) as Event)
        .filter(({ data }) => Object.values(data).includes(subject));
    await eventually(async () => {
      for (const [subject, types] of [
        [policy.policy_id, ["policy.published"]],
        [decisionId, ["decision.held", "decision.reviewed"]],
        [keyId, ["key.created", "key.revoked"]],
        [alertId, ["alert.opened", "alert.closed"]],
      ] as const) {
        assert.deepEqual(
          eventsOf(subject).map(({ type }) => type),
          types,
        );
      }
    });
    const [heldEvent, reviewed] = eventsOf(decisionId);
    assert.deepEqual(heldEvent?.data, {
      decision_id: decisionId,
      mode: "test",
      merchant_id: "demo_merchant",
      order_id: "order_1",
      amount: 500_000,
      currency: "USD",
      primary_provider: (held.json["route"] as { primary_provider: string }).primary_provider,
    });
    assert.equal(reviewed?.data["resolution"], "approve");
    assert.equal(reviewed?.data["resolved_by"], owner.userId);
    assert.equal(reviewed?.data["order_id"], "order_1");
    assert.match(heldEvent?.timestamp ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // The receiver has an event a moment before the node has noted its answer.
    await eventually(async () => {
      const states = new Set((await listed(id)).map(({ state }) => state));
      assert.deepEqual(states, new Set(["delivered"]));
    });
    const heldTold = (await listed(id)).filter(({ type }) => type === "decision.held");
    assert.equal(heldTold.length, 1);
    await owner.request("DELETE", `/v1/event-endpoints/${id}`);
  });
});

describe("EVT-1: endpoints are people's", () => {
  it("a key manages none, with any scopes", async () => {
    const body = { url: receiver.url, types: ["key.created"] };
    const { status, json } = await send(service, "POST", "/v1/event-endpoints", { body, key });
    assert.deepEqual([status, json["message"]], [403, "A dashboard session is required"]);
    assert.equal((await send(service, "GET", "/v1/event-endpoints", { key })).status, 403);
  });
});

describe("EVT-6: tests and redeliveries", () => {
  it("are sent like every other event, a redelivery with the same id", async () => {
    const { id } = await create({ url: `${receiver.url}/slack`, types: ["key.created"], format: "slack" });
    const tested = await owner.request("POST", `/v1/event-endpoints/${id}/test`);
    assert.equal(tested.status, 201, tested.text);
    const delivery = tested.json["delivery"] as { id: string; event_id: string; type: string };
    assert.equal(delivery.type, "endpoint.test");
    const arrived = () => receiver.requests.filter(({ line }) => line === "POST /slack");
    await eventually(async () => assert.equal(arrived().length, 1));
    await eventually(async () => assert.equal((await listed(id))[0]?.["state"], "delivered"));
    const path = `/v1/event-endpoints/${id}/deliveries/${delivery.id}/redeliver`;
    assert.equal((await owner.request("POST", path)).status, 201);
    await eventually(async () => assert.equal(arrived().length, 2));
    assert.deepEqual(
      arrived().map(({ headers }) => headers["webhook-id"]),
      [delivery.event_id, delivery.event_id],
    );
    assert.deepEqual(JSON.parse(arrived()[0]?.body ?? ""), {
      text: "This is a test of PayInference's events",
    });
  });
});

describe("EVT-2, EVT-4, EVT-5: endpoints", () => {
  it("are listed in pages without their secret, changed and deleted, and each change is audited", async () => {
    const ids: string[] = [];
    const secrets: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const url = `${receiver.url}/hidden-${name}`;
      const { id, secret } = await create({ url, types: ["key.created"], description: name });
      ids.unshift(id);
      secrets.push(secret);
    }
    const page = await owner.get("/v1/event-endpoints?page_size=2");
    const found = page.json["event_endpoints"] as { id: string }[];
    assert.deepEqual([found.map(({ id }) => id), page.json["has_more"]], [ids.slice(0, 2), true]);
    const next = await owner.get(`/v1/event-endpoints?page_size=2&starting_after=${ids[1]}`);
    assert.equal((next.json["event_endpoints"] as { id: string }[])[0]?.id, ids[2]);
    for (const secret of secrets) assert.ok(!page.text.includes(secret));

    const one = await owner.get(`/v1/event-endpoints/${ids[1]}`);
    assert.deepEqual([one.status, one.json], [200, { event_endpoint: found[1] }]);

    const changed = await owner.request("PATCH", `/v1/event-endpoints/${ids[0]}`, { types: ["key.revoked"] });
    const { types, description, status } = changed.json["event_endpoint"] as Record<string, unknown>;
    assert.deepEqual([types, description, status], [["key.revoked"], "c", "enabled"]);
    assert.equal((await owner.request("DELETE", `/v1/event-endpoints/${ids[0]}`)).status, 204);
    assert.equal((await owner.request("DELETE", `/v1/event-endpoints/${ids[0]}`)).status, 404);
    const audit = await owner.get("/v1/admin/audit-log?page_size=100");
    const entries = (audit.json["entries"] as { action: string; resource: string }[]).filter(
      ({ resource }) => resource === ids[0],
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["event_endpoint.deleted", "event_endpoint.updated", "event_endpoint.created"],
    );
    assert.ok(!audit.text.includes("hidden-"));
    const { rows } = await service.pool.query("select sealed from event_endpoints where workspace_id = $1", [
      idToHex(workspaceId),
    ]);
    for (const secret of secrets) assert.ok(!JSON.stringify(rows).includes(secret.slice(6)));
    assert.ok(!service.log().includes("hidden-"), service.log());
  });

  it("another workspace's look unknown", async () => {
    const { id } = await create({ url: `${receiver.url}/own`, types: ["key.created"] });
    const stranger = await openDashboard(service, await createWorkspace(service));
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", {}],
      ["DELETE", ""],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["POST", `/deliveries/${newId("dlv")}/redeliver`],
    ] as const) {
      const foreign = await stranger.request(method, `/v1/event-endpoints/${id}${path}`, body);
      const unknown = await stranger.request(method, `/v1/event-endpoints/${newId("ep")}${path}`, body);
      assert.deepEqual([foreign.status, foreign.text], [404, unknown.text], method + path);
    }
  });

  it("one more than 100 is refused", async () => {
    const other = await openDashboard(service, await createWorkspace(service));
    const add = () =>
      other.request("POST", "/v1/event-endpoints", { url: receiver.url, types: ["export.ready"] });
    for (let made = 0; made < LIMITS.eventEndpointsMax; made++) assert.equal((await add()).status, 201);
    const { status, json } = await add();
    assert.deepEqual([status, json["message"]], [409, "Limit of 100 event endpoints reached"]);
  });
});
