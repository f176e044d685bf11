import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readKeptReply, writeKeptReply } from "../../../../src/path/idempotency/kept-reply.js";

describe("a first response as it is kept", () => {
  it("RTRY-16: has its time in a header, and without one is the body alone", () => {
    const body = '{"order":"a\\nb"}';
    assert.equal(writeKeptReply({ body, retryNotBeforeMs: null }), body);
    for (const retryNotBeforeMs of [null, 0, 1_795_000_000_123]) {
      const kept = { body, retryNotBeforeMs };
      assert.deepEqual(readKeptReply(writeKeptReply(kept)), kept);
    }
  });
});
