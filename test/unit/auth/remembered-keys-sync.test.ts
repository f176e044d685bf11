import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { describe, it } from "node:test";
import { createCoalescedRefresh } from "../../../src/actors/coalesced-refresh.js";
import type { RememberedKeys, StoredApiKey } from "../../../src/auth/api-key-cache.js";
import { generateApiKey } from "../../../src/auth/api-key.js";
import { compareRememberedKeys } from "../../../src/auth/remembered-keys-sync.js";
import { LIMITS } from "../../../src/shared/limits.js";

const { salt, hash } = generateApiKey("test");
const key = (changes: Partial<StoredApiKey> = {}): StoredApiKey => ({
  keyId: "key_1",
  workspaceId: "ws_1",
  mode: "test",
  scopes: ["decision:write"],
  merchantId: null,
  expiresAtMs: null,
  revoked: false,
  salt,
  hash,
  workspaceStatus: "active",
  ...changes,
});

function situation(disk: Map<string, StoredApiKey>, rows: Map<string, StoredApiKey>) {
  const asked: (readonly string[])[] = [];
  const errors: unknown[] = [];
  let whileAsked: () => void = () => undefined;
  const remembered: RememberedKeys = {
    remember: (id, stored) => void disk.set(id, stored),
    recall: (id) => disk.get(id) ?? null,
    forget: (id) => void disk.delete(id),
    publicIds: () => [...disk.keys()],
  };
  const compare = compareRememberedKeys({
    remembered,
    rowsMax: 2,
    async find(ids) {
      asked.push(ids);
      const found = new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as StoredApiKey]] : [])));
      await Promise.resolve();
      whileAsked();
      return found;
    },
  });
  const sync = createCoalescedRefresh(compare, (error) => errors.push(error));
  return { sync, asked, errors, during: (work: () => void) => (whileAsked = work) };
}

describe("contract §3: what a node remembers of keys nobody uses follows PostgreSQL", () => {
  it("revoked and deleted keys are forgotten, a suspension is known, the rest stays", async () => {
    const disk = new Map(["good", "revoked", "gone", "suspended"].map((id) => [id, key()]));
    const rows = new Map([
      ["good", key()],
      ["revoked", key({ revoked: true })],
      ["suspended", key({ workspaceStatus: "suspended" })],
      ["unknown here", key()],
    ]);
    const { sync, asked } = situation(disk, rows);
    await sync.refresh();
    assert.deepEqual([...disk.keys()], ["good", "suspended"]);
    assert.equal(disk.get("suspended")?.workspaceStatus, "suspended");
    assert.deepEqual(asked, [
      ["good", "revoked"],
      ["gone", "suspended"],
    ]);
  });

  it("a key that is revoked here while PostgreSQL is asked is not remembered again", async () => {
    const disk = new Map([["a", key()]]);
    const { sync, during } = situation(disk, new Map([["a", key()]]));
    during(() => disk.delete("a"));
    await sync.refresh();
    assert.equal(disk.size, 0);
  });

  it("a call during a comparison causes one more after it", async () => {
    const disk = new Map([["a", key()]]);
    const rows = new Map([["a", key()]]);
    const { sync, asked, during } = situation(disk, rows);
    const later: Promise<void>[] = [];
    during(() => {
      during(() => undefined);
      rows.delete("a");
      later.push(sync.refresh(), sync.refresh());
    });
    await sync.refresh();
    await Promise.all(later);
    assert.equal(asked.length, 2);
    assert.equal(disk.size, 0);
  });

  it("forgets nothing while PostgreSQL is away, and goes on afterwards", async () => {
    const disk = new Map([["a", key()]]);
    const { sync, during, errors } = situation(disk, new Map());
    during(() => {
      throw new Error("away");
    });
    await assert.rejects(sync.refresh());
    sync.refreshSoon();
    await assert.rejects(sync.refresh());
    assert.equal(disk.size, 1);
    assert.equal(errors.length, 1);
    during(() => undefined);
    await sync.refresh();
    assert.equal(disk.size, 0);
  });

  it("a comparison that failed is made again, though nobody tells of another change", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const disk = new Map([["a", key()]]);
    const { sync, during, errors } = situation(disk, new Map([["a", key({ revoked: true })]]));
    during(() => {
      throw new Error("busy");
    });
    sync.refreshSoon();
    for (let turns = 0; turns < 5; turns++) await turn();
    assert.deepEqual([disk.size, errors.length], [1, 1]);
    during(() => undefined);
    t.mock.timers.tick(LIMITS.refreshRetryMs);
    for (let turns = 0; turns < 5; turns++) await turn();
    assert.equal(disk.size, 0);
  });
});
