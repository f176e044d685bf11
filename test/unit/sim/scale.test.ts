import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createRandom } from "../../../bench/client/random.js";
import { simulateOutage, simulateWaits } from "../../../sim/scale/cell.js";
import { costOfMillion } from "../../../sim/scale/cost.js";
import { createEventQueue } from "../../../sim/scale/event-queue.js";
import { INPUTS, meanCellRate, SCALE } from "../../../sim/scale/inputs.js";
import { balance, hottestOverMean, placeByChance, zipfShares } from "../../../sim/scale/placement.js";
import { scaleFloors, scaleRow } from "../../../sim/scale/report.js";

const SUM = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function near(found: number, expected: number, share: number): void {
  assert.ok(Math.abs(found - expected) <= share * expected, `${found} is within ${share} of ${expected}`);
}

describe("the events of sim:scale", () => {
  it("come in the order of their time", () => {
    const random = createRandom(3);
    const queue = createEventQueue<number>();
    const times = Array.from({ length: 500 }, () => random.integer(0, 99));
    for (const time of times) queue.push(time, time);
    const popped = Array.from(times, () => queue.pop()?.event);
    assert.deepEqual(
      popped,
      times.toSorted((one, other) => one - other),
    );
    assert.equal(queue.pop(), undefined);
  });
});

describe("the waits of sim:scale", () => {
  // One core and exponential times are the queue M/M/1: a mean wait of busy / (1 - busy) times the mean time.
  for (const busy of [0.3, 0.6, 0.8]) {
    it(`are those of the formula for one core that is busy for ${busy} of its time`, () => {
      const figures = simulateWaits(
        {
          ratePerSecond: busy * 10_000,
          seconds: 60,
          nodes: 1,
          coresPerNode: 1,
          serviceUs: 100,
          stretch: (random) => -Math.log(1 - random.next()),
        },
        createRandom(1),
      );
      near(figures.busy, busy, 0.03);
      near(figures.meanWaitUs, (busy / (1 - busy)) * 100, 0.08);
      // A wait longer than t has the probability busy · e^(-(1 - busy) t / mean time).
      near(figures.p99WaitUs, (100 / (1 - busy)) * Math.log(busy * 100), 0.1);
    });
  }

  it("are none where no two decisions meet", () => {
    const options = { ratePerSecond: 100, seconds: 10, nodes: 10, coresPerNode: 8, serviceUs: 10 };
    const figures = simulateWaits(options, createRandom(2));
    assert.equal(figures.p99WaitUs, 0);
    near(figures.decisions, 900, 0.1);
  });
});

describe("an outage in sim:scale", () => {
  const scale = { ...SCALE, nodesPerCell: 4, drainRows: 100 };

  it("is drained as fast as each node's writer and PostgreSQL take turns", () => {
    const rate = 4 * 1000;
    const { drainSeconds, takenShare } = simulateOutage(scale, rate, 600);
    const rowsPerSecond = 1e6 / (scale.drainWriterUs + scale.drainPostgresUs);
    near(drainSeconds, (1000 * 600) / (rowsPerSecond - 1000), 0.02);
    assert.equal(takenShare, 1);
  });

  it("is drained as fast as PostgreSQL's cores allow where they are few", () => {
    const { storedPerSecond } = simulateOutage({ ...scale, postgresCores: 1 }, 4 * 1000, 600);
    near(storedPerSecond, 1e6 / scale.drainPostgresUs, 0.02);
  });

  it("is never drained where more arrives than can be stored", () => {
    const { drainSeconds } = simulateOutage({ ...scale, postgresCores: 1, drainRows: 4000 }, 200_000, 60);
    assert.equal(drainSeconds, Infinity);
  });

  it("is taken until the journals are full", () => {
    const small = { ...scale, journalBytesMax: 1000 * 300 * scale.journalBytes };
    assert.equal(simulateOutage(small, 4 * 1000, 600).takenShare, 0.5);
  });
});

describe("workspaces in the cells of sim:scale", () => {
  it("have shares as in Zipf's law", () => {
    const shares = Array.from(zipfShares(1000, 1));
    near(SUM(shares), 1, 1e-9);
    near((shares[0] as number) / (shares[9] as number), 10, 1e-9);
  });

  for (const seed of [1, 2, 3]) {
    it(`are moved and divided without losing any traffic, and no cell stays hot (seed ${seed})`, () => {
      const first = placeByChance(zipfShares(20_000, 1.2), 20, createRandom(seed));
      assert.ok(hottestOverMean(first.cells) > 2);
      const { cells, members, divided, moved } = balance(first, 1.1);
      assert.ok(hottestOverMean(cells) <= 1.1 + 1e-9);
      near(SUM(cells), 1, 1e-9);
      near(SUM(members.flat()), 1, 1e-9);
      assert.ok(divided > 0 && moved >= divided && moved < 200);
    });
  }
});

describe("the table of sim:scale", () => {
  it("meets its floors, and a slow drain, a hot cell and a small journal miss them", () => {
    const options = { nodes: 40, exponent: 1, seed: 1, waitSeconds: 0.2 };
    const row = scaleRow({ ...SCALE, workspaces: 5000 }, options);
    const failed = (changed: typeof row): number =>
      scaleFloors([changed]).filter(({ passed }) => !passed).length;
    assert.equal(failed(row), 0);
    assert.equal(failed({ ...row, balanced: 1.11 }), 1);
    assert.equal(failed({ ...row, waits: { ...row.waits, p99WaitUs: 1001 } }), 1);
    assert.equal(failed({ ...row, outage: { ...row.outage, drainSeconds: 3601 } }), 1);
    assert.equal(failed({ ...row, outage: { ...row.outage, takenShare: 0.99 } }), 1);
  });

  it("follows from its inputs: a core's hour has 3600 s, and a decision is kept for months", () => {
    const cost = costOfMillion({ ...SCALE, serverUs: 3600, load: 1, peakOverMean: 1, coreHourUsd: 1 });
    near(cost.nodes, 1, 1e-9);
    const month = { ...SCALE, storedBytes: 1000, retentionDays: 365 / 12, gigabyteMonthUsd: 2 };
    near(costOfMillion(month).storage, 2, 1e-9);
    near(meanCellRate({ ...SCALE, nodesPerCell: 2, nodeCores: 1, serverUs: 100, load: 0.5 }), 10_000, 1e-9);
  });

  it("is in docs/scale.md with its inputs", () => {
    const page = readFileSync(fileURLToPath(new URL("../../../../docs/scale.md", import.meta.url)), "utf8");
    for (const [name, { value, unit, source, from }] of Object.entries(INPUTS))
      assert.ok(page.includes(`| ${name} | ${value} | ${unit} | ${source} | ${from} |`), name);
  });
});
