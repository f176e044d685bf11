import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { RecordKey } from "../../../../src/path/changes/copied-records.js";
import { isolateRecords } from "../../../../src/path/changes/isolated-copy.js";

const keyOf = (key: string): RecordKey => ({ workspaceId: "ws_1", key });

/** Copies records by name. A record in `bad` cannot be copied, and neither can the other records of the same call. */
function createWorld() {
  const bad = new Set<string>();
  const copied: string[] = [];
  const skipped: string[] = [];
  const world = {
    bad,
    copied,
    skipped,
    failure: () => new TypeError("not a policy"),
    works: async () => undefined as void,
  };
  const isolated = isolateRecords({
    copy: {
      async copy(records) {
        if (records.some(({ key }) => bad.has(key))) throw world.failure();
        copied.push(...records.map(({ key }) => key));
        return records.length;
      },
      stored: () => Promise.resolve([]),
      held: () => [],
    },
    works: () => world.works(),
    onSkipped: ({ key }) => skipped.push(key),
  });
  return { world, isolated };
}

describe("DUR-14: a record whose copy fails does not prevent other copies", () => {
  it("DUR-14: any records of a page: each good one is copied once, each bad one is reported once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (isBad) => {
        const { world, isolated } = createWorld();
        const keys = isBad.map((_, at) => `m${at}`);
        for (const [at, key] of keys.entries()) if (isBad[at] === true) world.bad.add(key);
        const good = keys.filter((key) => !world.bad.has(key));
        assert.equal(await isolated.copy(keys.map(keyOf)), good.length);
        assert.deepEqual(world.copied.toSorted(), good.toSorted());
        assert.deepEqual(world.skipped.toSorted(), [...world.bad].toSorted());
        for (const key of keys) assert.equal(isolated.isSkipped(keyOf(key)), world.bad.has(key));
        await isolated.copy(keys.map(keyOf));
        assert.equal(world.skipped.length, world.bad.size);
      }),
    );
  });

  it("DUR-14: a record that can be copied again is reported again when it fails once more", async () => {
    const { world, isolated } = createWorld();
    world.bad.add("m1");
    await isolated.copy([keyOf("m1"), keyOf("m2")]);
    world.bad.clear();
    await isolated.copy([keyOf("m1")]);
    assert.equal(isolated.isSkipped(keyOf("m1")), false);
    world.bad.add("m1");
    await isolated.copy([keyOf("m1")]);
    assert.deepEqual(world.skipped, ["m1", "m1"]);
  });

  it("no record is blamed while PostgreSQL is away or busy, or this node cannot store a copy", async () => {
    const { world, isolated } = createWorld();
    world.bad.add("m1");
    const records = [keyOf("m1"), keyOf("m2")];
    world.failure = () => Object.assign(new TypeError("canceling statement"), { code: "57014" });
    await assert.rejects(isolated.copy(records), { code: "57014" });
    world.failure = () => new TypeError("Connection terminated");
    world.works = () => Promise.reject(new Error("ECONNREFUSED"));
    await assert.rejects(isolated.copy(records), /ECONNREFUSED/);
    assert.deepEqual([world.copied, world.skipped], [[], []]);
    assert.equal(isolated.isSkipped(keyOf("m1")), false);
  });

  it("DUR-14: a doubtful failure is the record's fault if another record can be copied, otherwise no fault of a record", async () => {
    const { world, isolated } = createWorld();
    world.failure = () => Object.assign(new Error('relation "merchants" does not exist'), { code: "42P01" });
    const records = ["m1", "m2", "m3"].map(keyOf);
    for (const { key } of records) world.bad.add(key);
    await assert.rejects(isolated.copy(records), { code: "42P01" });
    assert.deepEqual([world.copied, world.skipped], [[], []]);
    world.bad.delete("m2");
    assert.equal(await isolated.copy(records), 1);
    assert.deepEqual([world.copied, world.skipped], [["m2"], ["m1", "m3"]]);
  });
});
