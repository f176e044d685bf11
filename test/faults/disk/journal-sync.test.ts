import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost, assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { eventually, startTestService } from "../../support/service/service.js";

describe("JOURNAL_SYNC=always", () => {
  it("DUR-7: decides, replays and drains, and loses nothing across kill -9", async () => {
    const service = await startTestService({ JOURNAL_SYNC: "always", RATE_LIMIT_PER_MINUTE: "0" });
    const load = startDecisionLoad(service);
    await eventually(async () => assert.ok(load.keyed.size > 0));
    await sleep(500);
    await service.killAndRestart();
    await sleep(300);
    await load.stop();
    await assertNothingLost(service.pool, [load]);
    await assertRepliesSurvive(service, load);
    assert.equal(await service.stop(), 0);
  });
});
