import type { OlderLogs } from "../postgres/tenant-db.js";

/** CH-1: nothing of ClickHouse is loaded without ANALYTICS_URL. */
export async function olderLogsAt(url: string | null, timeoutMs: number): Promise<OlderLogs | null> {
  if (url === null) return null;
  const { openOlderLogs } = await import("./older-log.js");
  return openOlderLogs({ url, timeoutMs });
}
