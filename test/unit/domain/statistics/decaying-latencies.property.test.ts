import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DecayingLatencies } from "../../../../src/domain/statistics/decaying-latencies.js";
import { latencyBin, LATENCY_MS_MAX } from "../../../../src/domain/statistics/latency-histogram.js";

const HALF_LIFE_MS = 300_000;
/** Half the width of a bin on the log scale, and a little for rounding. */
const BIN_ERROR = 0.0235;

interface Event {
  latencyMs: number;
  count: number;
  atMs: number;
}
const event: fc.Arbitrary<Event> = fc.record({
  latencyMs: fc.double({ min: 1, max: LATENCY_MS_MAX - 10, noNaN: true }),
  count: fc.integer({ min: 1, max: 50 }),
  atMs: fc.integer({ min: 0, max: 40 * HALF_LIFE_MS }),
});

function latenciesOf(events: readonly Event[]): DecayingLatencies {
  const latencies = new DecayingLatencies(HALF_LIFE_MS);
  for (const { latencyMs, count, atMs } of events) latencies.add(latencyBin(latencyMs), count, atMs);
  return latencies;
}

/** Returns the smallest and the largest latency that are the quantile if the shares are off by a rounding. */
function expectedRange(events: readonly Event[], quantile: number): [number, number] {
  const newestMs = Math.max(...events.map(({ atMs }) => atMs));
  const weighted = events
    .map(({ latencyMs, count, atMs }) => ({
      latencyMs,
      weight: count * 2 ** ((atMs - newestMs) / HALF_LIFE_MS),
    }))
    .toSorted((a, b) => a.latencyMs - b.latencyMs);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const at = (share: number): number => {
    let below = 0;
    for (const { latencyMs, weight } of weighted) if ((below += weight) >= share * total) return latencyMs;
    return weighted.at(-1)?.latencyMs ?? 0;
  };
  return [at(quantile - 2e-5), at(quantile + 2e-5)];
}

describe("HLTH-33: latencies that fade", () => {
  it("a quantile is within half a bin of the weighted one, in any order of arrival and after a restart", () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(0.05, 0.5, 0.95),
        (events, quantile) => {
          const [low, high] = expectedRange(events, quantile);
          const restored = new DecayingLatencies(HALF_LIFE_MS);
          restored.restore(JSON.parse(JSON.stringify(latenciesOf(events))) as number[]);
          for (const latencies of [latenciesOf(events), latenciesOf(events.toReversed()), restored]) {
            const actual = latencies.quantile(quantile) ?? NaN;
            assert.ok(actual >= low * (1 - BIN_ERROR) && actual <= high * (1 + BIN_ERROR), `${actual}`);
          }
        },
      ),
    );
  });

  it("19 quick ones of 20 are the 95th percentile, however they are added up", () => {
    const mixed = (quick: number): Event[] =>
      Array.from({ length: 20 }, (_, at) => ({ latencyMs: at < quick ? 100 : 9000, count: 1, atMs: 77_777 }));
    for (const order of [mixed(19), mixed(19).toReversed()]) {
      assert.ok((latenciesOf(order).quantile(0.95) ?? NaN) < 105);
    }
    assert.ok((latenciesOf(mixed(18)).quantile(0.95) ?? NaN) > 8500);
  });

  it("is nothing without events, also after a restart", () => {
    const latencies = new DecayingLatencies(HALF_LIFE_MS);
    assert.equal(latencies.quantile(0.95), null);
    assert.deepEqual(latencies.toJSON(), []);
    const restored = latenciesOf([{ latencyMs: 100, count: 1, atMs: 0 }]);
    restored.restore([]);
    assert.equal(restored.quantile(0.95), null);
  });

  it("stays finite over years", () => {
    const latencies = new DecayingLatencies(HALF_LIFE_MS);
    for (let day = 0; day < 2000; day++) latencies.add(latencyBin(300), 1000, 1.8e12 + day * 86_400_000);
    latencies.add(latencyBin(5000), 1, 1.8e12 + 3000 * 86_400_000);
    assert.ok(Math.abs((latencies.quantile(0.05) ?? NaN) / 5000 - 1) < BIN_ERROR);
    assert.ok(latencies.toJSON().every((value) => Number.isFinite(value)));
  });
});
