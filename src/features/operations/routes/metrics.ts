import { coalesce } from "../../../platform/timing/coalesce.js";
import type { PublicRoute } from "../../../path/front/route.js";

/** GET /metrics, on its own listener: the Prometheus text exposition. */
export function metricsRoute(metrics: { text(): Promise<string>; contentType: string }): PublicRoute {
  // It takes milliseconds of the thread that answers merchants: whoever asks meanwhile gets the same.
  const text = coalesce(() => metrics.text());
  return {
    method: "GET",
    path: "/metrics",
    access: "public",
    refusesUnknownQuery: "nobody",
    async handle(exchange) {
      exchange.send(200, await text(), [], metrics.contentType);
    },
  };
}
