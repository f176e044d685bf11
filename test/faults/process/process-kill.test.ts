import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost, assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { openPool, temporaryDir } from "../../support/postgres/postgres.js";
import { createServiceProcess, embeddedDatabaseUrl } from "../../support/service/service-process.js";
import { eventually, startTestService } from "../../support/service/service.js";
import { surviveKills } from "./kill-scenario.js";

describe("nothing acknowledged is lost when the process is killed", () => {
  it("DUR-1, DUR-2: keeps every acknowledged decision and reply across kill -9 under load, and shows them at once", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0", DECISION_WORKERS: "2" });
    // process-kill.long.test.ts measures how soon the service is ready again.
    const { decisions, outcomes, reviews } = await surviveKills(service, 2);
    t.diagnostic(
      `${decisions} decisions, ${outcomes} outcomes, ${reviews} reviews around 2 kills, none lost`,
    );
  });

  it("DUR-1: keeps them with the embedded PostgreSQL too, and a restart takes that server over", async () => {
    const service = await createServiceProcess(await temporaryDir(), {});
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const load = startDecisionLoad({ url: service.url, key });
    await eventually(async () => assert.ok(load.keyed.size > 0));
    await sleep(100 + Math.random() * 500);
    await service.end("SIGKILL");
    service.start();
    await service.untilStatus("/ready", 200);
    await sleep(300);
    await load.stop();
    await assertNothingLost(openPool(await embeddedDatabaseUrl(service.dataDir)), [load]);
    await assertRepliesSurvive({ url: service.url, key }, load);
  });
});
