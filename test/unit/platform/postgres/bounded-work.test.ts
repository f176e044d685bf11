import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBoundedWork } from "../../../../src/platform/postgres/bounded-work.js";

const SECOND_MS = 1000;

describe("work on PostgreSQL that fails", () => {
  it("is unavailable each time, and is logged once a second with the number of suppressed errors", async (t) => {
    const logged: string[] = [];
    // The test has its own clock, because three successive calls may take a starved host more than a second.
    let nowMs = 0;
    t.mock.method(performance, "now", () => nowMs);
    const within = createBoundedWork({
      isReachable: () => true,
      timeoutMs: 10_000,
      onError: (error, suppressedCount) => logged.push(`${String(error)}, ${suppressedCount} suppressed`),
    });
    const fail = (why: string) => within(() => Promise.reject(new Error(why)));
    for (const why of ["first", "second", "third"]) assert.equal(await fail(why), "unavailable");
    assert.deepEqual(logged, ["Error: first, 0 suppressed"]);
    nowMs += SECOND_MS;
    await fail("fourth");
    assert.deepEqual(logged.slice(1), ["Error: fourth, 2 suppressed"]);
  });
});
