import type { SummarizeAnalytics } from "../../read/analytics-summary.js";
import { RANGES } from "../../read/analytics-window.js";
import { MODES, ROLES } from "../../shared/vocabulary.js";
import { READ_UNAVAILABLE } from "../api-error.js";
import { Query } from "../query.js";
import type { SessionRoute } from "../route.js";

/** GET /v1/analytics/summary: an unknown `range` falls back to all, as in GET /v1/decisions. */
export function analyticsSummaryRoute(summarize: SummarizeAnalytics): SessionRoute {
  return {
    method: "GET",
    path: "/v1/analytics/summary",
    access: { roles: ROLES },
    bodyBytesMax: null,
    readsQuery: true,
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const mode = query.oneOf("mode", MODES) ?? "live";
      const asked = query.text("range");
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const summary = await summarize(workspaceId, mode, RANGES.find((range) => range === asked) ?? "all");
      if (summary === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      exchange.send(200, JSON.stringify(summary));
    },
  };
}
