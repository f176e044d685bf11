import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { median, recordFigures, seconds } from "../../support/load/figures.js";
import { describeNoise, isStarved } from "../../support/waiting/host-noise.js";
import { scaled } from "../../support/load/scale.js";
import { startTestService } from "../../support/service/service.js";
import { READY_WITHIN_MS, surviveKills } from "./kill-scenario.js";

const KILLS = scaled(20, 4);

describe("DUR-2: reliability: SIGKILL at random moments under 500 requests a second", () => {
  it("loses no acknowledged decision, outcome or review, keeps the aggregates exact, and is ready again in time", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
    const { readyMs, decisions, outcomes, reviews, broken, noise } = await surviveKills(service, KILLS);
    await recordFigures(t, {
      fault: "SIGKILL under 500 requests a second",
      promised:
        "every acknowledged decision, outcome and review exactly once, aggregates equal a recomputation, ready again within 5 s",
      measured: `${KILLS} kills: ${decisions} decisions, ${outcomes} outcomes and ${reviews} reviews acknowledged, 0 lost, 0 doubled; ${broken} requests broke off; ready after ${seconds(median(readyMs))}, at most ${seconds(Math.max(...readyMs))} (${describeNoise(noise)})`,
    });
    const isInTime = Math.max(...readyMs) < READY_WITHIN_MS;
    assert.ok(isInTime || isStarved(noise), `ready after ${readyMs.map(seconds).join(", ")}`);
  });
});
