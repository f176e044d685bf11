import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { atOnce } from "../../support/service/at-once.js";
import { signIn } from "../../support/people/feedback.js";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import {
  eventually,
  send,
  sendRead,
  startTestService,
  untilAnswered,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, setWorkspaceStatus } from "../../support/people/tenants.js";
import {
  feeBody,
  secretOf,
  sendWebhook,
  signatureOf,
  WEBHOOK_SECRET_KEY,
  type WebhookOptions,
} from "../../support/service/webhooks.js";

let service: RunningService;
/** A node with its own database, without SECRET_KEY and with a rate limit. */
let keyless: RunningService;
let workspaceId: string;
let token: string;
before(async () => {
  service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY, WEBHOOK_RATE_LIMIT_PER_MINUTE: "0" });
  workspaceId = await createWorkspace(service, { merchants: ["shop", "rotating", "shared", "bare"] });
  token = (await signIn(service.pool, workspaceId, "developer")).token;
  await set({ merchant_id: "shop", secret: secretOf("shop") });
  keyless = await startTestService({ WEBHOOK_RATE_LIMIT_PER_MINUTE: "3", TRUST_PROXY_HOPS: "1" });
});

const put = (body: object, as = token, provider = "provider_1"): Promise<Reply> =>
  send(service, "PUT", `/v1/integrations/${provider}/webhook-secret`, {
    body,
    key: null,
    headers: { authorization: `Bearer ${as}` },
  });
/** Puts a secret that is valid as soon as the answer arrives. */
const set = (body: { merchant_id: string; secret?: string }, as = token): Promise<Reply> =>
  atOnce(
    () => put(body, as),
    async (reply) => {
      assert.equal(reply.status, 200, reply.text);
      const secret = body.secret ?? String(reply.json["secret"]);
      // The webhook is signed but not JSON. It gets 401 while the secret is unknown, and is never stored.
      const signed = await sendWebhook(service, { merchantId: body.merchant_id, secret, body: "{" });
      assert.equal(signed.status, 400, signed.text);
      return reply;
    },
  );
const deliver = async (options: WebhookOptions = {}): Promise<[status: number, said: unknown]> => {
  const { status, json } = await sendWebhook(service, options);
  return [status, json["status"] ?? json["message"] ?? json["error"]];
};
const ACCEPTED = [200, "accepted"];
const REFUSED = [401, "Invalid webhook signature"];
const eventsOf = async (merchantId: string, workspace = workspaceId) => {
  const { rows } = await service.pool.query<{ webhook_id: string; type: string; data: unknown }>(
    "select webhook_id, type, data from webhook_events where workspace_id = $1 and merchant_id = $2",
    [idToHex(workspace), merchantId],
  );
  return rows;
};

describe("POST /v1/provider-webhooks/:providerSlug/:merchantId", () => {
  it("HOOK-1, HOOK-5, HOOK-6, HOOK-7, HOOK-8: accepts each known type, and answers an unknown one with ignored and stores it without its data", async () => {
    for (const [type, status] of [
      ["payment.settled", "accepted"],
      ["provider.incident_opened", "accepted"],
      ["provider.incident_closed", "accepted"],
      ["payment.imagined", "ignored"],
    ] as const) {
      const body = feeBody({}, { type, data: { anything: ["4111111111111111"] } });
      assert.deepEqual(await deliver({ id: type, body }), [200, status]);
    }
    assert.deepEqual(await deliver({ id: "fee" }), ACCEPTED);
    const events = await eventsOf("shop");
    assert.deepEqual(events.map(({ webhook_id }) => webhook_id).toSorted(), [
      "fee",
      "payment.imagined",
      "payment.settled",
      "provider.incident_closed",
      "provider.incident_opened",
    ]);
    assert.ok(!JSON.stringify(events).includes("4111"));
  });

  it("DUR-14: a webhook that PostgreSQL refuses for its content is answered ignored and counted, and the next is stored", async () => {
    await service.pool.query(
      "alter table webhook_events add constraint outsider check (webhook_id <> 'refused') not valid",
    );
    assert.deepEqual(await deliver({ id: "refused" }), [200, "ignored"]);
    assert.deepEqual(await deliver({ id: "behind-it" }), ACCEPTED);
    await service.pool.query("alter table webhook_events drop constraint outsider");
    assert.equal(
      (await eventsOf("shop")).some(({ webhook_id }) => webhook_id === "refused"),
      false,
    );
    const metrics = await (await fetch(service.metricsUrl)).text();
    assert.match(metrics, /^payinference_records_skipped_total\{record="webhook_event"\} 1$/m);
    // A webhook that was refused for a while is accepted when it is delivered again.
    assert.deepEqual(await deliver({ id: "refused" }), ACCEPTED);
    await service.pool.query("delete from webhook_events where webhook_id in ('refused', 'behind-it')");
  });

  it("HOOK-6: acknowledges an unknown type with any fields", async () => {
    const type = "payment.imagined";
    const bodies: unknown[] = [
      { type },
      { type, created_at: "today", data: {} },
      { type, created_at: 5, data: null, more: { deep: [1] } },
      { type, created_at: new Date().toISOString(), data: "text", amount: -1 },
      { type: "Something new!", created_at: new Date().toISOString(), data: {} },
      { type: "x".repeat(300) },
    ];
    for (const [index, body] of bodies.entries()) {
      const delivery = { id: `whatever-${index}`, body: JSON.stringify(body) };
      assert.deepEqual(await deliver(delivery), [200, "ignored"], delivery.body);
      assert.deepEqual(await deliver(delivery), [200, "duplicate"], delivery.body);
    }
    const rounded = `{"type":"${type}","amount":12500.0000000000000000001}`;
    assert.deepEqual(await deliver({ id: "whatever-rounded", body: rounded }), [200, "ignored"]);
    const events = (await eventsOf("shop")).filter(({ webhook_id }) => webhook_id.startsWith("whatever-"));
    assert.equal(events.length, bodies.length + 1);
    // The name of an unknown type is not kept.
    assert.deepEqual(new Set(events.map((event) => event.type)), new Set([type, "unknown"]));
    assert.ok(events.every(({ data }) => data === null));
  });

  it("HOOK-6, HOOK-7: still refuses a known type with a wrong field, and a body without a type", async () => {
    for (const body of [
      { type: "payment.settled", created_at: "today", data: {} },
      { type: "provider.incident_opened", data: {} },
      { type: 5, created_at: new Date().toISOString(), data: {} },
      { type: "", created_at: new Date().toISOString(), data: {} },
      { created_at: new Date().toISOString(), data: {} },
      [{ type: "payment.imagined" }],
    ]) {
      const reply = await sendWebhook(service, { body: JSON.stringify(body) });
      assert.equal(reply.status, 400, reply.text);
    }
  });

  it("HOOK-8: stores a fee once, with its payment", async () => {
    const id = "one-fee";
    const data = { payment_method: "wallet", country: "DE", currency: "EUR", amount: 777, fee_minor: 9 };
    assert.deepEqual(await deliver({ id, body: feeBody(data) }), ACCEPTED);
    assert.deepEqual(await deliver({ id, body: feeBody(data) }), [200, "duplicate"]);
    const { rows } = await service.pool.query<object>(
      `select provider, country, currency, amount_minor::int, fee_minor::int, card_network
       from observed_fees where workspace_id = $1 and amount_minor = 777`,
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [
      {
        provider: "provider_1",
        country: "DE",
        currency: "EUR",
        amount_minor: 777,
        fee_minor: 9,
        card_network: null,
      },
    ]);
  });

  it("HOOK-5: of the same id delivered concurrently one is accepted", async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => deliver({ id: "at-once" })));
    assert.deepEqual(replies.map(([, said]) => String(said)).toSorted(), [
      "accepted",
      ...Array.from({ length: 11 }, () => "duplicate"),
    ]);
  });

  it("an id that was accepted is a duplicate after kill -9, too", async () => {
    assert.deepEqual(await deliver({ id: "kept" }), ACCEPTED);
    await service.killAndRestart();
    assert.deepEqual(await deliver({ id: "kept" }), [200, "duplicate"]);
  });

  it("HOOK-1, HOOK-2: verifies the raw bytes, with any spacing", async () => {
    assert.deepEqual(await deliver({ body: ` \n${feeBody().replaceAll(",", " , ")}\n` }), ACCEPTED);
  });

  it("HOOK-2: accepts one good signature among several, in any version and order", async () => {
    const id = "several";
    const timestamp = Math.floor(Date.now() / 1000);
    const body = feeBody();
    const good = signatureOf(secretOf("shop"), id, timestamp, body);
    const bad = signatureOf(secretOf("else"), id, timestamp, body);
    const headers = { "webhook-signature": `v1a,xyz ${bad} ${good}` };
    assert.deepEqual(await deliver({ id, timestamp, body, headers }), ACCEPTED);
  });

  const now = () => Math.floor(Date.now() / 1000);
  const refused: [name: string, options: () => WebhookOptions][] = [
    ["another secret", () => ({ secret: secretOf("else") })],
    [
      "another body",
      () => ({ headers: { "webhook-signature": signatureOf(secretOf("shop"), "x", now(), "{}") } }),
    ],
    ["another id", () => ({ id: "a", headers: { "webhook-id": "b" } })],
    ["another time", () => ({ headers: { "webhook-timestamp": String(now() - 1) } })],
    ["a time more than 300 s ago", () => ({ timestamp: now() - 302 })],
    ["a time more than 300 s ahead", () => ({ timestamp: now() + 302 })],
    ["a time that is none", () => ({ timestamp: "soon" })],
    ["no signature", () => ({ headers: { "webhook-signature": undefined } })],
    ["no id", () => ({ headers: { "webhook-id": undefined } })],
    ["no time", () => ({ headers: { "webhook-timestamp": undefined } })],
    ["a signature of another version", () => ({ headers: { "webhook-signature": "v2,AAAA" } })],
    ["an unknown provider", () => ({ provider: "provider_9" })],
    ["an unknown merchant", () => ({ merchantId: "nobody" })],
    ["a merchant without a secret", () => ({ merchantId: "bare" })],
    ["a path that is no merchant id", () => ({ merchantId: "%20" })],
    ["a body that is no JSON", () => ({ secret: secretOf("else"), body: "{" })],
    [
      "a content type that is not JSON",
      () => ({ secret: secretOf("else"), headers: { "content-type": "text/plain" } }),
    ],
  ];
  for (const [name, options] of refused) {
    it(`HOOK-10: answers ${name} with the one 401`, async () => {
      const reference = await sendWebhook(service, { secret: secretOf("reference") });
      const { status, text, headers } = await sendWebhook(service, options());
      assert.deepEqual([status, text], [401, reference.text]);
      assert.deepEqual([...headers.keys()], [...reference.headers.keys()]);
    });
  }

  it("HOOK-3: accepts times up to 300 s in the past and in the future", async () => {
    for (const seconds of [-295, 295])
      assert.deepEqual(await deliver({ timestamp: now() + seconds }), ACCEPTED);
  });

  it("refuses a signed but invalid body, and names the path", async () => {
    const table: [body: string, issue: string][] = [
      ["{", "invalid_json "],
      [feeBody({}, { more: 1 }), "unrecognized_keys more"],
      [feeBody({}, { created_at: "today" }), "invalid_string created_at"],
      [feeBody({ pan: 1 }), "unrecognized_keys data.pan"],
      [feeBody({ amount: 0 }), "too_small data.amount"],
      [feeBody({ fee_minor: 1.5 }), "invalid_type data.fee_minor"],
      [feeBody({ currency: "usd" }), "invalid_string data.currency"],
      [feeBody({}, { type: "deep", data: JSON.parse("[".repeat(40) + "]".repeat(40)) as object }), "custom "],
    ];
    for (const [body, issue] of table) {
      const { status, json } = await sendWebhook(service, { body });
      const issues = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, ...issues.map(({ code, path }) => `${code} ${path}`)], [400, issue]);
    }
    assert.equal((await sendWebhook(service, { headers: { "content-type": "text/plain" } })).status, 415);
    const large = JSON.stringify({ type: "x".repeat(1024 * 1024) });
    assert.equal((await sendWebhook(service, { body: large })).status, 413);
  });

  const issuesOf = async (body: string): Promise<unknown[]> => {
    const { status, json } = await sendWebhook(service, { body });
    assert.equal(status, 400);
    return (json["issues"] as { path: string; code: string }[]).map(({ code, path }) => `${code} ${path}`);
  };

  it("ERR-14: refuses __proto__ and constructor keys in data that may hold anything else", async () => {
    for (const type of ["payment.settled", "provider.incident_opened", "payment.imagined"]) {
      const data = JSON.parse('{"__proto__":1,"ok":[{"constructor":{}}]}') as object;
      assert.deepEqual(
        await issuesOf(feeBody({}, { type, data })),
        ["unrecognized_keys data.__proto__", "unrecognized_keys data.ok.0.constructor"],
        type,
      );
    }
    const data = { note: "constructor", prototype: 1, ["constructor_"]: 1 };
    assert.deepEqual(await deliver({ body: feeBody({}, { type: "payment.settled", data }) }), ACCEPTED);
  });

  it("ERR-13: reports faults in data together with faults around it", async () => {
    assert.deepEqual(await issuesOf(feeBody({ amount: 0 }, { created_at: "today", more: 1 })), [
      "unrecognized_keys more",
      "invalid_string created_at",
      "too_small data.amount",
    ]);
  });
});

describe("secrets", () => {
  it("HOOK-11, HOOK-12: after a rotation the old secret works for 24 hours", async () => {
    const old = { merchantId: "rotating", secret: secretOf("old") };
    const made = await set({ merchant_id: "rotating", secret: old.secret });
    assert.equal(made.json["secret"], undefined, "what the caller gave does not come back");
    const { json } = await set({ merchant_id: "rotating" });
    assert.match(String(json["secret"]), /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([json["provider"], json["merchant_id"]], ["provider_1", "rotating"]);
    const current = { merchantId: "rotating", secret: String(json["secret"]) };
    assert.deepEqual(await deliver(old), ACCEPTED);
    assert.deepEqual(await deliver(current), ACCEPTED);
    const { rows } = await service.pool.query<{ ms: number }>(
      "select extract(epoch from expires_at)::float8 * 1000 as ms from webhook_secrets where expires_at is not null",
    );
    assert.deepEqual(
      rows.map(({ ms }) => Math.round(ms)),
      [Date.parse(String(json["rotated_at"])) + 24 * 3_600_000],
    );
    await service.pool.query("update webhook_secrets set expires_at = now() where expires_at is not null");
    await eventually(async () => assert.deepEqual(await deliver(old), REFUSED));
    assert.deepEqual(await deliver(current), ACCEPTED);
  });

  it("HOOK-4: with two workspaces for one merchant_id, the verifying secret selects the workspace", async () => {
    const other = await createWorkspace(service, { merchants: ["shared"] });
    const stranger = (await signIn(service.pool, other, "owner")).token;
    await set({ merchant_id: "shared", secret: secretOf("mine") });
    await set({ merchant_id: "shared", secret: secretOf("theirs") }, stranger);
    assert.deepEqual(await deliver({ merchantId: "shared", id: "same", secret: secretOf("mine") }), ACCEPTED);
    assert.deepEqual(
      await deliver({ merchantId: "shared", id: "same", secret: secretOf("theirs") }),
      ACCEPTED,
    );
    assert.equal((await eventsOf("shared")).length, 1);
    assert.equal((await eventsOf("shared", other)).length, 1);
  });

  it("HOOK-16: registrations of other workspaces never cause a refusal; past the oldest 16 the header names the workspace to try", async () => {
    const merchantId = "crowded";
    const workspaces: string[] = [];
    for (let n = 0; n <= LIMITS.webhookRouteWorkspacesMax; n++)
      workspaces.push(await createWorkspace(service, { merchants: [merchantId] }));
    workspaces.sort();
    const owners = new Map<string, string>();
    for (const workspace of workspaces) {
      const { token } = await signIn(service.pool, workspace, "owner");
      owners.set(workspace, token);
      const secret = secretOf(workspace);
      assert.equal((await untilAnswered(() => put({ merchant_id: merchantId, secret }, token))).status, 200);
    }
    const [first = "", second = ""] = workspaces;
    const last = workspaces.at(-1) ?? "";
    const deliverOf = (workspace: string, named?: string) =>
      sendWebhook(service, {
        merchantId,
        secret: secretOf(workspace),
        headers: { "payinference-workspace": named },
      });
    const statusOf = async (workspace: string, named?: string): Promise<number> =>
      (await deliverOf(workspace, named)).status;
    assert.deepEqual(await Promise.all([statusOf(first), statusOf(second), statusOf(last)]), [200, 200, 401]);
    assert.deepEqual(await Promise.all([statusOf(first, first), statusOf(last, last)]), [200, 200]);
    assert.equal((await eventsOf(merchantId, last)).length, 1);
    // Only the secret of the named workspace is tried. An unknown name gives the same 401.
    const others = [second, "ws_00000000000000000000000000", "nobody", "", `${first}, ${second}`];
    assert.deepEqual(
      await Promise.all(others.map((named) => statusOf(first, named))),
      others.map(() => 401),
    );
    // The page shows that a route is crowded, and nothing about other workspaces.
    const integrations = async (workspace: string) => {
      const headers = { authorization: `Bearer ${owners.get(workspace) ?? ""}` };
      const { json } = await sendRead(service, "GET", "/v1/integrations", { key: null, headers });
      return json["integrations"] as { provider: string; needs_workspace_header?: true }[];
    };
    for (const { provider, needs_workspace_header } of await integrations(last))
      assert.equal(needs_workspace_header, provider === "provider_1" ? true : undefined, provider);
  });

  it("HOOK-11, HOOK-14: are encrypted at rest, never listed, and never logged; the audit trail records each change", async () => {
    const { rows } = await service.pool.query<{ sealed: Buffer }>("select sealed from webhook_secrets");
    assert.ok(rows.length > 0);
    const key = Buffer.from(secretOf("shop").slice(6), "base64");
    for (const { sealed } of rows) {
      assert.ok(!sealed.includes(secretOf("shop")) && !sealed.includes(key));
    }
    assert.ok(!service.log().includes("whsec_"));
    const { rows: audit } = await service.pool.query<{ action: string; metadata: object }>(
      "select action, metadata from audit_log where workspace_id = $1 and resource = 'provider_1/rotating' order by audit_id",
      [idToHex(workspaceId)],
    );
    const metadata = { merchant_id: "rotating", provider: "provider_1" };
    assert.deepEqual(audit, [
      { action: "webhook_secret.set", metadata },
      { action: "webhook_secret.rotated", metadata },
    ]);
  });

  it("HOOK-11, HOOK-13: PUT /v1/integrations/:provider/webhook-secret is for owner, admin and developer sessions alone", async () => {
    const body = { merchant_id: "bare" };
    const analyst = (await signIn(service.pool, workspaceId, "analyst")).token;
    assert.equal((await put(body, analyst)).status, 403);
    const path = "/v1/integrations/provider_1/webhook-secret";
    const withKey = await send(service, "PUT", path, {
      body,
      key: await createKey(service.pool, workspaceId),
    });
    assert.deepEqual([withKey.status, withKey.json["message"]], [403, "A dashboard session is required"]);
    assert.equal((await put({ merchant_id: "nobody" })).status, 403);
    assert.equal((await put(body, token, "provider_9")).status, 404);
    assert.equal((await put({})).status, 400);
    for (const secret of [
      "",
      "whsec_",
      "whsec_AAAA",
      `whsec_${"A".repeat(88)}`,
      "x",
      `whsec_${"*".repeat(32)}`,
    ]) {
      assert.equal((await put({ ...body, secret })).status, 400, secret);
    }
    const wrongMethod = await send(service, "POST", path, { body });
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get("allow")], [405, "PUT"]);
  });

  it("a node with its own database but without SECRET_KEY stores none", async () => {
    const { token: owner } = await signIn(keyless.pool, keyless.workspaceId, "owner");
    const { status, json } = await send(keyless, "PUT", "/v1/integrations/provider_1/webhook-secret", {
      body: { merchant_id: "demo_merchant" },
      key: null,
      headers: { authorization: `Bearer ${owner}` },
    });
    assert.deepEqual([status, json["message"]], [503, "Secrets cannot be stored: SECRET_KEY is not set"]);
  });

  it("HOOK-13: GET /v1/integrations lists every merchant with every provider", async () => {
    const { status, json, text } = await send(service, "GET", "/v1/integrations", {
      key: null,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(status, 200);
    assert.ok(!text.includes("whsec_"));
    const integrations = json["integrations"] as Record<string, unknown>[];
    assert.equal(integrations.length, 4 * 5);
    const of = (merchant: string) =>
      integrations.find(({ merchant_id, provider }) => merchant_id === merchant && provider === "provider_1");
    const { rotated_at, last_event_at, ...shop } = of("shop") ?? {};
    assert.deepEqual(shop, {
      provider: "provider_1",
      merchant_id: "shop",
      webhook_path: "/v1/provider-webhooks/provider_1/shop",
      has_secret: true,
    });
    for (const time of [rotated_at, last_event_at]) assert.equal(new Date(String(time)).toISOString(), time);
    const bare = of("bare");
    assert.deepEqual(
      [bare?.["has_secret"], bare?.["rotated_at"], bare?.["last_event_at"]],
      [false, null, null],
    );
  });
});

describe("Limits, provider webhooks", () => {
  it("RATE-4: one counter per source address and route, before the signature is looked at", async () => {
    const from = async (address: string, merchantId = "shop") =>
      (await sendWebhook(keyless, { merchantId, headers: { "x-forwarded-for": address } })).status;
    const address = "10.0.0.1";
    await inOneMinute(async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++) statuses.push(await from(address));
      assert.deepEqual(statuses, [401, 401, 401, 429]);
      assert.equal(await from(address, "other"), 401);
      assert.equal(await from(`9.9.9.9, ${address}`), 429, "what the caller itself says is not believed");
      assert.equal(await from("10.1.0.1"), 401);
      const { json } = await sendWebhook(keyless, { headers: { "x-forwarded-for": address } });
      assert.deepEqual(json, { error: "rate_limited", limit_per_minute: 3 });
    });
  });
});

describe("AUTH-10: order of checks: a suspended workspace's webhooks", () => {
  it("403 if the signature is valid, else 401; nothing is stored, and activation accepts it again", async () => {
    const suspended = await createWorkspace(service, { merchants: ["dormant"] });
    const { token: owner } = await signIn(service.pool, suspended, "owner");
    const secret = secretOf("dormant");
    await set({ merchant_id: "dormant", secret }, owner);
    const options = { merchantId: "dormant", secret };
    assert.deepEqual(await deliver({ ...options, id: "before" }), ACCEPTED);

    await setWorkspaceStatus(service.pool, suspended, "suspended");
    await eventually(async () => {
      assert.deepEqual(await deliver({ ...options, id: "during" }), [403, "Tenant is not active"]);
    });
    assert.deepEqual(await deliver({ ...options, secret: secretOf("other") }), REFUSED);

    await setWorkspaceStatus(service.pool, suspended, "active");
    await eventually(async () => {
      // The same webhook is delivered again, because it was refused the first time.
      assert.equal((await deliver({ ...options, id: "during" }))[0], 200);
    });
    const ids = (await eventsOf("dormant", suspended)).map(({ webhook_id }) => webhook_id);
    assert.deepEqual(ids.toSorted(), ["before", "during"]);
  });
});
