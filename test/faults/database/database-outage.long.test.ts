import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { EmbeddedPostgres } from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import type { DatabaseGate } from "../../support/postgres/database-gate.js";
import { recordFigures, seconds } from "../../support/load/figures.js";
import { describeNoise, isStarved } from "../../support/waiting/host-noise.js";
import { setMerchantScene, type StartLoad } from "../../support/load/merchant-scene.js";
import { startOwnPostgres } from "../../support/postgres/own-postgres.js";
import { scaled } from "../../support/load/scale.js";
import { AS_DELIVERED, startTestService, type RunningService } from "../../support/service/service.js";
import {
  judgeRounds,
  startSteadyProbe,
  toRound,
  type Round,
  type SteadyProbe,
} from "../../support/load/steady-probe.js";
import { frozen, killed, surviveOutage, type Outage } from "./outage-scenario.js";

const OUTAGE_MS = scaled(30_000, 6000);
/** Each outage is measured in this many parts and judged by the median of the quiet ones. */
const ROUNDS = 5;

let server: EmbeddedPostgres;
let gate: DatabaseGate;
let service: RunningService;
let startLoad: StartLoad;
let probe: SteadyProbe;
before(async () => {
  ({ server, gate } = await startOwnPostgres());
  service = await startTestService({ ...AS_DELIVERED, DATABASE_URL: gate.url, RATE_LIMIT_PER_MINUTE: "0" });
  startLoad = await setMerchantScene(service);
  probe = await startSteadyProbe(service);
});

const OUTAGES: Record<string, Outage> = { killed, frozen };

describe(`reliability: PostgreSQL away for ${seconds(OUTAGE_MS)} under 500 requests a second`, () => {
  for (const [name, outage] of Object.entries(OUTAGES)) {
    it(`${name}: decides in time, reports the outage, refuses reads in time, drains, and loses nothing`, async (t) => {
      const rounds: Round[] = [];
      let [probed, refused] = [0, 0];
      const { namedAfterMs, slowestReadMs, drainedAfterMs, load, noise } = await surviveOutage({
        service,
        startLoad,
        // The probe sends 200 more requests a second, which makes 500 in total.
        ratePerSecond: 300,
        begin: () => outage(server, gate),
        async meanwhile() {
          for (let round = 0; round < ROUNDS; round++) {
            const { decisions, bare } = await probe.run(OUTAGE_MS / ROUNDS);
            assert.deepEqual(decisions.failures, {});
            refused += decisions.replies - (decisions.statuses[200] ?? 0);
            probed += decisions.replies;
            rounds.push(toRound({ decisions, bare }));
          }
        },
      });
      const { text, isInTime } = judgeRounds(rounds);
      await recordFigures(t, {
        fault: `PostgreSQL ${name} for 30 s`,
        promised:
          "decisions all 200, p99 under 50 ms; /ready 503 naming it within 5 s, /health 200; reads 503 within 2 s; drained within 30 s of its return, nothing lost",
        measured: `${seconds(OUTAGE_MS)} away: ${load.ledger.acknowledged.size + probed} decisions, ${refused} of them refused, ${text}; named after ${seconds(namedAfterMs)}; slowest read ${seconds(slowestReadMs)}; drained ${seconds(drainedAfterMs)} after its return; 0 lost of ${load.ledger.outcomes.size} outcomes and ${load.ledger.reviews.size} reviews as well (${describeNoise(noise)})`,
      });
      assert.ok(refused === 0 || isStarved(noise), `${refused} decisions refused`);
      assert.ok(isInTime !== false || isStarved(noise), JSON.stringify(rounds));
    });
  }
});
