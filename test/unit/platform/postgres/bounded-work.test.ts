import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBoundedWork } from "../../../../src/platform/postgres/bounded-work.js";

const SECOND_MS = 1000;

describe("work on PostgreSQL that fails", () => {
  it("is unavailable each time, and told once a second with the number of those between", async (t) => {
    const told: string[] = [];
    // Its own clock: three in a row may take a starved host more than a second.
    let nowMs = 0;
    t.mock.method(performance, "now", () => nowMs);
    const within = createBoundedWork({
      isReachable: () => true,
      timeoutMs: 10_000,
      onError: (error, skipped) => told.push(`${String(error)}, ${skipped} skipped`),
    });
    const fail = (why: string) => within(() => Promise.reject(new Error(why)));
    for (const why of ["first", "second", "third"]) assert.equal(await fail(why), "unavailable");
    assert.deepEqual(told, ["Error: first, 0 skipped"]);
    nowMs += SECOND_MS;
    await fail("fourth");
    assert.deepEqual(told.slice(1), ["Error: fourth, 2 skipped"]);
  });
});
