import { modeParameter } from "../../platform/wire/query-schema.js";
import { RANGES } from "../../domain/vocabulary/range.js";
import type { ReadLog } from "../../platform/postgres/database-read.js";
import type { AnalyticsRead } from "./service.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import { READ_UNAVAILABLE } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

export interface AnalyticsRoutesParts {
  readLog: ReadLog<AnalyticsRead>;
}

export function analyticsRoutes({ readLog }: AnalyticsRoutesParts): Route[] {
  return [analyticsSummaryRoute(readLog)];
}

/** GET /v1/analytics/summary. An unknown `range` falls back to all of history, as in GET /v1/decisions. */
function analyticsSummaryRoute(read: ReadLog<AnalyticsRead>): SessionRoute {
  return {
    method: "GET",
    path: "/v1/analytics/summary",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: ["range", "mode"],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      const requestedRange = query.text("range");
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const range = RANGES.find((known) => known === requestedRange) ?? "all";
      const summary = await read({ kind: "analytics", workspaceId, mode, range });
      if (summary === "unavailable" || summary === null) return exchange.fail(READ_UNAVAILABLE);
      exchange.send(200, summary.json);
    },
  };
}
