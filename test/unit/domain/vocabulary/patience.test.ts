import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OIDC_LIMITS } from "../../../../src/domain/vocabulary/tuning/oidc.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import { patienceOf } from "../../../../src/domain/vocabulary/patience.js";

const DELIVERED: Readonly<Record<string, number>> = {
  ...TUNING,
  identityProviderTimeoutMs: OIDC_LIMITS.providerTimeoutMs,
};

describe("how long a node waits for its own parts", () => {
  it("is as the limits say, and all of it is stretched alike for tests on a starved host", () => {
    for (const factor of [1, 10, 100]) {
      const patience = Object.entries(patienceOf(factor));
      assert.equal(patience.length, 8);
      for (const [name, value] of patience)
        assert.equal(value, factor * (DELIVERED[name] ?? Number.NaN), name);
    }
  });

  it("is refused where a request that waits would not outlive the claim it waits for", () => {
    assert.throws(() => patienceOf(TUNING.idempotencyClaimMs / TUNING.decisionAnswerMsMax), RangeError);
  });
});
