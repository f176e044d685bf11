import type { OlderLogs } from "../postgres/tenant-db.js";
import type { OlderQuery } from "../telemetry/older-query.js";

/** CH-1: without ANALYTICS_URL, no ClickHouse code is loaded. */
export async function olderLogsAt(
  url: string | null,
  timeoutMs: number,
  onQuery: (query: OlderQuery) => void,
): Promise<OlderLogs | null> {
  if (url === null) return null;
  const { openOlderLogs } = await import("./older-log.js");
  return openOlderLogs({ url, timeoutMs, onQuery });
}
