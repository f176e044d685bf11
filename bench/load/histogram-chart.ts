import type { LatencyHistogram } from "../client/latency-histogram.js";

const BAR_CHARS = 44;
/** Twelve buckets for each factor of ten. */
const BUCKET_FACTOR = 10 ** (1 / 12);
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/**
 * Draws a latency histogram for a terminal: one line for each bucket, on a logarithmic scale, with percentiles named
 * where they fall.
 */
export function histogramChart(latency: LatencyHistogram, budgetMs: number): string[] {
  const buckets = latency.buckets(BUCKET_FACTOR);
  if (buckets.length === 0) return ["(no latencies recorded)"];
  const highest = Math.max(...buckets.map((bucket) => bucket.count));
  const marks = [50, 90, 95, 99].map((percentile) => ({
    name: `p${percentile}`,
    ms: latency.percentileMs(percentile),
  }));
  return buckets.map(({ fromMs, toMs, count }) => {
    const names = marks.filter(({ ms }) => ms >= fromMs && ms < toMs).map(({ name }) => name);
    if (budgetMs >= fromMs && budgetMs < toMs) names.push("budget");
    const range = `${bound(fromMs)} – ${bound(toMs)} ms`;
    const share = `${((100 * count) / latency.count).toFixed(1)}%`.padStart(6);
    return `${range}  ${bar(count / highest)} ${share}  ${names.join(" ")}`.trimEnd();
  });
}

function bar(fraction: number): string {
  const eighths = fraction === 0 ? 0 : Math.max(1, Math.round(fraction * BAR_CHARS * 8));
  return ("█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]).padEnd(BAR_CHARS);
}

function bound(ms: number): string {
  return (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3)).padStart(6);
}
