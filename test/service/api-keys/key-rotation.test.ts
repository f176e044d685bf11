import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { findStoredApiKey } from "../../../src/features/api-keys/find-api-key.js";
import { createKeyRotation } from "../../../src/features/api-keys/rotate-api-key.js";
import { createApiKeys, type ApiKeysOptions } from "../../../src/features/api-keys/service.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createApiKeyCache } from "../../../src/path/access/api-key-cache.js";
import type { RememberedKeys } from "../../../src/path/access/remembered-keys.js";
import type { Principal } from "../../../src/path/access/session.js";
import { newId } from "../../support/rows/decision-rows.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";

/** The clock is an argument here, so that a day passes without waiting. */

const HOUR_MS = 3_600_000;
const BEGAN_MS = Date.UTC(2026, 10, 20, 12);
const KEPT_MAX = 2;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

/** A workspace whose keys have a separate clock, and two nodes that learn everything from PostgreSQL. */
async function situation() {
  const workspaceId = newId("ws");
  await database.pool.query("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [
    idToHex(workspaceId),
  ]);
  const clock = { nowMs: BEGAN_MS };
  const forgotten: string[] = [];
  const options: ApiKeysOptions = {
    tenants: tenantsOf(database.pool),
    attempt: (work) => work(),
    kept: { apiKeys: KEPT_MAX } as ApiKeysOptions["kept"],
    cell: null,
    nextId: () => newId("key").slice("key_".length),
    now: () => clock.nowMs,
    forget: (publicId) => void forgotten.push(publicId),
  };
  const keys = { ...createApiKeys(options), rotate: createKeyRotation(options) };
  const by: Principal = {
    sessionKey: "session",
    userId: newId("usr"),
    workspaceId,
    role: "owner",
    workspaceStatus: "active",
    isPlatformAdmin: false,
    mustEnrolCodes: false,
  };
  const nodes = [createNode(), createNode()];
  const answers = (secret: string): Promise<boolean[]> =>
    Promise.all(nodes.map((node) => node.accepts(secret, clock.nowMs)));
  const create = async (expiresAt: Date | null = null) => {
    const made = await keys.create(by, {
      name: "Checkout",
      mode: "live",
      scopes: ["decision:write"],
      merchantId: null,
      expiresAt,
    });
    assert.ok(typeof made === "object" && "secret" in made);
    return made;
  };
  const rotate = async (keyId: string, overlapHours = 24) => {
    const rotated = await keys.rotate(by, keyId, overlapHours);
    assert.ok(typeof rotated === "object" && rotated?.kind === "rotated", JSON.stringify(rotated));
    // In a service the change feed tells every node to forget the key.
    for (const node of nodes) node.invalidate(rotated.replaced.publicId);
    return rotated;
  };
  return { workspaceId, clock, keys, by, answers, create, rotate, forgotten };
}

function createNode() {
  const disk = new Map<string, Parameters<RememberedKeys["remember"]>[1]>();
  const remembered: RememberedKeys = {
    remember: (publicId, key) => disk.set(publicId, key).has(publicId),
    recall: (publicId) => disk.get(publicId) ?? null,
    forget: (publicId) => void disk.delete(publicId),
    publicIds: () => [...disk.keys()],
  };
  const ignore = (): void => undefined;
  const cache = createApiKeyCache(findStoredApiKey(database.pool), remembered, ignore, ignore);
  return {
    invalidate: cache.invalidate,
    accepts: async (secret: string, nowMs: number): Promise<boolean> =>
      typeof (cache.cached(secret, nowMs) ?? (await cache.lookUp(secret, nowMs))) === "object",
  };
}

describe("KEY-11: both keys work until the overlap ends", () => {
  it("the old one then stops on every node, and nobody has written anything", async () => {
    const { clock, answers, create, rotate } = await situation();
    const old = await create();
    assert.deepEqual(await answers(old.secret), [true, true]);
    const { secret, replaced } = await rotate(old.key.keyId);
    assert.equal(replaced.expiresAt?.getTime(), BEGAN_MS + 24 * HOUR_MS);
    const stored = () =>
      database.pool.query("select xmin, expires_at, revoked_at from api_keys where public_id = $1", [
        replaced.publicId,
      ]);
    const { rows } = await stored();
    for (const [afterMs, works] of [
      [0, true],
      [24 * HOUR_MS - 1, true],
      [24 * HOUR_MS, false],
      [48 * HOUR_MS, false],
    ] as const) {
      clock.nowMs = BEGAN_MS + afterMs;
      assert.deepEqual(await answers(old.secret), [works, works], `the old key after ${afterMs} ms`);
      assert.deepEqual(await answers(secret), [true, true], `the new key after ${afterMs} ms`);
    }
    assert.deepEqual((await stored()).rows, rows);
  });

  it("a key that would have expired earlier does so, and its successor with it", async () => {
    const { clock, answers, create, rotate } = await situation();
    const expiresAt = new Date(BEGAN_MS + HOUR_MS);
    const old = await create(expiresAt);
    const { key, secret, replaced } = await rotate(old.key.keyId);
    assert.deepEqual([key.expiresAt, replaced.expiresAt], [expiresAt, expiresAt]);
    clock.nowMs = expiresAt.getTime();
    assert.deepEqual(
      [await answers(old.secret), await answers(secret)],
      [
        [false, false],
        [false, false],
      ],
    );
  });

  it("without an overlap the old key stops at once, and its node forgets it", async () => {
    const { answers, create, rotate, forgotten } = await situation();
    const old = await create();
    const { secret } = await rotate(old.key.keyId, 0);
    assert.deepEqual(forgotten, [old.key.publicId]);
    assert.deepEqual(
      [await answers(old.secret), await answers(secret)],
      [
        [false, false],
        [true, true],
      ],
    );
  });

  it("the old key can be revoked before", async () => {
    const { keys, by, answers, create, rotate } = await situation();
    const old = await create();
    const { secret } = await rotate(old.key.keyId);
    await keys.revoke(by, old.key.keyId);
    assert.deepEqual(await answers(old.secret), [false, false]);
    assert.deepEqual(await answers(secret), [true, true]);
  });
});

describe("KEY-12: which keys can be rotated, and how often", () => {
  it("a key that is revoked, expired or rotated cannot", async () => {
    const { clock, keys, by, create, rotate } = await situation();
    const revoked = await create();
    await keys.revoke(by, revoked.key.keyId);
    const expiring = await create(new Date(BEGAN_MS + HOUR_MS));
    const rotated = await create();
    await rotate(rotated.key.keyId);
    clock.nowMs += HOUR_MS;
    for (const { key } of [revoked, expiring, rotated])
      assert.deepEqual(await keys.rotate(by, key.keyId, 24), { kind: "over" });
    assert.equal(await keys.rotate(by, newId("key"), 24), null);
  });

  it("of two rotations of a key at once one is done", async () => {
    const { keys, by, create } = await situation();
    const { key } = await create();
    const results = await Promise.all([keys.rotate(by, key.keyId, 24), keys.rotate(by, key.keyId, 24)]);
    const kinds = results.map((result) => (typeof result === "object" ? result?.kind : result));
    assert.deepEqual(new Set(kinds), new Set(["over", "rotated"]));
    const listed = await keys.list(by, { pageSize: 100, cursor: null });
    assert.ok(listed !== "unavailable");
    assert.equal(listed.rows.length, 2);
  });

  it("a full workspace can rotate its keys, and as many rotated keys still work as keys may be kept", async () => {
    const { clock, keys, by, workspaceId, create, rotate } = await situation();
    const made = [await create(), await create()];
    assert.equal(made.length, KEPT_MAX);
    const successors: string[] = [];
    for (const { key } of made) successors.push((await rotate(key.keyId)).key.keyId);
    const full = { kind: "limit_reached", limit: KEPT_MAX, what: "API keys" };
    let current = successors[0] ?? "";
    assert.deepEqual(await keys.rotate(by, current, 24), full);
    // A day later the overlaps are over, so there is room again.
    for (let day = 0; day < 4; day++) {
      clock.nowMs += 24 * HOUR_MS;
      current = (await rotate(current)).key.keyId;
    }
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from api_keys where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    // These rows are left: two keys, the key of today's overlap, and the two keys that ended last.
    assert.deepEqual(rows, [{ count: KEPT_MAX + 1 + KEPT_MAX }]);
  });
});
