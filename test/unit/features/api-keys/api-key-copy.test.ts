import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RememberedKeys } from "../../../../src/path/access/remembered-keys.js";
import type { StoredApiKey } from "../../../../src/path/access/grant.js";
import { generateApiKey } from "../../../../src/path/access/api-key.js";
import { copyApiKeys } from "../../../../src/features/api-keys/api-key-copy.js";

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
const records = (...publicIds: string[]) => publicIds.map((id) => ({ workspaceId: "ws_1", key: id }));

function situation(disk: Map<string, StoredApiKey>, rows: Map<string, StoredApiKey>) {
  const calls: string[] = [];
  let whileAsked: () => void = () => undefined;
  const remembered: RememberedKeys = {
    remember(id, stored) {
      const isNew = disk.get(id)?.workspaceStatus !== stored.workspaceStatus;
      disk.set(id, stored);
      return isNew;
    },
    recall: (id) => disk.get(id) ?? null,
    forget: (id) => void disk.delete(id),
    publicIds: (after, limit) =>
      [...disk.keys()]
        .toSorted()
        .filter((id) => id > after)
        .slice(0, limit),
  };
  const copies = copyApiKeys({
    remembered,
    async find(ids) {
      calls.push(`find ${ids.join(" ")}`);
      const found = new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as StoredApiKey]] : [])));
      await Promise.resolve();
      whileAsked();
      return found;
    },
    invalidate: (id) => void calls.push(`invalidate ${id}`),
  });
  return { copies, calls, during: (work: () => void) => (whileAsked = work) };
}

describe("KEY-9: a node's memory of unused keys follows PostgreSQL", () => {
  it("revoked and deleted keys are forgotten, a suspension is known, the rest stays", async () => {
    const disk = new Map(["good", "revoked", "gone", "suspended", "unchanged"].map((id) => [id, key()]));
    const rows = new Map([
      ["good", key()],
      ["revoked", key({ revoked: true })],
      ["suspended", key({ workspaceStatus: "suspended" })],
      ["unknown here", key()],
    ]);
    const { copies, calls } = situation(disk, rows);
    assert.equal(await copies.copy(records("good", "revoked", "gone", "suspended", "unknown here")), 3);
    assert.deepEqual([...disk.keys()], ["good", "suspended", "unchanged"]);
    assert.equal(disk.get("suspended")?.workspaceStatus, "suspended");
    assert.equal(calls.at(-1), "find good revoked gone suspended", "what is not remembered is not asked for");
  });

  it("the next request with a changed key reads it again, even if it is not remembered", async () => {
    const { copies, calls } = situation(new Map([["a", key()]]), new Map());
    await copies.copy(records("a", "new", "a"));
    assert.deepEqual(calls, ["invalidate a", "invalidate new", "find a"]);
  });

  it("a key that is revoked here while PostgreSQL is asked is not remembered again", async () => {
    const disk = new Map([["a", key()]]);
    const { copies, during } = situation(disk, new Map([["a", key()]]));
    during(() => disk.delete("a"));
    await copies.copy(records("a"));
    assert.equal(disk.size, 0);
  });

  it("forgets nothing while PostgreSQL is away", async () => {
    const disk = new Map([["a", key()]]);
    const { copies, during } = situation(disk, new Map());
    during(() => {
      throw new Error("away");
    });
    await assert.rejects(copies.copy(records("a")));
    assert.equal(disk.size, 1);
  });

  it("remembered keys are compared, some at a time", () => {
    const { copies } = situation(new Map(["a", "b", "c"].map((id) => [id, key()])), new Map());
    const first = copies.held(null, 2);
    assert.deepEqual(
      first.map((record) => record.key),
      ["a", "b"],
    );
    assert.deepEqual(
      copies.held(first.at(-1) ?? null, 2).map((record) => record.key),
      ["c"],
    );
  });
});
