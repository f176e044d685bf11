import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClosers, FAILED_START } from "../../../src/composition/closers.js";
import { createLogger } from "../../../src/platform/telemetry/logger.js";

describe("a stop ends the parts that a start has begun", () => {
  it("the last first, even if one fails; parts that begin during the stop come next", async () => {
    const ended: string[] = [];
    const closers = createClosers(createLogger("silent"));
    closers.push(() => void ended.push("first"));
    closers.push(() => Promise.reject(new Error("does not end")));
    closers.push(() => {
      ended.push("last");
      closers.push(() => void ended.push("begun meanwhile"));
    });
    await closers.closeAll(FAILED_START);
    assert.deepEqual(ended, ["last", "begun meanwhile", "first"]);
  });
});
