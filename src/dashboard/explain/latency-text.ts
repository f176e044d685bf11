import { formatLatency } from "../design/base/format.js";

/** SVC-7: the p95 on the server is under 50 ms. */
export const LATENCY_BUDGET_MS = 50;

export function latencyText(latencyMs: number): string {
  const relation = latencyMs > LATENCY_BUDGET_MS ? ", over" : " of";
  return `${formatLatency(latencyMs)}${relation} the ${LATENCY_BUDGET_MS} ms budget`;
}
