import type { DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { scopeOf } from "../read-log.js";
import { readFailure, type ReadFailure } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";
import type { FoundJson } from "../../../platform/postgres/database-read.js";

/** GET /v1/decisions/aggregate */
export function decisionAggregateRoute(
  aggregate: (scope: DecisionScope) => Promise<FoundJson | ReadFailure>,
): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions/aggregate",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    async handle(exchange, grant) {
      const figures = await aggregate(scopeOf(grant));
      if (typeof figures === "string") return exchange.fail(readFailure(figures));
      exchange.send(200, figures.json);
    },
  };
}
