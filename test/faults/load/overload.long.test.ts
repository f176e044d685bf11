import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startGenerator, type Closer } from "../../../bench/harness/bench-processes.js";
import { median, mib, ms, recordFigures } from "../../support/load/figures.js";
import { flood, holdIdleConnections } from "../../support/load/flood.js";
import { describeNoise, isStarved, startNoiseMeter } from "../../support/waiting/host-noise.js";
import { anonymousBytes } from "../../support/machine/process-memory.js";
import { scaled } from "../../support/load/scale.js";
import {
  AS_DELIVERED,
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

const ROUNDS = scaled(5, 2);
const ROUND_MS = scaled(5000, 2000);
const IDLE_CONNECTIONS = scaled(5000, 1000);
/**
 * More connections than requests that wait at the highest rate. So the number of connections does not limit the load,
 * and the service must refuse the excess.
 */
const CONNECTIONS = 1000;
const ACCEPTED_P95_MS_MAX = 50;
const REFUSED_P95_MS_MAX = ACCEPTED_P95_MS_MAX / 2;
const GROWTH_BYTES_MAX = 64 * 2 ** 20;

let service: RunningService;
before(async () => {
  service = await startTestService({ ...AS_DELIVERED, RATE_LIMIT_PER_MINUTE: "0" });
});

/** The rate at which the node answers a closed loop. */
async function highestRate(url: string): Promise<number> {
  const closers: Closer[] = [];
  try {
    const generator = startGenerator(closers);
    const job = { url, key: service.key, connections: 64 };
    await generator.run({ ...job, durationMs: 1000 });
    const rates: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { replies, elapsedMs } = await generator.run({ ...job, durationMs: ROUND_MS / 2 });
      rates.push(replies / (elapsedMs / 1000));
    }
    return Math.max(...rates);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function storedDecisions(): Promise<number> {
  const { rows } = await service.pool.query<{ count: string }>("select count(*) from decisions");
  return Number(rows[0]?.count);
}

describe("OPS-9: reliability: overload", () => {
  it(`three times the highest rate and ${IDLE_CONNECTIONS} idle connections: accepted requests are in time, the rest is refused at once, memory is flat`, async (t) => {
    const url = `${service.url}/v1/decision`;
    const pid = service.process.pid ?? 0;
    const rate = await highestRate(url);
    const idle = await holdIdleConnections(service.url, IDLE_CONNECTIONS);
    const job = { url, key: service.key, connections: CONNECTIONS, ratePerSecond: 3 * rate };
    // The first run fills the young generation and the pools. Memory is compared from then on.
    await flood({ ...job, durationMs: ROUND_MS });
    await eventually(async () =>
      assert.equal((await send(service, "GET", "/v1/decisions?page_size=1")).status, 200),
    );
    const storedBefore = await storedDecisions();
    const bytesBefore = await anonymousBytes(pid);
    const meter = startNoiseMeter();
    const accepted: number[] = [];
    const acceptedP95: number[] = [];
    const refusedP95: number[] = [];
    let [sent, refused] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const reply = await flood({ ...job, durationMs: ROUND_MS });
      assert.deepEqual(reply.failures, {});
      for (const status of Object.keys(reply.byStatus)) assert.match(status, /^(200|503)$/);
      const { "200": ok, "503": no } = reply.byStatus;
      assert.ok(ok !== undefined, "some are accepted");
      accepted.push(ok.count);
      acceptedP95.push(ok.p95Ms);
      if (no !== undefined) refusedP95.push(no.p95Ms);
      refused += no?.count ?? 0;
      sent += reply.sent;
      await sleep(200);
    }
    const noise = meter.stop();
    const grownBytes = (await anonymousBytes(pid)) - bytesBefore;
    const stillOpen = idle.open();
    idle.close();
    assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
    const total = accepted.reduce((sum, count) => sum + count, 0);
    await eventually(async () => assert.equal((await storedDecisions()) - storedBefore, total + 1));

    await recordFigures(t, {
      fault: "Three times the highest rate, 5,000 idle connections",
      promised: "accepted requests p95 under 50 ms, the rest 503 quickly, memory flat",
      measured: `highest rate ${rate.toFixed()}/s; offered ${(sent / ROUNDS / (ROUND_MS / 1000)).toFixed()}/s in ${ROUNDS} rounds beside ${stillOpen} idle connections: ${total} accepted at p95 ${ms(median(acceptedP95))}, ${refused} answered 503 at p95 ${ms(median(refusedP95))}, none unanswered; memory ${grownBytes < 0 ? "−" : "+"}${mib(Math.abs(grownBytes))}; all accepted stored (${describeNoise(noise)})`,
    });
    assert.ok(grownBytes < GROWTH_BYTES_MAX, `grown by ${mib(grownBytes)}`);
    assert.ok(stillOpen > IDLE_CONNECTIONS / 2);
    const isInTime = median(acceptedP95) < ACCEPTED_P95_MS_MAX;
    // The front refuses at once, so the time of a refusal is the least that any answer takes on this host.
    const isJudged = !isStarved(noise) && median(refusedP95) <= REFUSED_P95_MS_MAX;
    assert.ok(isInTime || !isJudged, `p95 of accepted by round: ${acceptedP95.map(ms).join(", ")}`);
  });
});
