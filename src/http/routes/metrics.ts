import type { PublicRoute } from "../route.js";

/** GET /metrics, on its own listener: the Prometheus text exposition. */
export function metricsRoute(metrics: { text(): Promise<string>; contentType: string }): PublicRoute {
  return {
    method: "GET",
    path: "/metrics",
    access: "public",
    async handle(exchange) {
      exchange.send(200, await metrics.text(), [], metrics.contentType);
    },
  };
}
