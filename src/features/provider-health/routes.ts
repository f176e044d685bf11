import type { LiveDetail } from "../../domain/health/monitor/live-level.js";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import { toWire } from "../../domain/health/view.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import type { Route, ScopedRoute } from "../../path/front/route.js";
import type { ReplicaReader } from "../../path/replica/replica.js";
import type { ApiError } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import { createHealthReader, type HealthReader } from "./health-reader.js";
import { toDetailRows } from "./segment-details.js";
import { detailParameter, type ProviderHealthListBody } from "./wire.js";

type ShownSnapshot = ProviderHealthListBody["providers"][number];

export interface ProviderHealthParts {
  replica: ReplicaReader;
  /** The outcomes of each segment and level of a view, summarized. Null if they cannot be read at present. */
  details(workspaceId: string, mode: Mode): Promise<LiveDetail[] | null>;
}

const DETAILS_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "The levels of provider health are temporarily unavailable",
};

/** The route that shows providers' health from this node's replica. */
export function providerHealthRoutes({ replica, details }: ProviderHealthParts): Route[] {
  return [providerHealthRoute(createHealthReader(replica), details)];
}

/**
 * GET /v1/provider-health shows stored snapshots as the caller's workspace and mode see them. It never probes a
 * provider. HLTH-33: with `detail=segments` it shows the deeper levels, and the outcomes and the probes separately.
 */
function providerHealthRoute(reader: HealthReader, details: ProviderHealthParts["details"]): ScopedRoute {
  // Most snapshots are shared by all workspaces until the next tick. Serialising all of them for each answer took a
  // millisecond.
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
    query: ["detail"],
    line: "slices",
    async handle(exchange, { workspaceId, mode }) {
      const query = new Query(exchange.head.query);
      const detail = query.oneOf("detail", detailParameter);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      if (detail === null) {
        const shown = reader.snapshots(workspaceId, mode).map(textOf);
        return exchange.send(200, `{"providers":[${shown.join(",")}]}`);
      }
      const live = await details(workspaceId, mode);
      if (live === null) return exchange.fail(DETAILS_UNAVAILABLE);
      const rows = toDetailRows(reader.snapshots(workspaceId, mode), reader.probed(), live);
      exchange.send(200, JSON.stringify({ providers: rows } satisfies ProviderHealthListBody));
    },
  };
}
