import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FailureWindow } from "../../../../src/domain/health/failure-window.js";

const T0 = Date.UTC(2026, 10, 20);

describe("the circuit's 10 s", () => {
  it("HLTH-22: trails the time it is asked for, second by second", () => {
    const window = new FailureWindow();
    for (let second = 0; second < 20; second++) window.add(T0 + second * 1000, second % 2 === 0);
    assert.deepEqual(window.recent(T0 + 19_999), { samples: 10, technicalFailures: 5 });
    assert.deepEqual(window.recent(T0 + 20_000), { samples: 9, technicalFailures: 4 });
    assert.deepEqual(window.recent(T0 + 28_999), { samples: 1, technicalFailures: 0 });
    assert.deepEqual(window.recent(T0 + 29_000), { samples: 0, technicalFailures: 0 });
  });

  it("straddles the edge of a 10 s bucket", () => {
    const window = new FailureWindow();
    for (const atMs of [T0 + 9_000, T0 + 9_999, T0 + 10_000, T0 + 11_000]) window.add(atMs, true);
    assert.equal(window.recent(T0 + 11_000).samples, 4);
  });

  it("is not moved by reading ahead", () => {
    const window = new FailureWindow();
    window.add(T0, true);
    assert.equal(window.recent(T0 + 60_000).samples, 0);
    window.add(T0 + 500, false);
    assert.deepEqual(window.recent(T0 + 1000), { samples: 2, technicalFailures: 1 });
  });

  it("drops samples that are older than the window", () => {
    const window = new FailureWindow();
    window.add(T0 + 30_000, false);
    window.add(T0 + 20_000, true);
    window.add(T0 + 21_000, true);
    assert.deepEqual(window.recent(T0 + 30_000), { samples: 2, technicalFailures: 1 });
  });
});
