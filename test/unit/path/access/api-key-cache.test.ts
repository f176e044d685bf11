import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { createApiKeyCache } from "../../../../src/path/access/api-key-cache.js";
import type { RememberedKeys } from "../../../../src/path/access/remembered-keys.js";
import type { ApiKeyGrant, Authentication, StoredApiKey } from "../../../../src/path/access/grant.js";
import { takesOwn } from "../../../../src/path/access/cell.js";
import { generateApiKey } from "../../../../src/path/access/api-key.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const CACHE_LIFE_MS = 60_000;

const { secret, publicId, salt, hash } = generateApiKey("test");
const KEY: StoredApiKey = {
  keyId: "key_1",
  workspaceId: "ws_1",
  mode: "test",
  scopes: ["decision:write", "health:read"],
  merchantId: "shop",
  expiresAtMs: null,
  revoked: false,
  salt,
  hash,
  workspaceStatus: "active",
};

/** A key cache over a simulated database and disk. The test decides when the database answers. */
function situation(rows: Record<string, StoredApiKey> = { [publicId]: KEY }) {
  const disk = new Map<string, StoredApiKey>();
  const lookups: string[] = [];
  const results: string[] = [];
  const uses: { key: string; usedAtMs: number }[] = [];
  let away = false;
  let gate = Promise.resolve();
  const remembered: RememberedKeys = {
    remember(id, key) {
      disk.set(id, key);
      return true;
    },
    recall: (id) => disk.get(id) ?? null,
    forget: (id) => void disk.delete(id),
    publicIds: () => [...disk.keys()],
  };
  const cache = createApiKeyCache(
    async (id) => {
      lookups.push(id);
      const found = rows[id] ?? null;
      await gate;
      if (away) throw new Error("no database");
      return found;
    },
    remembered,
    (result) => results.push(result),
    (grant, usedAtMs) => uses.push({ key: grant.actor, usedAtMs }),
    undefined,
    takesOwn("a"),
  );
  return {
    cache,
    disk,
    lookups,
    results,
    uses,
    rows,
    setAway: (value: boolean) => (away = value),
    /** Answers wait until the returned function is called. */
    holdAnswers(): () => void {
      let release: () => void = () => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return () => {
        gate = Promise.resolve();
        release();
      };
    },
    ask: async (presented = secret, nowMs = NOW_MS): Promise<Authentication> =>
      cache.cached(presented, nowMs) ?? cache.lookUp(presented, nowMs),
  };
}

const isGrant = (result: Authentication): result is ApiKeyGrant => typeof result !== "string";

describe("Authentication, the 60-second key cache", () => {
  it("answers a key's grant", async () => {
    const { ask } = situation();
    const grant = await ask();
    assert.deepEqual(grant, {
      actor: "key_1",
      workspaceId: "ws_1",
      mode: "test",
      scopes: new Set(["decision:write", "health:read"]),
      merchantScope: "shop",
      expiresAtMs: null,
      workspaceStatus: "active",
    });
  });

  it("KEY-9: asks the database once in 60 seconds, and then again", async () => {
    const { ask, cache, lookups, results } = situation();
    await ask();
    assert.notEqual(cache.cached(secret, NOW_MS + CACHE_LIFE_MS - 1), null);
    assert.equal(lookups.length, 1);
    assert.ok(isGrant(await ask(secret, NOW_MS + CACHE_LIFE_MS)));
    assert.equal(lookups.length, 2);
    assert.deepEqual(results, ["miss", "hit", "miss"]);
  });

  it("ADM-8, KEY-9: learns of a revocation within 60 seconds, even without a notification", async () => {
    const { ask, rows } = situation();
    await ask();
    rows[publicId] = { ...KEY, revoked: true };
    assert.ok(isGrant(await ask(secret, NOW_MS + CACHE_LIFE_MS - 1)));
    assert.equal(await ask(secret, NOW_MS + CACHE_LIFE_MS), "invalid_api_key");
  });

  it("KEY-9: learns of it at once when notified", async () => {
    const tellings = {
      invalidate: publicId,
      invalidateWorkspace: KEY.workspaceId,
    } as const;
    for (const tell of ["invalidate", "invalidateWorkspace"] as const) {
      const { ask, cache, rows } = situation();
      await ask();
      rows[publicId] = { ...KEY, revoked: true };
      cache[tell](tellings[tell]);
      assert.equal(await ask(), "invalid_api_key", tell);
    }
  });

  it("CELL-2: asks nobody about a key of another cell, and does about one without a name", async () => {
    const { ask, lookups } = situation();
    const other = generateApiKey("test", "b");
    assert.equal(await ask(other.secret), "invalid_api_key");
    assert.deepEqual(lookups, []);
    assert.ok(isGrant(await ask()));
    assert.deepEqual(lookups, [publicId]);
  });

  it("another workspace's suspension leaves it where it is", async () => {
    const { ask, cache, lookups } = situation();
    await ask();
    cache.invalidateWorkspace("ws_another");
    assert.ok(isGrant(await ask()));
    assert.equal(lookups.length, 1);
  });

  it("keeps no answer that was read before the notification", async () => {
    const { ask, cache, rows, holdAnswers } = situation();
    const release = holdAnswers();
    const reading = ask();
    rows[publicId] = { ...KEY, revoked: true };
    cache.invalidateWorkspace(KEY.workspaceId);
    release();
    // This request came before the revocation, and the next one comes after it.
    assert.ok(isGrant(await reading));
    assert.equal(await ask(), "invalid_api_key");
  });

  it("asks once for requests that come together", async () => {
    const { ask, lookups, holdAnswers } = situation();
    const release = holdAnswers();
    const asking = Array.from({ length: 50 }, () => ask());
    release();
    assert.ok((await Promise.all(asking)).every(isGrant));
    assert.equal(lookups.length, 1);
  });

  it("reports a key's use once a cache life, and never that of a refused key", async () => {
    const { ask, uses, rows } = situation();
    await ask();
    await ask();
    await ask(secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0"));
    assert.deepEqual(uses, [{ key: "key_1", usedAtMs: NOW_MS }]);
    await ask(secret, NOW_MS + CACHE_LIFE_MS);
    assert.equal(uses.length, 2);
    rows[publicId] = { ...KEY, expiresAtMs: NOW_MS };
    await ask(secret, NOW_MS + 2 * CACHE_LIFE_MS);
    rows[publicId] = { ...KEY, revoked: true };
    await ask(secret, NOW_MS + 3 * CACHE_LIFE_MS);
    assert.equal(uses.length, 2);
  });

  it("refuses expired keys, cached or not", async () => {
    const { ask } = situation({ [publicId]: { ...KEY, expiresAtMs: NOW_MS + 1000 } });
    assert.ok(isGrant(await ask(secret, NOW_MS + 999)));
    assert.equal(await ask(secret, NOW_MS + 1000), "invalid_api_key");
    assert.equal(await situation({ [publicId]: { ...KEY, expiresAtMs: NOW_MS } }).ask(), "invalid_api_key");
  });
});

describe("a key is found by its non-secret part, which opens nothing", () => {
  const wrongSecret = secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0");
  const wrongMode = secret.replace("pi_test_", "pi_live_");

  for (const [what, guess] of [
    ["a wrong secret", wrongSecret],
    ["the other mode", wrongMode],
  ] as const) {
    it(`KEY-3: refuses ${what} with a right public id, and does not lock its holder out`, async () => {
      const { ask } = situation();
      assert.equal(await ask(guess), "invalid_api_key");
      assert.ok(isGrant(await ask()));
      assert.equal(await ask(guess), "invalid_api_key");
      assert.ok(isGrant(await ask()));
    });
  }

  it("asks the database nothing for a text that is not shaped like a key", async () => {
    const { ask, lookups } = situation();
    for (const text of ["", "x", "x".repeat(72), secret.toUpperCase(), `${secret}0`]) {
      assert.equal(await ask(text), "invalid_api_key");
    }
    assert.deepEqual(lookups, []);
  });

  it("remembers for two seconds that an id is unknown", async () => {
    const { ask, lookups, rows } = situation({});
    assert.equal(await ask(), "invalid_api_key");
    rows[publicId] = KEY;
    assert.equal(await ask(secret, NOW_MS + 1999), "invalid_api_key");
    assert.equal(lookups.length, 1);
    assert.ok(isGrant(await ask(secret, NOW_MS + 2000)));
  });

  it("forgets it at once when keys change", async () => {
    const { ask, cache, rows } = situation({});
    await ask();
    rows[publicId] = KEY;
    cache.invalidate(publicId);
    assert.ok(isGrant(await ask()));
  });
});

describe("DUR-4: while Postgres is away", () => {
  it("continues with known keys across a restart", async () => {
    const { ask, cache, setAway, disk } = situation();
    await ask();
    assert.ok(disk.has(publicId));
    setAway(true);
    cache.invalidateWorkspace(KEY.workspaceId);
    assert.ok(isGrant(await ask(secret, NOW_MS + 10 * CACHE_LIFE_MS)));
  });

  it("checks the secret, the expiry and the revocation of those as well", async () => {
    const { ask, disk, setAway } = situation();
    setAway(true);
    disk.set(publicId, KEY);
    assert.equal(await ask(secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")), "invalid_api_key");
    disk.set(publicId, { ...KEY, expiresAtMs: NOW_MS });
    assert.equal(await ask(), "invalid_api_key");
    disk.set(publicId, { ...KEY, revoked: true });
    assert.equal(await ask(secret, NOW_MS + 2 * CACHE_LIFE_MS), "invalid_api_key");
  });

  it("says `unavailable`, not `invalid`, of a key it has never seen", async () => {
    const { ask, setAway } = situation();
    setAway(true);
    assert.equal(await ask(), "unavailable");
    setAway(false);
    assert.ok(isGrant(await ask()));
  });

  it("knows no key any more that this node has revoked, not even from a look-up under way", async () => {
    const { ask, cache, disk, setAway, holdAnswers } = situation();
    await ask();
    cache.revoke(publicId);
    assert.equal(disk.has(publicId), false);
    const release = holdAnswers();
    const reading = ask();
    // The look-up reads the key before the revocation, and its answer arrives after it.
    cache.revoke(publicId);
    release();
    assert.ok(isGrant(await reading));
    assert.equal(disk.has(publicId), false);
    setAway(true);
    assert.equal(await ask(), "unavailable");
  });

  it("does not wait for a frozen database, but uses its memory until that answers", async () => {
    const { ask, cache, lookups, rows, holdAnswers } = situation();
    await ask();
    cache.invalidateWorkspace(KEY.workspaceId);
    rows[publicId] = { ...KEY, revoked: true };
    const release = holdAnswers();
    assert.ok(isGrant(await ask()));
    assert.equal(lookups.length, 2);
    release();
    await sleep(0);
    assert.equal(await ask(), "invalid_api_key");
    assert.equal(lookups.length, 2);
  });

  it("waits for it where a key was never seen", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { ask, holdAnswers } = situation();
    const release = holdAnswers();
    const asked = ask();
    await nextTurn();
    t.mock.timers.tick(TUNING.keyLookupPatienceMs);
    await nextTurn();
    release();
    assert.ok(isGrant(await asked));
  });

  it("forgets keys on disk that the database does not have", async () => {
    const { ask, disk, rows } = situation();
    await ask();
    delete rows[publicId];
    await ask(secret, NOW_MS + CACHE_LIFE_MS);
    assert.equal(disk.has(publicId), false);
  });
});
