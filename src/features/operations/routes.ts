import type { LivenessBody, NotReadyBody, ReadyBody } from "./wire.js";
import type { PublicRoute, Route } from "../../path/front/route.js";
import { coalesce } from "../../platform/timing/coalesce.js";

export interface OperationRoutesParts {
  /** False from SIGTERM on. */
  isAccepting(): boolean;
  databaseIsReachable(): boolean;
  /** See WriterThread. */
  isStalled(): boolean;
  journalIsWritable(): boolean;
  replicaIsReadable(): boolean;
  /** Null without CACHE_URL. */
  cache: { isReachable(): boolean } | null;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * What a load balancer asks. A journal that refuses decisions has no name of its own among the checks (OPS-4): the store
 * beside it does not count as reachable then, whichever that is, and a load balancer sends decisions to other nodes.
 */
export function operationRoutes(parts: OperationRoutesParts): Route[] {
  const { cache, now } = parts;
  return [
    livenessRoute(() => new Date(now())),
    readinessRoute(() => {
      const postgres = parts.databaseIsReachable() && !parts.isStalled();
      const journalIsWritable = parts.journalIsWritable();
      return {
        accepting: parts.isAccepting(),
        checks:
          cache === null
            ? { postgres, lmdb: journalIsWritable && parts.replicaIsReadable() }
            : { postgres, valkey: journalIsWritable && cache.isReachable() },
      };
    }),
  ];
}

/** GET /health: the process answers; says nothing of its dependencies. */
function livenessRoute(now: () => Date): PublicRoute {
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

/** Reachable or not, by name; OPS-2: the cache store is `lmdb`, or with CACHE_URL `valkey`. */
type ReadinessChecks = { postgres: boolean } & ({ lmdb: boolean } | { valkey: boolean });

/** What /ready is answered from: known beforehand, so that a frozen database cannot freeze the answer. */
interface Readiness {
  /** False before the start has finished and from SIGTERM on. */
  accepting: boolean;
  checks: ReadinessChecks;
}

/** GET /ready: 503 with each dependency's status when one is unreachable. */
function readinessRoute(readiness: () => Readiness): PublicRoute {
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
