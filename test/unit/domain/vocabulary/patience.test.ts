import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { patienceOf } from "../../../../src/domain/vocabulary/patience.js";

describe("how long a node waits for its own parts", () => {
  it("is as the limits say, and all of it is stretched alike for tests on a starved host", () => {
    for (const factor of [1, 10, 100]) {
      const patience = Object.entries(patienceOf(factor));
      assert.equal(patience.length, 6);
      for (const [name, value] of patience)
        assert.equal(value, factor * LIMITS[name as keyof typeof LIMITS], name);
    }
  });

  it("is refused where a request that waits would not outlive the claim it waits for", () => {
    assert.throws(() => patienceOf(LIMITS.idempotencyClaimMs / LIMITS.decisionAnswerMsMax), RangeError);
  });
});
