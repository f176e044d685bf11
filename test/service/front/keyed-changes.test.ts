import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { bearer, join, register, type Person } from "../../support/people/accounts.js";
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const NEW_KEY = { name: "Checkout", mode: "test", scopes: ["decision:write"] };

let service: RunningService;
let owner: Person;
before(async () => {
  service = await sharedTestService();
  owner = await register(service);
});

let keys = 0;
const newKey = (): string => `key ${++keys} of ${process.pid}`;

const change = (
  key: string,
  { path = "/v1/api-keys", body = NEW_KEY, by = owner }: { path?: string; body?: object; by?: Person } = {},
): Promise<Reply> =>
  send(service, "POST", path, {
    body,
    key: null,
    headers: { ...bearer(by.token), "idempotency-key": key },
  });

const countKeys = async (by = owner): Promise<number> => {
  const { json } = await send(service, "GET", "/v1/api-keys", { key: null, headers: bearer(by.token) });
  return (json["api_keys"] as unknown[]).length;
};
const marks = ({ headers }: Reply) => [
  headers.get("idempotency-replayed"),
  headers.get("idempotency-body-mismatch"),
];

describe("IDEM-10: a change that a session repeats with the same key is made once", () => {
  it("the repetition gets the first answer's status and bytes, including its secret", async () => {
    const key = newKey();
    const before = await countKeys();
    const first = await change(key);
    assert.equal(first.status, 201, first.text);
    const again = await change(key);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.deepEqual(marks(first), [null, null]);
    assert.deepEqual(marks(again), ["true", null]);
    assert.equal(await countKeys(), before + 1);
  });

  it("IDEM-11: five concurrent requests get the same answer", async () => {
    const key = newKey();
    const before = await countKeys();
    const replies = await Promise.all(Array.from({ length: 5 }, () => change(key)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.has("idempotency-replayed")).length, 4);
    assert.equal(await countKeys(), before + 1);
  });

  it("IDEM-5: a different body gets the same answer, and the answer says so", async () => {
    const key = newKey();
    const first = await change(key);
    const other = await change(key, { body: { ...NEW_KEY, name: "Other" } });
    assert.equal(other.text, first.text);
    assert.deepEqual(marks(other), ["true", "true"]);
  });

  it("holds for one user, one workspace and one address", async () => {
    const key = newKey();
    const colleague = await join(service, owner, "admin");
    const stranger = await register(service);
    const replies = [
      await change(key),
      await change(key, { by: colleague }),
      await change(key, { by: stranger }),
      await change(key, { path: "/v1/admin/merchants", body: { merchant_id: "second_shop" } }),
      await change(key, { path: "/v1/team/invitations", body: { email: "a@example.com", role: "analyst" } }),
    ];
    for (const reply of replies) {
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(marks(reply), [null, null]);
    }
    assert.equal(new Set(replies.map(({ text }) => text)).size, replies.length);
  });

  it("a draft and its ETag are repeated unchanged", async () => {
    const key = newKey();
    const policy = {
      merchant_id: "demo_merchant",
      name: "Keyed",
      publish: true,
      rules: [],
      default_provider: "provider_1",
    };
    const first = await change(key, { path: "/v1/policies", body: policy });
    assert.equal(first.status, 200, first.text);
    const again = await change(key, { path: "/v1/policies", body: policy });
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("etag"), first.headers.get("etag"));
    assert.notEqual(first.headers.get("etag"), null);
  });

  it("IDEM-7, IDEM-11: a refusal is not stored", async () => {
    const key = newKey();
    assert.equal((await change(key, { body: { ...NEW_KEY, scopes: ["nothing"] } })).status, 400);
    const second = await change(key);
    assert.deepEqual([second.status, ...marks(second)], [201, null, null], second.text);
  });

  it("IDEM-1, IDEM-9: an invalid key is refused before anything is changed", async () => {
    const before = await countKeys();
    const reply = await change("k".repeat(256));
    assert.equal(reply.status, 400);
    assert.match(reply.text, /headers\.idempotency-key/);
    assert.equal(await countKeys(), before);
  });

  it("a request that only reads is executed again", async () => {
    const key = newKey();
    const body = { merchant_id: "demo_merchant", text: "hold payments over 500 USD" };
    for (let asked = 0; asked < 2; asked++) {
      const reply = await change(key, { path: "/v1/policies/translate", body });
      assert.deepEqual([reply.status, ...marks(reply)], [200, null, null], reply.text);
    }
  });
});

describe("the stored answer of a change", () => {
  it("IDEM-12: is sealed, and found by a hash of the key", async () => {
    const key = newKey();
    const { text } = await change(key);
    const { secret } = JSON.parse(text) as { secret: string };
    const { rows } = await service.pool.query<{ row: string }>(
      "select encode(request_hash, 'escape') || encode(reply, 'escape') as row from change_replies where workspace_id = $1",
      [idToHex(owner.workspaceId)],
    );
    assert.ok(rows.length > 0);
    for (const { row } of rows) assert.ok(!row.includes(secret) && !row.includes(key));
  });

  it("IDEM-4: the same key makes another change after an hour, and older entries are deleted", async () => {
    const person = await register(service);
    const key = newKey();
    await change(newKey(), { by: person });
    await change(key, { by: person });
    const age = (minutes: number) =>
      service.pool.query(
        "update change_replies set claimed_at = claimed_at - make_interval(mins => $2) where workspace_id = $1",
        [idToHex(person.workspaceId), minutes],
      );
    await age(59);
    assert.deepEqual(marks(await change(key, { by: person })), ["true", null]);
    await age(2);
    const later = await change(key, { by: person });
    assert.deepEqual([later.status, ...marks(later)], [201, null, null]);
    assert.equal(await countKeys(person), 3);
    const kept = await service.pool.query("select from change_replies where workspace_id = $1", [
      idToHex(person.workspaceId),
    ]);
    assert.equal(kept.rowCount, 1);
  });

  it("IDEM-13: a workspace keeps its newest thousand answers, up to 16 MiB together; other workspaces keep theirs", async () => {
    const [person, other] = [await register(service), await register(service)];
    const [key, others] = [newKey(), newKey()];
    await change(others, { by: other });
    await service.pool.query(
      `insert into change_replies (workspace_id, request_hash, body_hash, reply, claimed_at)
       select $1, sha256(n::text::bytea), '', '', now() - interval '1 minute' from generate_series(1, 1000) n`,
      [idToHex(person.workspaceId)],
    );
    const kept = async (of = person): Promise<number> => {
      const { rows } = await service.pool.query<{ count: string }>(
        "select count(*) from change_replies where workspace_id = $1",
        [idToHex(of.workspaceId)],
      );
      return Number(rows[0]?.count);
    };
    await change(key, { by: person });
    assert.equal(await kept(), 1000);
    await service.pool.query(
      `with empty as (delete from change_replies where workspace_id = $1 and reply = '')
       insert into change_replies (workspace_id, request_hash, body_hash, reply, claimed_at)
       select $1, sha256(('MiB ' || n)::bytea), '', convert_to(repeat('x', 1024 * 1024), 'UTF8'),
         now() - interval '1 minute' from generate_series(1, 20) n`,
      [idToHex(person.workspaceId)],
    );
    await change(newKey(), { by: person });
    assert.equal(await kept(), 17, "two answers, and fifteen MiB before them");
    assert.deepEqual(marks(await change(key, { by: person })), ["true", null]);
    assert.equal(await kept(other), 1);
  });

  it("IDEM-11: a change whose process died before its answer is not repeated: 409 tells the client to check", async () => {
    const person = await register(service);
    const key = newKey();
    await change(key, { by: person });
    await service.pool.query("update change_replies set reply = null where workspace_id = $1", [
      idToHex(person.workspaceId),
    ]);
    const again = await change(key, { by: person });
    assert.equal(again.status, 409);
    assert.match(String(again.json["message"]), /see what it did/);
    assert.equal(await countKeys(person), 1);
  });
});
