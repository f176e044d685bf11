import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import type { DatabaseGate } from "../../support/postgres/database-gate.js";
import { setMerchantScene, type StartLoad } from "../../support/load/merchant-scene.js";
import { startOwnPostgres } from "../../support/postgres/own-postgres.js";
import { AS_DELIVERED, startTestService, type RunningService } from "../../support/service/service.js";
import { frozen, killedOverAndOver, surviveOutage, unreachable, type Outage } from "./outage-scenario.js";

/** The length of the outage. It is longer than the service takes to notice and to report an outage. */
const OUTAGE_MS = 2500;

let server: EmbeddedPostgres;
let gate: DatabaseGate;
let service: RunningService;
let startLoad: StartLoad;
before(async () => {
  ({ server, gate } = await startOwnPostgres());
  service = await startTestService({ ...AS_DELIVERED, DATABASE_URL: gate.url, RATE_LIMIT_PER_MINUTE: "0" });
  startLoad = await setMerchantScene(service);
});

const OUTAGES: Record<string, Outage> = { unreachable, frozen, "killed over and over": killedOverAndOver };

describe("while PostgreSQL is away, decisions continue", () => {
  for (const [name, outage] of Object.entries(OUTAGES)) {
    it(`AUTH-17, DUR-3, DUR-4, DUR-5, OPS-2, OPS-3: ${name}: decides, reports the outage, refuses reads in time, and loses nothing`, async (t) => {
      const { namedAfterMs } = await surviveOutage({
        service,
        startLoad,
        begin: () => outage(server, gate),
        meanwhile: () => sleep(OUTAGE_MS),
        isIntermittent: outage === killedOverAndOver,
      });
      t.diagnostic(`named after ${namedAfterMs.toFixed()} ms`);
    });
  }
});
