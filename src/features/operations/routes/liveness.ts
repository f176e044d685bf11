import type { LivenessBody } from "../wire.js";
import type { PublicRoute } from "../../../path/front/route.js";

/** GET /health: the process answers; says nothing of its dependencies. */
export function livenessRoute(now: () => Date): PublicRoute {
  return {
    method: "GET",
    path: "/health",
    access: "public",
    handle(exchange) {
      exchange.send(
        200,
        JSON.stringify({
          status: "ok",
          service: "payinference",
          time: now().toISOString(),
        } satisfies LivenessBody),
      );
    },
  };
}
