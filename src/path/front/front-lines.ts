import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { createSlices, createTurns, type Line, type Work } from "../../platform/http/line.js";
import { isScopedRoute, type PublicRoute, type Route, type ScopedRoute } from "./route.js";

const FULL: ApiError = { kind: "unavailable", message: "Too many requests of this kind are waiting" };
/** The owner under which all requests without a key wait. */
const NOBODY = "";

/**
 * Puts expensive work of the front thread into queues. One turn of the event loop handles all requests that have
 * arrived. If each costs milliseconds, every decision waits for all of them:
 * - 3.6 s for a hundred policies of hundreds of kilobytes, at 20 to 100 ms each;
 * - 6 s to simulate 400 drafts of 8 KB;
 * - 1.5 s to send 4000 peers a document of 275 KB.
 *
 * So large bodies of all routes, and work on a stored policy, run one at a time in turns. Other work that costs more
 * than a decision gets slices of time. A turn also covers the wait for PostgreSQL. Before it did, four clients that
 * published in a loop raised the p95 of decisions to 46 to 65 ms. Four that read stored policies raised it to 38 to 53
 * ms. Now the p95 is 14 to 23 ms and 11 to 14 ms.
 */
export function withFrontLines(routes: readonly Route[]): Route[] {
  // Large bodies hold much memory, so fewer requests may wait here than in the other queues.
  const large = createTurns(TUNING.largeBodiesWaitingMax);
  const lines = {
    turns: createTurns(TUNING.turnsWaitingMax),
    slices: createSlices(TUNING.slicesWaitingMax),
  };
  // Requests without a key have a queue of their own, so that they never delay a request with a key.
  const publicSlices = createSlices(TUNING.slicesWaitingMax);

  return routes.map((route): Route => {
    if (isPublic(route)) return route.line === undefined ? route : publicInLine(route, publicSlices);
    if (!isScoped(route)) return route;
    const small = route.line === undefined ? null : lines[route.line];
    if (small === null && route.bodyBytesMax !== LIMITS.largeBodyBytesMax) return route;
    const handle: ScopedRoute["handle"] = (exchange, grant, params, body) => {
      const work = unlessDone(exchange, () => route.handle(exchange, grant, params, body));
      const line = body.length > LIMITS.smallBodyBytesMax ? large : small;
      return line === null ? work() : inLine(line, grant.workspaceId, exchange, work);
    };
    return { ...route, handle };
  });
}

function publicInLine(route: PublicRoute, line: Line): PublicRoute {
  return {
    ...route,
    handle: (exchange, params) =>
      inLine(
        line,
        NOBODY,
        exchange,
        unlessDone(exchange, () => route.handle(exchange, params)),
      ),
  };
}

/** Skips the work if the peer has gone away while it waited. */
function unlessDone(exchange: Exchange, work: Work): Work {
  return () => (exchange.done ? undefined : work());
}

function inLine(line: Line, owner: string, exchange: Exchange, work: Work): Promise<void> {
  return line(owner, work, () => exchange.fail(FULL));
}

function isPublic(route: Route): route is PublicRoute {
  return route.access === "public";
}

function isScoped(route: Route): route is ScopedRoute {
  return route.access !== "public" && route.access !== "attempt" && isScopedRoute(route);
}
