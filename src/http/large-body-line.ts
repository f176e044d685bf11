import { LIMITS } from "../shared/limits.js";
import { within } from "../shared/within.js";
import type { ApiError } from "./api-error.js";
import type { Exchange } from "./exchange.js";
import { isScopedRoute, type Route, type ScopedRoute } from "./route.js";

/** Runs `work` at once or when its turn comes; `full`, and it never runs, where as many wait as may. */
type Line = (work: () => void | Promise<void>) => "full" | Promise<void>;

const LARGE_BODIES: ApiError = {
  kind: "unavailable",
  message: "Too many large bodies are waiting to be read",
};
const STORED_POLICIES: ApiError = {
  kind: "unavailable",
  message: "Too many policies are waiting to be read",
};

/**
 * A policy of hundreds of kilobytes takes the front thread 20 to 100 ms: read, checked, stored, and read back by the
 * node that decides by it. A turn of the event loop takes all that has come in, and of a hundred such bodies at once
 * every decision waited for 3.6 s. So those of all routes, and what works on a policy that is stored, take turns, each
 * through to its answer, and the front is left alone for as long again before the next one. (While turns ended where
 * PostgreSQL was asked, four clients that published in a loop made p95 of the decisions beside them 46 to 65 ms, and four
 * that read such policies 38 to 53; now 14 to 23, and 11 to 14.)
 */
export function withLargeBodyLine(routes: readonly Route[]): Route[] {
  // Two lines: who waits without a body holds no memory, and may be one of many small policies' readers.
  const bodies = createLine(LIMITS.largeBodiesWaitingMax);
  const stored = createLine(LIMITS.storedPoliciesWaitingMax);
  return routes.map((route) => {
    if (!isScoped(route)) return route;
    if (route.readsStoredPolicy === true) return inLine(route, stored, () => true, STORED_POLICIES);
    return route.bodyBytesMax === LIMITS.largeBodyBytesMax
      ? inLine(route, bodies, isLarge, LARGE_BODIES)
      : route;
  });
}

function isScoped(route: Route): route is ScopedRoute {
  return route.access !== "public" && route.access !== "attempt" && isScopedRoute(route);
}

function isLarge(body: string): boolean {
  return body.length > LIMITS.smallBodyBytesMax;
}

function inLine(
  route: ScopedRoute,
  line: Line,
  takesTurn: (body: string) => boolean,
  full: ApiError,
): ScopedRoute {
  const handleUnlessDone = (exchange: Exchange, ...rest: Rest): void | Promise<void> =>
    exchange.done ? undefined : route.handle(exchange, ...rest);
  return {
    ...route,
    handle(exchange, ...rest) {
      if (!takesTurn(rest[2])) return route.handle(exchange, ...rest);
      const result = line(() => handleUnlessDone(exchange, ...rest));
      return result === "full" ? exchange.fail(full) : result;
    },
  };
}

type Rest = Parameters<ScopedRoute["handle"]> extends [Exchange, ...infer Others] ? Others : never;

function createLine(waitingMax: number): Line {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = (): void => {
    const begin = waiting.shift();
    if (begin === undefined) isTaken = false;
    else begin();
  };
  const take = (work: () => void | Promise<void>): Promise<void> => {
    isTaken = true;
    const startedMs = performance.now();
    const rest = (): void => {
      setTimeout(next, Math.min(performance.now() - startedMs, LIMITS.largeBodyTurnMsMax));
    };
    // What it throws is a rejection as well, and the caller's to tell.
    const working = (async () => work())();
    within(working, LIMITS.largeBodyTurnMsMax, undefined).then(rest, rest);
    return working;
  };
  return (work) => {
    if (!isTaken) return take(work);
    if (waiting.length >= waitingMax) return "full";
    return new Promise((resolve) => {
      waiting.push(() => resolve(take(work)));
    });
  };
}
