import type { NotReadyBody, ReadyBody } from "../wire.js";
import type { PublicRoute } from "../../../path/front/route.js";

/** Reachable or not, by name; OPS-2: the cache store is `lmdb`, or with CACHE_URL `valkey`. */
export type ReadinessChecks = { postgres: boolean } & ({ lmdb: boolean } | { valkey: boolean });

/** What /ready is answered from: known beforehand, so that a frozen database cannot freeze the answer. */
export interface Readiness {
  /** False before the start has finished and from SIGTERM on. */
  accepting: boolean;
  checks: ReadinessChecks;
}

/** GET /ready: 503 with each dependency's status when one is unreachable. */
export function readinessRoute(readiness: () => Readiness): PublicRoute {
  return {
    method: "GET",
    path: "/ready",
    access: "public",
    handle(exchange) {
      const { accepting, checks } = readiness();
      const ready = accepting && Object.values(checks).every(Boolean);
      const { postgres } = checks;
      const cache = "lmdb" in checks ? { lmdb: word(checks.lmdb) } : { valkey: word(checks.valkey) };
      const body: ReadyBody | NotReadyBody = {
        status: ready ? "ready" : "not_ready",
        checks: { postgres: word(postgres), ...cache },
      };
      exchange.send(ready ? 200 : 503, JSON.stringify(body));
    },
  };
}

function word(reachable: boolean): "ok" | "unreachable" {
  return reachable ? "ok" : "unreachable";
}
