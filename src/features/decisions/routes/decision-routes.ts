import type { ReadLog } from "../../../platform/postgres/database-read.js";
import type { Route } from "../../../path/front/route.js";
import { createAggregateCache } from "../aggregate-cache.js";
import type { DecisionRead } from "../read-log.js";
import { decisionAggregateRoute } from "./decision-aggregate.js";
import { decisionDetailRoute } from "./decision-detail.js";
import { decisionListRoute } from "./decision-list.js";
import { decisionReplayRoute } from "./decision-replay.js";
import { shadowReportRoute } from "./shadow-report.js";

export interface DecisionRoutesParts {
  readLog: ReadLog<DecisionRead>;
  /** A count that changes with every write this node acknowledges. */
  writes(): number;
  /** The OpenAPI document lists these routes before the other routes on one decision. */
  reviewRoutes: readonly Route[];
  /** Unix milliseconds. */
  now(): number;
}

/** The routes that read decisions. */
export function decisionRoutes({ readLog, writes, reviewRoutes, now }: DecisionRoutesParts): Route[] {
  const aggregates = createAggregateCache({
    aggregate: async (scope) => (await readLog({ kind: "aggregate", scope })) ?? "unavailable",
    writes,
    now: () => performance.now(),
  });
  return [
    decisionListRoute(readLog, now),
    decisionAggregateRoute(aggregates),
    shadowReportRoute(readLog),
    ...reviewRoutes,
    decisionDetailRoute(readLog),
    decisionReplayRoute(readLog),
  ];
}
