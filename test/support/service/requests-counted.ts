import type { RunningService } from "./service.js";

const SAMPLE = /^payinference_http_requests_total\{(?:.*,)?route="([^"]*)".*\} (\d+)$/gm;

/** The number of requests that the node has answered, by the label of their route. */
export async function requestsCounted(service: RunningService): Promise<Map<string, number>> {
  const text = await (await fetch(service.metricsUrl)).text();
  const counted = new Map<string, number>();
  for (const [, route = "", count] of text.matchAll(SAMPLE)) {
    counted.set(route, (counted.get(route) ?? 0) + Number(count));
  }
  return counted;
}
