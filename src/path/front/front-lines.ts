import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { createSlices, createTurns, type Line, type Work } from "../../platform/http/line.js";
import { isScopedRoute, type PublicRoute, type Route, type ScopedRoute } from "./route.js";

const FULL: ApiError = { kind: "unavailable", message: "Too many requests of this kind are waiting" };
/** Who has no key. */
const NOBODY = "";

/**
 * A turn of the event loop takes all that has come in, and what costs the front thread milliseconds would keep every
 * decision waiting for all of it: 3.6 s for a hundred policies of hundreds of kilobytes, 20 to 100 ms each; 6 s for 400
 * drafts of 8 KB to simulate; 1.5 s to hand 4000 peers a document of 275 KB. So large bodies of all routes, and what works
 * on a policy that is stored, take turns; and the rest of what costs more than a decision has slices of time. (While turns
 * ended where PostgreSQL was asked, four clients that published in a loop made p95 of the decisions beside them 46 to
 * 65 ms, and four that read such policies 38 to 53; now 14 to 23, and 11 to 14.)
 */
export function withFrontLines(routes: readonly Route[]): Route[] {
  // Who waits without a large body holds little memory, and may be one of many with small policies.
  const large = createTurns(TUNING.largeBodiesWaitingMax);
  const lines = {
    turns: createTurns(TUNING.turnsWaitingMax),
    slices: createSlices(TUNING.slicesWaitingMax),
  };
  // A line of their own: who has no key keeps nobody from what needs one.
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

/** Of a peer that has gone while it waited nothing is left to do. */
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
