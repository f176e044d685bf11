import type { RunningService } from "./service.js";

/** Joins the texts that Prometheus would scrape from the nodes now. */
export async function expositionOf({ nodes }: RunningService): Promise<string> {
  const texts = nodes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
  return (await Promise.all(texts)).join("");
}
