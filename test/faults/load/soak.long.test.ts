import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startGenerator, type Closer } from "../../../bench/harness/bench-processes.js";
import { median, mib, ms, recordFigures, seconds } from "../../support/load/figures.js";
import { describeNoise, isStarved, startNoiseMeter } from "../../support/waiting/host-noise.js";
import { anonymousBytes, medianSlope, openDescriptors } from "../../support/machine/process-memory.js";
import { scaled } from "../../support/load/scale.js";
import { eventually, send, startTestService } from "../../support/service/service.js";

const SOAK_MS = scaled(600_000, 20_000);
/** Caches, pools and the young generation fill up during this time. Only later growth is judged. */
const WARM_UP_MS = scaled(240_000, 8000);
const SAMPLE_MS = 1000;
const HIGHEST_MS = scaled(5000, 2000);
const CONNECTIONS = 64;
const MIB = 2 ** 20;
const GROWTH_MIB_PER_MINUTE_MAX = 1;
const JOURNAL_AGE_SECONDS_MAX = 2;
/** This many samples at the beginning are compared with as many at the end. */
const ENDS = 20;

interface Sample {
  atMs: number;
  bytes: number;
  descriptors: number;
  journalAgeSeconds: number;
}

describe("OPS-9: reliability: soak", () => {
  it(`${seconds(SOAK_MS)} at half of the highest rate: memory and descriptors do not grow, and the journal stays young`, async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
    const pid = service.process.pid ?? 0;
    const closers: Closer[] = [];
    try {
      const generator = startGenerator(closers);
      const job = { url: `${service.url}/v1/decision`, key: service.key, connections: CONNECTIONS };
      const highest = await generator.run({ ...job, durationMs: HIGHEST_MS });
      const ratePerSecond = Math.floor(highest.replies / (highest.elapsedMs / 1000) / 2);
      // Waits for the records of the rate measurement to leave the journal.
      await eventually(async () =>
        assert.equal((await send(service, "GET", "/v1/decisions?page_size=1")).status, 200),
      );

      const meter = startNoiseMeter();
      const samples: Sample[] = [];
      let isOver = false;
      const sampling = (async () => {
        while (!isOver) {
          samples.push(await takeSample(pid, service.metricsUrl));
          await sleep(SAMPLE_MS);
        }
      })();
      const soak = await generator.run({ ...job, durationMs: SOAK_MS, ratePerSecond });
      isOver = true;
      await sampling;
      const noise = meter.stop();

      const startMs = samples[0]?.atMs ?? 0;
      const settled = samples.filter(({ atMs }) => atMs - startMs >= WARM_UP_MS);
      const growth = medianSlope(settled.map(({ atMs, bytes }) => ({ x: atMs / 60_000, y: bytes / MIB })));
      const descriptors = settled.map((sample) => sample.descriptors);
      // The number of a pool's connections changes with the load.
      const descriptorGrowth = median(descriptors.slice(-ENDS)) - median(descriptors.slice(0, ENDS));
      const journalAge = Math.max(...settled.map((sample) => sample.journalAgeSeconds));
      await recordFigures(t, {
        fault: "Ten minutes at half of the highest rate",
        promised: "memory slope under 1 MB a minute, journal age under 2 s, no growth of file descriptors",
        measured: `${seconds(SOAK_MS)} at ${ratePerSecond}/s: ${soak.replies} decisions, p95 ${ms(soak.latency.percentileMs(95))}; memory ${growth.toFixed(2)} MiB a minute at ${mib(settled.at(-1)?.bytes ?? 0)}; journal at most ${journalAge.toFixed(1)} s old; file descriptors ${descriptorGrowth >= 0 ? "+" : ""}${descriptorGrowth} (${describeNoise(noise)})`,
      });
      assert.ok(growth < GROWTH_MIB_PER_MINUTE_MAX || SOAK_MS < 60_000, `${growth} MiB a minute`);
      assert.ok(descriptorGrowth <= 0, `file descriptors: ${descriptors.join(" ")}`);
      const isJudged = !isStarved(noise);
      assert.ok(!isJudged || journalAge < JOURNAL_AGE_SECONDS_MAX, `the journal was ${journalAge} s old`);
      if (isJudged) assert.deepEqual([soak.failures, Object.keys(soak.statuses)], [{}, ["200"]]);
      await eventually(async () => {
        const { rows } = await service.pool.query<{ count: string }>("select count(*) from decisions");
        const answered = (highest.statuses[200] ?? 0) + (soak.statuses[200] ?? 0);
        assert.equal(Number(rows[0]?.count), answered, "each acknowledged decision is stored");
      });
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  });
});

async function takeSample(pid: number, metricsUrl: string): Promise<Sample> {
  const metrics = await (await fetch(metricsUrl)).text();
  const [, age] = /^payinference_journal_age_seconds (\S+)$/m.exec(metrics) ?? [];
  return {
    atMs: performance.now(),
    bytes: await anonymousBytes(pid),
    descriptors: await openDescriptors(pid),
    journalAgeSeconds: Number(age),
  };
}
