import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFixedWindow } from "../../../../src/path/access/rate-window.js";

const MINUTE = 60_000;

describe("rate limit, fixed one-minute window", () => {
  it("lets the limit pass and nothing more, for each principal alone", () => {
    const window = createFixedWindow(3);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => window.take("key_a", MINUTE)),
      [true, true, true, false, false],
    );
    assert.equal(window.take("key_b", MINUTE), true);
  });

  it("RATE-2: starts from zero at the minute boundary, not a minute after the first request", () => {
    const window = createFixedWindow(1);
    assert.equal(window.take("key_a", 2 * MINUTE - 1), true);
    assert.equal(window.take("key_a", 2 * MINUTE - 1), false);
    assert.equal(window.take("key_a", 2 * MINUTE), true);
  });

  it("is off at 0", () => {
    const window = createFixedWindow(0);
    for (let i = 0; i < 10_000; i++) assert.equal(window.take("key_a", MINUTE), true);
  });
});
