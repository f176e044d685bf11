import type { RunningService } from "./service.js";

/** What Prometheus would scrape of the service now, all nodes' one after the other. */
export async function expositionOf({ nodes }: RunningService): Promise<string> {
  const texts = nodes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
  return (await Promise.all(texts)).join("");
}
