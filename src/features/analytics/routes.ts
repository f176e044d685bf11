import { modeParameter } from "../../platform/wire/query-schema.js";
import type { ReadLog } from "../../platform/postgres/database-read.js";
import { FACET_PARAMETERS } from "../decisions/wire/facet-parameters.js";
import { readAnalyticsQuery } from "./analytics-query.js";
import type { AnalyticsRead } from "./service.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import { readFailure } from "../../platform/http/api-error.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

export interface AnalyticsRoutesParts {
  readLog: ReadLog<AnalyticsRead>;
  /** Unix milliseconds. */
  now(): number;
}

export function analyticsRoutes({ readLog, now }: AnalyticsRoutesParts): Route[] {
  return [analyticsSummaryRoute(readLog, now)];
}

/** GET /v1/analytics/summary */
function analyticsSummaryRoute(read: ReadLog<AnalyticsRead>, now: () => number): SessionRoute {
  return {
    method: "GET",
    path: "/v1/analytics/summary",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: ["range", "from", "to", ...FACET_PARAMETERS, "group_by", "group_series", "time_zone", "mode"],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", modeParameter) ?? "live";
      const asked = readAnalyticsQuery(query, now());
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const summary = await read({ kind: "analytics", workspaceId, mode, query: asked });
      if (summary === null || typeof summary === "string") return exchange.fail(readFailure(summary));
      exchange.send(200, summary.json);
    },
  };
}
