import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost, assertRepliesSurvive } from "../support/acknowledged.js";
import { startDecisionLoad } from "../support/decision-load.js";
import { openPool, temporaryDir } from "../support/postgres.js";
import { createServiceProcess, embeddedDatabaseUrl } from "../support/service-process.js";
import { send, startTestService } from "../support/service.js";

/** contract §9, and issue "Faults": ready again within this after kill -9. */
const READY_WITHIN_MS = 5000;

/** Any moment: while nothing is drained yet, in the middle of a commit, of a COPY, of a removal. */
const randomMomentMs = (): number => 100 + Math.random() * 500;

describe("contract §9: nothing acknowledged is lost when the process is killed", () => {
  it("keeps every acknowledged decision and reply across kill -9 under load, and shows them at once", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0", DECISION_WORKERS: "2" });
    const load = startDecisionLoad(service);
    for (let kill = 0; kill < 5; kill++) {
      await sleep(randomMomentMs());
      const last = [...load.acknowledged.keys()].slice(-5);
      const killedMs = performance.now();
      await service.killAndRestart();
      const readyAfterMs = performance.now() - killedMs;
      assert.ok(readyAfterMs < READY_WITHIN_MS, `ready after ${readyAfterMs} ms`);
      // "Read your writes" holds for those of the killed process too, drained or not.
      for (const decisionId of last) {
        assert.equal((await send(service, "GET", `/v1/decisions/${decisionId}`)).status, 200);
      }
    }
    await sleep(300);
    await load.stop();
    await assertNothingLost(service.pool, [load]);
    await assertRepliesSurvive(service, load);
    t.diagnostic(`${load.acknowledged.size} decisions acknowledged around 5 kills, none lost`);
  });

  it("keeps them with the embedded PostgreSQL too, which a restart takes over", async () => {
    const service = await createServiceProcess(await temporaryDir(), {});
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const load = startDecisionLoad({ url: service.url, key });
    await sleep(randomMomentMs());
    await service.end("SIGKILL");
    service.start();
    const readyAfterMs = await service.untilStatus("/ready", 200);
    assert.ok(readyAfterMs < READY_WITHIN_MS, `ready after ${readyAfterMs} ms`);
    await sleep(300);
    await load.stop();
    await assertNothingLost(openPool(await embeddedDatabaseUrl(service.dataDir)), [load]);
    await assertRepliesSurvive({ url: service.url, key }, load);
  });
});
