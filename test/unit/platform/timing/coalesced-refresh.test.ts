import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { createCoalescedRefresh } from "../../../../src/platform/timing/coalesced-refresh.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

describe("a change in PostgreSQL is read, with retries until it was read", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** The first `failures` runs fail. */
  function flaky(failures: number) {
    const errors: unknown[] = [];
    const counts = { runs: 0 };
    const sync = createCoalescedRefresh(
      async () => {
        if (counts.runs++ < failures) throw new Error(`run ${counts.runs}`);
      },
      (error) => errors.push(error),
    );
    return { sync, errors, counts };
  }

  it("a failure is reported once and retried each second until a success", async () => {
    const { sync, errors, counts } = flaky(2);
    sync.refreshSoon();
    await turn();
    for (const runs of [1, 2, 3, 3]) {
      assert.equal(counts.runs, runs);
      mock.timers.tick(TUNING.refreshRetryMs);
      await turn();
    }
    assert.equal(errors.length, 1);
  });

  it("a notification in between takes the place of the retry", async () => {
    const { sync, counts } = flaky(1);
    sync.refreshSoon();
    await turn();
    sync.refreshSoon();
    await turn();
    mock.timers.tick(2 * TUNING.refreshRetryMs);
    await turn();
    assert.equal(counts.runs, 2);
  });

  it("a waiting caller gets the failure, and asks again", async () => {
    const { sync, counts } = flaky(1);
    await assert.rejects(sync.refresh(), /run 1/);
    await sync.refresh();
    assert.equal(counts.runs, 2);
  });
});
