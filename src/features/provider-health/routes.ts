import type { ProviderHealthListBody } from "./wire.js";
import { toWire } from "../../domain/health/view.js";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { Route, ScopedRoute } from "../../path/front/route.js";
import type { ReplicaReader } from "../../path/replica/replica.js";
import { createHealthReader } from "./health-reader.js";

type ShownSnapshot = ProviderHealthListBody["providers"][number];

/** The route that shows providers' health from this node's replica. */
export function providerHealthRoutes({ replica }: { replica: ReplicaReader }): Route[] {
  return [providerHealthRoute(createHealthReader(replica).snapshots)];
}

/**
 * GET /v1/provider-health shows stored snapshots as the caller's workspace and mode see them. It never probes a
 * provider.
 */
function providerHealthRoute(
  snapshots: (workspaceId: string, mode: Mode) => readonly HealthSnapshot[],
): ScopedRoute {
  // Most snapshots are shared by all and stay until the next tick. Serialising all of them took a millisecond per
  // answer.
  const texts = new WeakMap<HealthSnapshot, string>();
  const textOf = (snapshot: HealthSnapshot): string => {
    const known = texts.get(snapshot);
    if (known !== undefined) return known;
    const text = JSON.stringify(toWire(snapshot) satisfies ShownSnapshot);
    texts.set(snapshot, text);
    return text;
  };
  return {
    method: "GET",
    path: "/v1/provider-health",
    access: { scope: "health:read" },
    bodyBytesMax: null,
    line: "slices",
    handle(exchange, { workspaceId, mode }) {
      exchange.send(200, `{"providers":[${snapshots(workspaceId, mode).map(textOf).join(",")}]}`);
    },
  };
}
