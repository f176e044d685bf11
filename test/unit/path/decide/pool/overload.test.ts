import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createPoolAdmission, type PoolAdmission } from "../../../../../src/path/decide/pool/batch-lane.js";
import { TUNING } from "../../../../../src/domain/vocabulary/tuning.js";

describe("OPS-9: a node refuses requests that it could not answer within its budget", () => {
  let clockMs: number;
  let admission: PoolAdmission;
  /** True if a request is refused while the oldest of `pending` has waited this long. */
  const isFull = (pending: number, waitedMs: number): boolean =>
    admission.isFull({ pending, oldestMs: () => clockMs - waitedMs });
  /** Answers this many requests a millisecond, for a tenth of a second. */
  const answer = (perMs: number): void => {
    for (let ms = 0; ms < 100; ms++) {
      admission.answered(perMs);
      clockMs++;
    }
  };
  const overload = (): void => {
    assert.equal(isFull(TUNING.pendingRequestsFree, TUNING.pendingWaitMsMax + 1), true);
  };
  /** The least number of pending requests with which a further one is refused. */
  const held = (): number => {
    for (let pending = 0; ; pending++) if (isFull(pending, 0)) return pending;
  };

  beforeEach(() => {
    clockMs = 1_000_000;
    admission = createPoolAdmission(() => clockMs);
  });

  it("a burst is held, for any reason of the wait", () => {
    assert.equal(isFull(TUNING.pendingRequestsFree - 1, 60_000), false);
  });

  it("a larger one while the oldest waits no longer than it may, up to the last place", () => {
    assert.equal(isFull(TUNING.pendingRequestsMax - 1, TUNING.pendingWaitMsMax), false);
    assert.equal(isFull(TUNING.pendingRequestsMax, 0), true);
  });

  it("overloaded, it holds the number that was answered in the permitted waiting time", () => {
    answer(7);
    overload();
    assert.equal(held(), 7 * TUNING.overloadedWaitMs);
  });

  it("however fast or slow the workers were, within bounds", () => {
    answer(1000);
    overload();
    assert.equal(held(), TUNING.pendingRequestsOverloadedMax);
    answer(0);
    assert.equal(held(), TUNING.pendingRequestsOverloadedMin);
  });

  it("a quiet hour before it does not affect the measured speed of the workers", () => {
    admission.answered(1000);
    clockMs += 3_600_000;
    overload();
    assert.equal(held(), TUNING.pendingRequestsOverloadedMax);
  });

  it("takes a burst again after a while", () => {
    overload();
    clockMs += TUNING.overloadMs;
    assert.equal(isFull(TUNING.pendingRequestsFree - 1, 60_000), false);
  });
});
