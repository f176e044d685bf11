import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { within } from "../../../../src/platform/timing/within.js";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
const MINUTE_MS = 60_000;

describe("an answer within a time limit", () => {
  it("is the answer, and leaves no timer behind", async () => {
    const before = timers();
    assert.equal(await within(Promise.resolve("answer"), MINUTE_MS, "late"), "answer");
    assert.equal(timers(), before);
  });

  it("fails like the work, and leaves no timer behind", async () => {
    const before = timers();
    await assert.rejects(within(Promise.reject(new RangeError("of ours")), MINUTE_MS, "late"), RangeError);
    assert.equal(timers(), before);
  });

  it("is the value for a late answer once the time has passed", async () => {
    assert.equal(await within(new Promise(() => undefined), 1, "late"), "late");
  });
});
