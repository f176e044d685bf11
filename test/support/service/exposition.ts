import type { RunningService } from "./service.js";

/** The text that Prometheus would scrape now, from all nodes in sequence. */
export async function expositionOf({ nodes }: RunningService): Promise<string> {
  const texts = nodes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
  return (await Promise.all(texts)).join("");
}
