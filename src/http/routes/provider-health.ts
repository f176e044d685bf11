import { toWire } from "../../health/view.js";
import type { HealthSnapshot } from "../../health/snapshot.js";
import type { ScopedRoute } from "../route.js";

/** GET /v1/provider-health: stored snapshots only; never probes a provider. */
export function providerHealthRoute(snapshots: () => readonly HealthSnapshot[]): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/provider-health",
    access: { scope: "health:read" },
    bodyBytesMax: null,
    handle(exchange) {
      exchange.send(200, JSON.stringify({ providers: snapshots().map(toWire) }));
    },
  };
}
