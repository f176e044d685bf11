import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { startNoiseMeter, type HostNoise } from "../../support/waiting/host-noise.js";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import { setMerchantScene } from "../../support/load/merchant-scene.js";
import { eventually, send, type RunningService } from "../../support/service/service.js";

/** The time limit until the service is ready again after kill -9. */
export const READY_WITHIN_MS = 5000;

/** A random moment: before anything is drained, or in the middle of a commit, a COPY, a removal or a review. */
const randomMomentMs = (): number => 100 + Math.random() * 900;

export interface KillFigures {
  readyMs: number[];
  decisions: number;
  outcomes: number;
  reviews: number;
  /** Requests in flight at a kill. They were never acknowledged, and are sent again where that is safe. */
  broken: number;
  noise: HostNoise;
}

/** Kills the service repeatedly under a merchant's load, and checks that everything acknowledged is still there. */
export async function surviveKills(service: RunningService, kills: number): Promise<KillFigures> {
  const startLoad = await setMerchantScene(service);
  const load = startLoad();
  const { ledger } = load;
  const readyMs: number[] = [];
  const meter = startNoiseMeter();
  let denied = false;
  for (let kill = 0; kill < kills; kill++) {
    await sleep(randomMomentMs());
    const last = [...ledger.acknowledged.keys()].slice(-5);
    const killedMs = performance.now();
    await service.killAndRestart();
    readyMs.push(performance.now() - killedMs);
    // "Read your writes" also holds for the decisions of a killed process, drained or not.
    for (const decisionId of last) {
      await eventually(async () => {
        const { status } = await send(service, "GET", `/v1/decisions/${decisionId}`);
        denied ||= status === 404;
        assert.equal(status, 200);
      });
      assert.equal(denied, false, "it may take too long to be read, but it is never unknown");
    }
  }
  await load.finish();
  await assertLedgerKept(service.pool, ledger);
  await assertAggregatesExact(service);
  await assertRepliesSurvive(service, ledger);
  return {
    readyMs,
    noise: meter.stop(),
    decisions: ledger.acknowledged.size,
    outcomes: ledger.outcomes.size,
    reviews: ledger.reviews.size,
    broken: [...load.breaks].reduce(
      (sum, [reason, count]) => sum + (reason === "ECONNREFUSED" ? 0 : count),
      0,
    ),
  };
}
