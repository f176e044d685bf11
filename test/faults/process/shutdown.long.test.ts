import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost } from "../../support/load/acknowledged.js";
import { median, recordFigures, seconds } from "../../support/load/figures.js";
import { describeNoise, isStarved, startNoiseMeter } from "../../support/waiting/host-noise.js";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import { setMerchantScene } from "../../support/load/merchant-scene.js";
import { scaled } from "../../support/load/scale.js";
import { startTestService } from "../../support/service/service.js";

const ROUNDS = scaled(10, 3);
/** SHUTDOWN_GRACE_MS (OPS-7). */
const GRACE_MS = 10_000;

describe("reliability: SIGTERM under 500 requests a second", () => {
  it("answers every request it accepted, drains the journal, and exits 0 in time, every time", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
    const startLoad = await setMerchantScene(service);
    const meter = startNoiseMeter();
    const load = startLoad();
    const { ledger } = load;
    const tookMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(300 + Math.random() * 1000);
      const stoppedMs = performance.now();
      assert.equal(await service.stop("SIGTERM"), 0);
      tookMs.push(performance.now() - stoppedMs);
      // The journal must be drained by the stop, and not only by the next start.
      await assertNothingLost(service.pool, [ledger], 0);
      await service.start();
    }
    await load.finish();
    const noise = meter.stop();
    const refused = [...load.answers].filter(([answer]) => !answer.endsWith(" 200"));
    assert.ok(refused.length === 0 || isStarved(noise), String(refused));
    // Connections are refused once nobody listens. No connection breaks during a request.
    assert.deepEqual([...load.breaks.keys()], ["ECONNREFUSED"]);
    await assertLedgerKept(service.pool, ledger);
    await assertAggregatesExact(service);
    const answered = [...load.answers.values()].reduce((sum, count) => sum + count, 0);
    await recordFigures(t, {
      fault: "SIGTERM under 500 requests a second",
      promised: "no accepted request fails, journal drained, exit 0 within SHUTDOWN_GRACE_MS (10 s)",
      measured: `${ROUNDS} times: ${answered} requests answered, none broken off, ${refused.length === 0 ? "none" : String(refused)} with an error; journal empty and exit 0 each time after ${seconds(median(tookMs))}, at most ${seconds(Math.max(...tookMs))} (${describeNoise(noise)})`,
    });
    assert.ok(Math.max(...tookMs) < GRACE_MS || isStarved(noise), `took ${tookMs.map(seconds).join(", ")}`);
  });
});
