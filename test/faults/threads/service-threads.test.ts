import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  MORTAL_THREADS,
  startMortalService,
  type MortalService,
} from "../../support/service/mortal-service.js";
import { surviveThreadDeaths } from "./thread-scenario.js";

let mortal: MortalService;
before(async () => {
  mortal = await startMortalService();
});

describe("OPS-8: a crashed thread of a loaded service is replaced; no request hangs, none fails", () => {
  for (const thread of MORTAL_THREADS) {
    it(`${thread}, by exit and by an uncaught error`, async (t) => {
      const { replacedMs, decisions, reads, refused } = await surviveThreadDeaths(mortal, thread, 2);
      t.diagnostic(
        `${decisions} decisions and ${reads} reads; replaced after ${replacedMs.map((ms) => ms.toFixed()).join(", ")} ms`,
      );
      // The tests' time limits are so long that even a busy host keeps them. Only the death of a thread could cause a
      // 503.
      assert.equal(refused, 0);
    });
  }
});
