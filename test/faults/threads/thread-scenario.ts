import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startNoiseMeter, type HostNoise } from "../../support/waiting/host-noise.js";
import { assertAggregatesExact, assertLedgerKept } from "../../support/load/ledger-check.js";
import { setMerchantScene } from "../../support/load/merchant-scene.js";
import type { MortalService, MortalThread } from "../../support/service/mortal-service.js";
import { decisionBody, eventually, send, type RunningService } from "../../support/service/service.js";

export interface ThreadFigures {
  /** The time from each death to the first answer that needs the new thread. */
  replacedMs: number[];
  decisions: number;
  reads: number;
  /** The number of requests answered with 503. It is 0 unless the host is too busy for the service's default limits. */
  refused: number;
  noise: HostNoise;
}

const untilRead = (service: RunningService, path: string) =>
  eventually(async () => assert.equal((await send(service, "GET", `/v1/decisions${path}`)).status, 200));

/** Repeats a decision until it is made. `onRefused` is called for each 503. */
async function decide(service: RunningService, onRefused: () => void): Promise<string> {
  for (;;) {
    const { status, json, text } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    if (status === 200) return json["decision_id"] as string;
    assert.equal(status, 503, text);
    onRefused();
  }
}

/** For each thread, a check that it works again. Each check runs after the thread's death. */
const LIVES: Record<MortalThread, (service: RunningService, onRefused: () => void) => Promise<void>> = {
  async decide(service, onRefused) {
    await decide(service, onRefused);
  },
  async writer(service, onRefused) {
    await untilRead(service, `/${await decide(service, onRefused)}`);
  },
  async reader(service) {
    await untilRead(service, "?page_size=1");
  },
  async prober(service) {
    const diedMs = Date.now();
    await eventually(async () => {
      const { json } = await send(service, "GET", "/v1/provider-health");
      const [first] = json["providers"] as { updated_at: string }[];
      assert.ok(Date.parse(first?.updated_at ?? "") > diedMs);
    });
  },
};

/** OPS-8: kills one thread of a loaded service repeatedly. No request hangs, fails or is lost. */
export async function surviveThreadDeaths(
  { service, kill }: MortalService,
  thread: MortalThread,
  deaths: number,
): Promise<ThreadFigures> {
  const startLoad = await setMerchantScene(service);
  const deathsBefore = await countDeaths(service, thread);
  const load = startLoad({ ratePerSecond: 300 });
  const meter = startNoiseMeter();
  let reads = 0;
  let refused = 0;
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      for (const path of ["?page_size=5", "/aggregate"]) {
        const { status, text } = await send(service, "GET", `/v1/decisions${path}`);
        assert.ok(status === 200 || status === 503, text);
        if (status === 200) reads++;
        else refused++;
      }
      await sleep(20);
    }
  })();
  // The failure is reported later, where `reading` is awaited.
  reading.catch(() => undefined);
  const replacedMs: number[] = [];
  try {
    for (let death = 0; death < deaths; death++) {
      await sleep(500 + Math.random() * 800);
      // A decide worker catches errors in a batch and answers them, so only an exit can kill it.
      await kill(thread, death % 2 === 0 || thread === "decide" ? "exit" : "throw");
      const diedMs = performance.now();
      await LIVES[thread](service, () => refused++);
      replacedMs.push(performance.now() - diedMs);
    }
  } finally {
    // This also runs after a failure. Otherwise the load would disturb the test of the next thread.
    isOver = true;
    await load.finish();
  }
  await reading;
  const noise = meter.stop();
  for (const [answer, count] of load.answers) {
    // 409 means that an earlier attempt had stored the review but was answered 503. If there was no earlier attempt,
    // the ledger reports a contradiction.
    assert.match(answer, /^(?:(decision|outcome|review) (200|503)|review 409)$/);
    if (answer.endsWith("503")) refused += count;
  }
  assert.deepEqual([...load.breaks], []);
  assert.equal((await countDeaths(service, thread)) - deathsBefore, deaths);
  await assertLedgerKept(service.pool, load.ledger);
  await assertAggregatesExact(service);
  return { replacedMs, decisions: load.ledger.acknowledged.size, reads, refused, noise };
}

async function countDeaths({ metricsUrl }: RunningService, thread: MortalThread): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const [, deaths] =
    new RegExp(`^payinference_worker_crashes_total\\{thread="${thread}"\\} (\\d+)$`, "m").exec(metrics) ?? [];
  return Number(deaths);
}
