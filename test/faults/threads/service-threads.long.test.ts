import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { median, ms, recordFigures } from "../../support/load/figures.js";
import { describeNoise, isStarved } from "../../support/waiting/host-noise.js";
import {
  MORTAL_THREADS,
  startMortalService,
  type MortalService,
} from "../../support/service/mortal-service.js";
import { AS_DELIVERED } from "../../support/service/service.js";
import { scaled } from "../../support/load/scale.js";
import { surviveThreadDeaths } from "./thread-scenario.js";

const DEATHS = scaled(20, 5);
const REPLACED_MS_MAX = 1000;

let mortal: MortalService;
before(async () => {
  mortal = await startMortalService({ ...AS_DELIVERED, DECISION_WORKERS: "1" });
});

describe(`reliability: each thread killed ${DEATHS} times under load`, () => {
  for (const thread of MORTAL_THREADS) {
    it(`${thread}: replaced in time, no request hangs, none fails`, async (t) => {
      const { replacedMs, decisions, reads, refused, noise } = await surviveThreadDeaths(
        mortal,
        thread,
        DEATHS,
      );
      await recordFigures(t, {
        fault: `The ${thread} thread killed`,
        promised: "replaced within 1 s, no request hangs, none fails that could be retried inside",
        measured: `${DEATHS} deaths: ${decisions} decisions and ${reads} reads answered, ${refused} requests refused, nothing lost; working again after ${ms(median(replacedMs))}, at most ${ms(Math.max(...replacedMs))} (${describeNoise(noise)})`,
      });
      assert.ok(refused === 0 || isStarved(noise), `${refused} refused; ${describeNoise(noise)}`);
      const isInTime = Math.max(...replacedMs) < REPLACED_MS_MAX;
      assert.ok(isInTime || isStarved(noise), `replaced after ${replacedMs.map(ms).join(", ")}`);
    });
  }
});
