import type { LoadResult } from "../client/load-run.js";

/** The figures of one run. Latencies are in milliseconds. */
export interface LoadSummary {
  replies: number;
  requestsPerSecond: number;
  elapsedMs: number;
  p50Ms: number;
  p90Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
  statuses: Record<number, number>;
  failures: Record<string, number>;
  generatorCpuMicrosPerRequest: number;
}

export function summarize(result: LoadResult): LoadSummary {
  const { latency } = result;
  return {
    replies: result.replies,
    requestsPerSecond: result.replies / (result.elapsedMs / 1000),
    elapsedMs: result.elapsedMs,
    p50Ms: latency.percentileMs(50),
    p90Ms: latency.percentileMs(90),
    p95Ms: latency.percentileMs(95),
    p99Ms: latency.percentileMs(99),
    maxMs: latency.maxMs,
    statuses: result.statuses,
    failures: result.failures,
    generatorCpuMicrosPerRequest: result.replies === 0 ? 0 : (result.generatorCpuMs * 1000) / result.replies,
  };
}

/** The reasons why a run failed, one line each. Empty means that it passed. */
export function verdict(summary: LoadSummary, limits: { budgetMs: number; allowStatus: boolean }): string[] {
  const lines: string[] = [];
  if (summary.replies === 0) lines.push("no request was answered");
  else if (summary.p95Ms > limits.budgetMs) {
    lines.push(`p95 ${summary.p95Ms.toFixed(2)} ms is over the budget of ${limits.budgetMs} ms`);
  }
  const notOk = Object.entries(summary.statuses).filter(([status]) => status !== "200");
  if (!limits.allowStatus) {
    for (const [status, count] of notOk) lines.push(`${count} replies were ${status}${hint(status)}`);
  }
  for (const [reason, count] of Object.entries(summary.failures))
    lines.push(`${count} requests failed: ${reason}`);
  return lines;
}

/** A hint at the most likely mistake of a first-time user. */
function hint(status: string): string {
  if (status === "401") return " (give a key with --key or PAYINFERENCE_KEY)";
  if (status === "403") return " (is every merchant of --merchants registered in the key's workspace?)";
  if (status === "429") return " (start the service with RATE_LIMIT_PER_MINUTE=0 to measure it)";
  return "";
}

export function summaryLines(summary: LoadSummary): string[] {
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  const statuses = Object.entries(summary.statuses).map(([status, count]) => `${status} × ${count}`);
  const failed = Object.values(summary.failures).reduce((sum, count) => sum + count, 0);
  return [
    `requests   ${summary.replies} answered in ${(summary.elapsedMs / 1000).toFixed(2)} s, ${Math.round(summary.requestsPerSecond)}/s`,
    `latency    p50 ${ms(summary.p50Ms)}   p90 ${ms(summary.p90Ms)}   p95 ${ms(summary.p95Ms)}   p99 ${ms(summary.p99Ms)}   max ${ms(summary.maxMs)}`,
    `statuses   ${statuses.length === 0 ? "none" : statuses.join(", ")}`,
    `errors     ${failed}`,
    `generator  ${summary.generatorCpuMicrosPerRequest.toFixed(1)} µs of CPU a request`,
  ];
}
