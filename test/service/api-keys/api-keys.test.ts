import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ask, auditOf, bearer, join, post, register, type Person } from "../../support/people/accounts.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { onEachNode } from "../../support/two-nodes-mode.js";

const KEYS = "/v1/api-keys";
const NEW_KEY = { name: "Checkout", mode: "live", scopes: ["decision:write", "health:read"] };

interface KeyBody {
  id: string;
  prefix: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

let service: RunningService;
let owner: Person;
before(async () => {
  service = await sharedTestService();
  owner = await register(service);
});

const create = (body: unknown = NEW_KEY, by = owner): Promise<Reply> => post(service, KEYS, body, by.token);
const list = async (by = owner): Promise<KeyBody[]> =>
  (await ask(service, "GET", KEYS, by.token)).json["api_keys"] as KeyBody[];
const revoke = (id: string, by = owner): Promise<Reply> => ask(service, "DELETE", `${KEYS}/${id}`, by.token);
const keyOf = ({ json }: Reply): KeyBody => json["api_key"] as KeyBody;
const secretOf = ({ json }: Reply): string => String(json["secret"]);
const health = (key: string): Promise<Reply> => send(service, "GET", "/v1/provider-health", { key });

describe("POST /v1/api-keys", () => {
  it("KEY-4, KEY-5: 201 {api_key, secret}; the key works at once, in its mode", async () => {
    const reply = await create();
    assert.equal(reply.status, 201, reply.text);
    const key = keyOf(reply);
    const secret = secretOf(reply);
    assert.match(secret, /^pi_live_[0-9a-f]{64}$/);
    assert.deepEqual(key, {
      id: key.id,
      name: "Checkout",
      mode: "live",
      prefix: secret.slice(0, 24),
      scopes: NEW_KEY.scopes,
      merchant_id: null,
      expires_at: null,
      created_at: (key as unknown as { created_at: string }).created_at,
      last_used_at: null,
      revoked_at: null,
    });
    assert.match(key.id, /^key_[0-9a-z]{26}$/);
    const decided = await send(service, "POST", "/v1/decision", { body: decisionBody(), key: secret });
    assert.deepEqual([decided.status, decided.json["mode"]], [200, "live"]);
    assert.equal((await send(service, "GET", "/v1/decisions", { key: secret })).status, 403);
  });

  it("KEY-4: the secret is shown once and stored nowhere: not in the list, PostgreSQL or the log", async () => {
    const secret = secretOf(await create());
    await health(secret);
    const random = secret.slice(24);
    assert.ok(!JSON.stringify(await list()).includes(random));
    const { rows } = await service.pool.query<{ text: string }>(
      "select k::text as text from api_keys k union all select a::text from audit_log a",
    );
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(random)));
    assert.ok(!service.log().includes(random));
  });

  it("creates a key of a registered merchant with an expiry", async () => {
    const expires_at = "2036-01-02T03:04:05.678Z";
    const reply = await create({ ...NEW_KEY, merchant_id: "demo_merchant", expires_at });
    assert.equal(reply.status, 201, reply.text);
    const key = keyOf(reply) as unknown as Record<string, unknown>;
    assert.deepEqual([key["merchant_id"], key["expires_at"]], ["demo_merchant", expires_at]);
  });

  it("HTTP-6: 403 for a merchant that is not registered, after the checks of the body", async () => {
    const reply = await create({ ...NEW_KEY, merchant_id: "nobody" });
    assert.deepEqual(
      [reply.status, reply.json["message"]],
      [403, "Merchant is not registered in this workspace"],
    );
    const faulty = await create({ ...NEW_KEY, merchant_id: "nobody", name: "" });
    assert.equal(faulty.status, 400, faulty.text);
  });

  const refused: [what: string, body: object, path: string, code: string][] = [
    ["no scopes", { ...NEW_KEY, scopes: [] }, "scopes", "too_small"],
    ["a scope twice", { ...NEW_KEY, scopes: ["health:read", "health:read"] }, "scopes", "custom"],
    ["an unknown scope", { ...NEW_KEY, scopes: ["admin"] }, "scopes.0", "invalid_enum_value"],
    ["an unknown mode", { ...NEW_KEY, mode: "prod" }, "mode", "invalid_enum_value"],
    ["an empty name", { ...NEW_KEY, name: "" }, "name", "too_small"],
    ["a name of 121 characters", { ...NEW_KEY, name: "x".repeat(121) }, "name", "too_big"],
    ["an expiry that is past", { ...NEW_KEY, expires_at: "2020-01-01T00:00:00Z" }, "expires_at", "custom"],
    ["an expiry that is no time", { ...NEW_KEY, expires_at: "tomorrow" }, "expires_at", "invalid_string"],
    ["an unknown field", { ...NEW_KEY, secret: "x" }, "secret", "unrecognized_keys"],
    ["no name", { mode: "test", scopes: ["health:read"] }, "name", "invalid_type"],
  ];
  for (const [what, body, path, code] of refused) {
    it(`400 ${code} for ${what}`, async () => {
      const reply = await create(body);
      assert.equal(reply.status, 400, reply.text);
      const issues = reply.json["issues"] as { path: string; code: string }[];
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.code]),
        [[path, code]],
      );
    });
  }
});

describe("DELETE /v1/api-keys/:id", () => {
  it("KEY-6: 200 {api_key} with revoked_at; the key is invalid on this node from then on", async () => {
    // KEY-9: another node may accept the key a little longer, so the request goes to the node that revoked it.
    await onEachNode(async () => {
      for (let round = 0; round < 5; round++) {
        const created = await create();
        assert.equal((await health(secretOf(created))).status, 200);
        const reply = await revoke(keyOf(created).id);
        const after = await health(secretOf(created));
        assert.equal(reply.status, 200, reply.text);
        assert.equal(new Date(String(keyOf(reply).revoked_at)).toISOString(), keyOf(reply).revoked_at);
        assert.deepEqual([after.status, after.json["message"]], [401, "Invalid API key"]);
      }
    });
  });

  it("a repetition gives the same answer, and the audit trail has one entry", async () => {
    const { id } = keyOf(await create());
    const [first, second] = [await revoke(id), await revoke(id)];
    assert.deepEqual([second.status, second.text], [200, first.text]);
    const entries = (await auditOf(service, owner.workspaceId)).filter(({ resource }) => resource === id);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["api_key.created", "api_key.revoked"],
    );
  });

  it("a revoked key stays in the list, in its place", async () => {
    const someone = await register(service);
    const first = keyOf(await create(NEW_KEY, someone));
    const second = keyOf(await create(NEW_KEY, someone));
    const third = keyOf(await create(NEW_KEY, someone));
    await revoke(third.id, someone);
    assert.deepEqual(
      (await list(someone)).map(({ id }) => id),
      [third.id, second.id, first.id],
    );
  });
});

describe("POST /v1/api-keys/:id/rotate", () => {
  const rotate = (id: string, body: unknown = {}, by = owner): Promise<Reply> =>
    post(service, `${KEYS}/${id}/rotate`, body, by.token);

  it("KEY-8, KEY-10, KEY-11: 201 {api_key, secret, replaced}; the new key has the old one's rights, and both work", async () => {
    const someone = await register(service);
    const wanted = { ...NEW_KEY, merchant_id: "demo_merchant", expires_at: "2036-01-02T03:04:05.678Z" };
    const created = await create(wanted, someone);
    const old = keyOf(created);
    const beforeMs = Date.now();
    const reply = await rotate(old.id, {}, someone);
    const afterMs = Date.now();
    assert.equal(reply.status, 201, reply.text);
    const [key, secret] = [keyOf(reply), secretOf(reply)];
    assert.match(secret, /^pi_live_[0-9a-f]{64}$/);
    const { created_at } = key as unknown as { created_at: string };
    const own = { id: key.id, prefix: secret.slice(0, 24), created_at, last_used_at: null };
    assert.notEqual(key.id, old.id);
    assert.deepEqual(key, { ...old, ...own });
    const { expires_at: ends, ...replaced } = reply.json["replaced"] as KeyBody & { expires_at: string };
    assert.deepEqual({ ...replaced, expires_at: wanted.expires_at }, old);
    const overlapMs = 24 * 3_600_000;
    assert.ok(Date.parse(ends) >= beforeMs + overlapMs && Date.parse(ends) <= afterMs + overlapMs, ends);
    for (const each of [secretOf(created), secret]) assert.equal((await health(each)).status, 200);
    const entries = await auditOf(service, someone.workspaceId);
    assert.deepEqual(entries.at(-1), {
      actor: someone.userId,
      action: "api_key.rotated",
      resource: old.id,
      metadata: { replaced_by: key.id, overlap_hours: 24, merchant_id: wanted.merchant_id },
    });
  });

  it("KEY-9, KEY-11: without an overlap the old key is invalid on this node from then on", async () => {
    await onEachNode(async () => {
      const created = await create();
      assert.equal((await health(secretOf(created))).status, 200);
      const reply = await rotate(keyOf(created).id, { overlap_hours: 0 });
      assert.equal(reply.status, 201, reply.text);
      const after = await health(secretOf(created));
      assert.deepEqual([after.status, after.json["message"]], [401, "Invalid API key"]);
      assert.equal((await health(secretOf(reply))).status, 200);
    });
  });

  it("KEY-12: 409 for a key that is rotated already; 404 for one that nobody knows", async () => {
    const { id } = keyOf(await create());
    assert.equal((await rotate(id)).status, 201);
    const again = await rotate(id);
    assert.deepEqual([again.status, again.json["message"]], [409, "API key cannot be rotated"]);
    for (const unknown of ["key_01jd4wqk2m0000000000000000", "nonsense"])
      assert.equal((await rotate(unknown)).status, 404);
  });

  it("KEY-10, ERR-20: the body may be left out", async () => {
    const { status, json, text } = await send(service, "POST", `${KEYS}/${keyOf(await create()).id}/rotate`, {
      key: null,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    assert.equal(status, 201, text);
    const ends = Date.parse((json["replaced"] as { expires_at: string }).expires_at);
    assert.ok(Math.abs(ends - Date.now() - 24 * 3_600_000) < 600_000);
  });

  for (const [what, body, code] of [
    ["-1 hours", { overlap_hours: -1 }, "too_small"],
    ["169 hours", { overlap_hours: 169 }, "too_big"],
    ["half an hour", { overlap_hours: 0.5 }, "invalid_type"],
  ] as const) {
    it(`KEY-10: 400 ${code} for ${what}`, async () => {
      const reply = await rotate(keyOf(await create()).id, body);
      assert.equal(reply.status, 400, reply.text);
      const [issue] = reply.json["issues"] as { path: string; code: string }[];
      assert.deepEqual([issue?.path, issue?.code], ["overlap_hours", code]);
    });
  }
});

describe("Audit trail, key creation and revocation", () => {
  it("ADM-5, KEY-8: names the user, the key and its rights, but no secret", async () => {
    const someone = await register(service);
    const developer = await join(service, someone, "developer");
    const created = await create({ ...NEW_KEY, merchant_id: "demo_merchant" }, developer);
    const { id } = keyOf(created);
    await revoke(id, developer);
    const trail = await auditOf(service, someone.workspaceId);
    assert.deepEqual(trail.slice(-2), [
      {
        actor: developer.userId,
        action: "api_key.created",
        resource: id,
        metadata: { mode: "live", scopes: "decision:write health:read", merchant_id: "demo_merchant" },
      },
      {
        actor: developer.userId,
        action: "api_key.revoked",
        resource: id,
        metadata: { merchant_id: "demo_merchant" },
      },
    ]);
  });
});

describe("KEY-5: last_used_at", () => {
  it("appears after the first use, and changes at most once a minute", async () => {
    const created = await create();
    const { id } = keyOf(created);
    const lastUsed = async () => (await list()).find((key) => key.id === id)?.last_used_at ?? null;
    assert.equal(await lastUsed(), null);
    const beforeMs = Date.now();
    await health(secretOf(created));
    await eventually(async () => assert.notEqual(await lastUsed(), null));
    const first = await lastUsed();
    assert.ok(Date.parse(String(first)) >= beforeMs && Date.parse(String(first)) <= Date.now());
    // A changed key is looked up again at its next use, and that use is recorded.
    await service.pool.query("update api_keys set scopes = '{}' where position(public_id in $1) > 0", [
      secretOf(created),
    ]);
    await eventually(async () => assert.equal((await health(secretOf(created))).status, 403));
    // Uses are written together. Once this later use is visible, the earlier one has been written too.
    const other = await create();
    assert.equal((await health(secretOf(other))).status, 200);
    const { id: otherId } = keyOf(other);
    await eventually(async () =>
      assert.notEqual((await list()).find((key) => key.id === otherId)?.last_used_at ?? null, null),
    );
    assert.equal(await lastUsed(), first);
  });
});

describe("AUTH-4: state changes by cookie come from the same origin", () => {
  it("403 otherwise, and nothing is created", async () => {
    const someone = await register(service);
    const cookie = `payinference_session=${someone.token}`;
    const withHeaders = (headers: Record<string, string>) =>
      send(service, "POST", KEYS, { body: NEW_KEY, key: null, headers: { cookie, ...headers } });
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      assert.equal((await withHeaders(headers)).status, 403);
    }
    assert.deepEqual(await list(someone), []);
    assert.equal((await withHeaders({ origin: service.url })).status, 201);
    assert.equal((await send(service, "GET", KEYS, { key: null, headers: { cookie } })).status, 200);
    assert.equal(
      (await send(service, "GET", KEYS, { key: null, headers: bearer(someone.token) })).status,
      200,
    );
  });
});
