import type { LatencyHistogram } from "../client/latency-histogram.js";
import type { LoadSummary } from "./load-summary.js";

export interface ReportInput {
  title: string;
  /** The setting of the run: pairs of label and value, in order. */
  setting: ReadonlyArray<readonly [string, string]>;
  summary: LoadSummary;
  latency: LatencyHistogram;
  budgetMs: number;
  /** Empty when the run passed. */
  verdict: readonly string[];
}

const WIDTH = 880;
const HEIGHT = 320;
const MARGIN = { left: 56, right: 16, top: 28, bottom: 40 };
const BUCKET_FACTOR = 10 ** (1 / 20);

/** Draws a latency histogram as a stand-alone SVG: the share of requests over a logarithmic scale of milliseconds. */
export function latencySvg({
  latency,
  budgetMs,
  summary,
}: Pick<ReportInput, "latency" | "budgetMs" | "summary">): string {
  const buckets = latency.buckets(BUCKET_FACTOR);
  const firstMs = buckets[0]?.fromMs ?? 0.1;
  const lastMs = Math.max(buckets.at(-1)?.toMs ?? 1, budgetMs * 1.2);
  const highest = Math.max(1, ...buckets.map((bucket) => bucket.count));
  const innerWidth = WIDTH - MARGIN.left - MARGIN.right;
  const innerHeight = HEIGHT - MARGIN.top - MARGIN.bottom;
  const x = (ms: number): number =>
    MARGIN.left + (innerWidth * Math.log(ms / firstMs)) / Math.log(lastMs / firstMs);
  const y = (count: number): number => MARGIN.top + innerHeight * (1 - count / highest);
  const base = MARGIN.top + innerHeight;

  const bars = buckets.map(({ fromMs, toMs, count }) => {
    const title = `${fromMs.toPrecision(3)}–${toMs.toPrecision(3)} ms: ${count}`;
    const width = Math.max(0.5, x(toMs) - x(fromMs) - 1);
    return `<rect class="bar" x="${x(fromMs).toFixed(1)}" y="${y(count).toFixed(1)}" width="${width.toFixed(1)}" height="${(base - y(count)).toFixed(1)}"><title>${title}</title></rect>`;
  });
  const ticks = decades(firstMs, lastMs).map(
    (ms) =>
      `<line class="grid" x1="${x(ms).toFixed(1)}" x2="${x(ms).toFixed(1)}" y1="${MARGIN.top}" y2="${base}"/>` +
      `<text x="${x(ms).toFixed(1)}" y="${base + 18}" text-anchor="middle">${ms}</text>`,
  );
  const marks = [
    { name: "p50", ms: summary.p50Ms, row: 0 },
    { name: "p95", ms: summary.p95Ms, row: 0 },
    { name: "p99", ms: summary.p99Ms, row: 1 },
    { name: "budget", ms: budgetMs, row: 0 },
  ]
    .filter(({ ms }) => ms >= firstMs)
    .map(
      ({ name, ms, row }) =>
        `<line class="mark ${name}" x1="${x(ms).toFixed(1)}" x2="${x(ms).toFixed(1)}" y1="${MARGIN.top - 6}" y2="${base}"/>` +
        `<text class="${name}" x="${x(ms).toFixed(1)}" y="${MARGIN.top - 10 + row * 12}" text-anchor="middle">${name}</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Latency histogram">
<style>
text{font:12px system-ui,sans-serif;fill:#667}.bar{fill:#3b7dd8}.grid{stroke:#8884;stroke-width:1}
.mark{stroke:#667;stroke-width:1.5;stroke-dasharray:4 3}.budget{stroke:#c33}text.budget{fill:#c33;stroke:none}
</style>
${ticks.join("\n")}
${bars.join("\n")}
${marks.join("\n")}
<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${base}" y2="${base}"/>
<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 4}" text-anchor="end">latency, ms</text>
<text x="4" y="${MARGIN.top + 4}">${((100 * highest) / Math.max(1, latency.count)).toFixed(1)}%</text>
</svg>
`;
}

/** 1, 2 and 5 times every power of ten inside the range. */
function decades(fromMs: number, toMs: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(fromMs)); power <= Math.ceil(Math.log10(toMs)); power++) {
    for (const step of [1, 2, 5]) {
      const ms = Number((step * 10 ** power).toPrecision(1));
      if (ms >= fromMs && ms <= toMs) ticks.push(ms);
    }
  }
  return ticks;
}

/** A self-contained HTML page. */
export function reportHtml(input: ReportInput): string {
  const { summary, verdict } = input;
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  const rows: Array<readonly [string, string]> = [
    ...input.setting,
    ["answered", `${summary.replies} in ${(summary.elapsedMs / 1000).toFixed(2)} s`],
    ["rate", `${summary.requestsPerSecond.toFixed(0)} req/s`],
    ["p50", ms(summary.p50Ms)],
    ["p90", ms(summary.p90Ms)],
    ["p95", ms(summary.p95Ms)],
    ["p99", ms(summary.p99Ms)],
    ["max", ms(summary.maxMs)],
    ["budget (p95)", `${input.budgetMs} ms`],
    ...Object.entries(summary.statuses).map(
      ([status, count]) => [`status ${status}`, String(count)] as const,
    ),
    ...Object.entries(summary.failures).map(
      ([reason, count]) => [`failed: ${reason}`, String(count)] as const,
    ),
  ];
  const outcome =
    verdict.length === 0
      ? `<p class="pass">Within budget.</p>`
      : `<ul class="fail">${verdict.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(input.title)}</title>
<style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}th,td{text-align:left;padding:.15rem 1.5rem .15rem 0;border-bottom:1px solid #8883}
td{font-variant-numeric:tabular-nums}th{font-weight:500}svg{width:100%;height:auto;margin:1rem 0}.pass{color:#2a8a4a}.fail{color:#c33}
</style></head><body>
<h1>${escapeHtml(input.title)}</h1>
${outcome}
${latencySvg(input)}
<table>${rows.map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`).join("")}</table>
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
