import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDatabaseRead } from "../../../../src/platform/postgres/database-read.js";

function reading(isReachable = true, timeoutMs = 1000) {
  const refusals: (string | null)[] = [];
  const read = createDatabaseRead({
    isReachable: () => isReachable,
    persisted: () => Promise.resolve(true),
    timeoutMs,
    onRefusal: (sqlState) => void refusals.push(sqlState),
  });
  return { read, refusals };
}

describe("a read or write that PostgreSQL is asked for at once", () => {
  it("is unavailable where PostgreSQL refuses it, and the refusal is reported", async () => {
    const { read, refusals } = reading();
    const refused = Object.assign(new Error("permission denied"), { code: "42501" });
    assert.equal(await read(() => Promise.reject(refused)), "unavailable");
    assert.equal(await read(() => Promise.resolve("rows")), "rows");
    assert.deepEqual(refusals, ["42501"]);
  });

  it("is unavailable without being asked for while PostgreSQL is away, and where it is too slow", async () => {
    const { read, refusals } = reading(false);
    assert.equal(await read(() => assert.fail("asked")), "unavailable");
    assert.equal(await reading(true, 5).read(() => new Promise<string>(() => undefined)), "unavailable");
    assert.deepEqual(refusals, []);
  });

  it("rejects with an error of ours: that is a bug, and a 500", async () => {
    await assert.rejects(
      reading().read(() => Promise.reject(new TypeError("a bug"))),
      TypeError,
    );
  });
});
