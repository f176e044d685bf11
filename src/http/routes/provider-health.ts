import type { ProviderHealthListBody } from "../../api/response/health-response-schema.js";
import { toWire } from "../../health/view.js";
import type { HealthSnapshot } from "../../health/snapshot.js";
import type { Mode } from "../../shared/vocabulary.js";
import type { ScopedRoute } from "../route.js";

/** GET /v1/provider-health: stored snapshots as the caller's workspace and mode see them; never probes a provider. */
export function providerHealthRoute(
  snapshots: (workspaceId: string, mode: Mode) => readonly HealthSnapshot[],
): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/provider-health",
    access: { scope: "health:read" },
    bodyBytesMax: null,
    handle(exchange, { workspaceId, mode }) {
      exchange.send(
        200,
        JSON.stringify({
          providers: snapshots(workspaceId, mode).map(toWire),
        } satisfies ProviderHealthListBody),
      );
    },
  };
}
