import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { startNoiseMeter, type HostNoise } from "../../support/waiting/host-noise.js";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import { setMerchantScene } from "../../support/load/merchant-scene.js";
import { eventually, send, type RunningService } from "../../support/service/service.js";

/** Ready again within this after kill -9. */
export const READY_WITHIN_MS = 5000;

/** Any moment: while nothing is drained yet, in the middle of a commit, of a COPY, of a removal, of a review. */
const randomMomentMs = (): number => 100 + Math.random() * 900;

export interface KillFigures {
  readyMs: number[];
  decisions: number;
  outcomes: number;
  reviews: number;
  /** Requests in flight at a kill: never acknowledged, sent again where they may be. */
  broken: number;
  noise: HostNoise;
}

/** Kills the service under a merchant's load again and again, and looks for everything it had acknowledged. */
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
    // "Read your writes" holds for those of the killed process too, drained or not.
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
