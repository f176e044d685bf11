import type { LivenessBody, NotReadyBody, ReadyBody } from "./wire.js";
import type { PublicRoute, Route } from "../../path/front/route.js";
import { coalesce } from "../../platform/timing/coalesce.js";

export interface OperationRoutesParts {
  /** False from SIGTERM on. */
  isAccepting(): boolean;
  databaseIsReachable(): boolean;
  /** Returns whether the writer is stalled; see WriterThread. */
  isStalled(): boolean;
  journalIsWritable(): boolean;
  replicaIsReadable(): boolean;
  /** Null when CACHE_URL is not set. */
  cache: { isReachable(): boolean } | null;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * The routes for a load balancer. The checks have no name for a journal that refuses decisions (OPS-4). In that case
 * the cache store is reported as unreachable, so the load balancer sends decisions to other nodes.
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

/** GET /health: the process answers, whatever the state of PostgreSQL and other dependencies. */
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

/**
 * True for each dependency that is reachable. OPS-2: the cache store is named `lmdb`, or `valkey` when CACHE_URL is
 * set.
 */
type ReadinessChecks = { postgres: boolean } & ({ lmdb: boolean } | { valkey: boolean });

/**
 * The values from which /ready is answered. They are known in advance, so that a frozen database cannot delay the
 * answer.
 */
interface Readiness {
  /** False before the start has finished and from SIGTERM on. */
  accepting: boolean;
  checks: ReadinessChecks;
}

/** GET /ready: 503 with each dependency's status if one is unreachable or the node does not accept requests. */
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

/** GET /metrics, on its own listener, in the Prometheus text format. */
export function metricsRoute(metrics: { text(): Promise<string>; contentType: string }): PublicRoute {
  // Collecting takes milliseconds of the thread that answers merchants, so concurrent requests share one text.
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
