import type { RunningService } from "./service.js";

/** The text that Prometheus would scrape at present, from all nodes one after the other. */
export async function expositionOf({ nodes }: RunningService): Promise<string> {
  const texts = nodes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
  return (await Promise.all(texts)).join("");
}
