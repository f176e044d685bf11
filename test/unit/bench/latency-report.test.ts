import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { histogramChart } from "../../../bench/load/histogram-chart.js";
import { createLatencyHistogram, type LatencyHistogram } from "../../../bench/client/latency-histogram.js";
import { latencySvg, reportHtml } from "../../../bench/load/load-report.js";
import { summarize, verdict } from "../../../bench/load/load-summary.js";

function recorded(latenciesMs: readonly number[]): LatencyHistogram {
  const latency = createLatencyHistogram();
  for (const ms of latenciesMs) latency.record(ms);
  return latency;
}

const HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1);

function result(latency: LatencyHistogram, statuses: Record<number, number> = { 200: latency.count }) {
  return { latency, statuses, failures: {}, replies: latency.count, elapsedMs: 2_000, generatorCpuMs: 5 };
}

describe("latency histogram", () => {
  it("gives percentiles to three digits, and the same ones after a trip to another process", () => {
    const latency = recorded(HUNDRED);
    for (const histogram of [latency, createLatencyHistogram(latency.encode())]) {
      for (const percentile of [50, 90, 95, 99]) {
        assert.ok(Math.abs(histogram.percentileMs(percentile) - percentile) <= percentile / 1000 + 0.001);
      }
      assert.equal(histogram.count, 100);
      assert.ok(Math.abs(histogram.maxMs - 100) <= 0.1);
    }
  });

  it("adds what another histogram recorded, as if it had recorded that itself", () => {
    const [one, other] = [recorded(HUNDRED.slice(0, 40)), recorded(HUNDRED.slice(40))];
    one.add(other);
    assert.equal(one.count, 100);
    for (const percentile of [1, 40, 50, 99])
      assert.equal(one.percentileMs(percentile), recorded(HUNDRED).percentileMs(percentile));
    assert.equal(other.count, 60);
  });

  it("puts every latency into exactly one bucket", () => {
    const latencies = fc.array(fc.double({ min: 0.002, max: 30_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(latencies, (list) => {
        const buckets = recorded(list).buckets(1.3);
        assert.equal(
          buckets.reduce((sum, bucket) => sum + bucket.count, 0),
          list.length,
        );
        assert.ok((buckets[0]?.count ?? 0) > 0 && (buckets.at(-1)?.count ?? 0) > 0);
      }),
    );
  });

  it("is empty without a latency", () => {
    const latency = recorded([]);
    assert.deepEqual([latency.percentileMs(99), latency.maxMs, latency.count], [0, 0, 0]);
    assert.deepEqual(latency.buckets(2), []);
    assert.deepEqual(histogramChart(latency, 50), ["(no latencies recorded)"]);
  });
});

describe("load report", () => {
  it("draws the fullest bucket as the longest bar and names each percentile once", () => {
    const lines = histogramChart(recorded([...HUNDRED, ...Array.from({ length: 400 }, () => 10)]), 50);
    const bars = lines.map((line) => [...line].filter((char) => char === "█").length);
    const longest = lines[bars.indexOf(Math.max(...bars))] as string;
    const [, from, to] = /^\s*([\d.]+) –\s+([\d.]+) ms/.exec(longest) ?? [];
    assert.ok(Number(from) <= 10 && Number(to) >= 10, longest);
    for (const name of ["p50", "p90", "p95", "p99", "budget"]) {
      assert.equal(lines.filter((line) => line.split(/\s+/).includes(name)).length, 1, name);
    }
  });

  it("writes an SVG with one bar a bucket and a line at the budget", () => {
    const latency = recorded(HUNDRED);
    const svg = latencySvg({ latency, budgetMs: 50, summary: summarize(result(latency)) });
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.equal(svg.match(/<rect class="bar"/g)?.length, latency.buckets(10 ** (1 / 20)).length);
    assert.match(svg, /class="mark budget"/);
    assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
    assert.doesNotMatch(
      latencySvg({ latency: recorded([]), budgetMs: 50, summary: summarize(result(recorded([]))) }),
      /NaN|Infinity/,
    );
  });

  it("writes a page that loads nothing and lets no text become markup", () => {
    const latency = recorded(HUNDRED);
    const html = reportHtml({
      title: "Load on <script>",
      setting: [["target", 'http://x/"&']],
      summary: summarize(result(latency)),
      latency,
      budgetMs: 50,
      verdict: ["p95 <b>over</b>"],
    });
    assert.doesNotMatch(html, /<script|<b>|(?:src|href)=/);
    assert.match(html, /&lt;script&gt;[\s\S]*&lt;b&gt;over[\s\S]*&quot;&amp;/);
    assert.match(html, /<tr><th>p95<\/th><td>95\.\d\d ms<\/td><\/tr>/);
  });
});

describe("load verdict", () => {
  const limits = { budgetMs: 50, allowStatus: false };

  it("passes within the budget and fails over it", () => {
    assert.deepEqual(verdict(summarize(result(recorded([1, 2, 3]))), limits), []);
    assert.match(
      verdict(summarize(result(recorded(HUNDRED))), limits).join(),
      /^p95 95\.\d\d ms is over the budget of 50 ms$/,
    );
  });

  it("fails on any status but 200 unless permitted, on any failed request and on silence", () => {
    const summary = summarize(result(recorded([1, 2, 3]), { 200: 2, 429: 1 }));
    assert.match(verdict(summary, limits).join(), /1 replies were 429 .*RATE_LIMIT_PER_MINUTE=0/);
    assert.deepEqual(verdict(summary, { ...limits, allowStatus: true }), []);
    assert.deepEqual(verdict({ ...summarize(result(recorded([1]))), failures: { "timed out": 3 } }, limits), [
      "3 requests failed: timed out",
    ]);
    assert.deepEqual(verdict(summarize(result(recorded([]), {})), limits), ["no request was answered"]);
  });
});
