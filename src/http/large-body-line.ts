import { LIMITS } from "../shared/limits.js";
import type { ApiError } from "./api-error.js";
import type { Exchange } from "./exchange.js";
import type { Route, ScopedRoute } from "./route.js";

/** Runs `work` at once or when its turn comes; `full`, and it never runs, where as many wait as may. */
type Line = (work: () => void | Promise<void>) => "full" | void | Promise<void>;

const FULL: ApiError = { kind: "unavailable", message: "Too many large bodies are waiting to be read" };

/**
 * A policy of hundreds of kilobytes takes the front thread 20 to 100 ms, and a turn of its event loop takes all that has
 * come in: of a hundred such bodies at once every decision waited for 3.6 s. So the large bodies of all routes are read
 * one a turn, and the front is left alone for as long again before the next one.
 */
export function withLargeBodyLine(routes: readonly Route[]): Route[] {
  const line = createLine();
  return routes.map((route) => (takesLargeBodies(route) ? inLine(route, line) : route));
}

function takesLargeBodies(route: Route): route is ScopedRoute {
  if (route.access === "public" || route.access === "attempt") return false;
  return "scope" in route.access && route.bodyBytesMax === LIMITS.largeBodyBytesMax;
}

function inLine(route: ScopedRoute, line: Line): ScopedRoute {
  const handleUnlessDone = (exchange: Exchange, ...rest: Rest): void | Promise<void> =>
    exchange.done ? undefined : route.handle(exchange, ...rest);
  return {
    ...route,
    handle(exchange, ...rest) {
      if (rest[2].length <= LIMITS.smallBodyBytesMax) return route.handle(exchange, ...rest);
      const result = line(() => handleUnlessDone(exchange, ...rest));
      return result === "full" ? exchange.fail(FULL) : result;
    },
  };
}

type Rest = Parameters<ScopedRoute["handle"]> extends [Exchange, ...infer Others] ? Others : never;

function createLine(): Line {
  const waiting: (() => void)[] = [];
  let isResting = false;
  const next = (): void => {
    const work = waiting.shift();
    if (work === undefined) isResting = false;
    else work();
  };
  const take = (work: () => void | Promise<void>): void | Promise<void> => {
    isResting = true;
    const startedMs = performance.now();
    try {
      return work();
    } finally {
      setTimeout(next, performance.now() - startedMs);
    }
  };
  return (work) => {
    if (!isResting) return take(work);
    if (waiting.length >= LIMITS.largeBodiesWaitingMax) return "full";
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(take(work));
        } catch (error) {
          reject(error);
        }
      });
    });
  };
}
