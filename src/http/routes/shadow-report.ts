import type { ReportShadow } from "../../read/shadow-report.js";
import { LIMITS } from "../../shared/limits.js";
import { READ_UNAVAILABLE } from "../api-error.js";
import { Query } from "../query.js";
import type { ScopedRoute } from "../route.js";

/** GET /v1/decisions/shadow-report */
export function shadowReportRoute(report: ReportShadow): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions/shadow-report",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    readsQuery: true,
    async handle(exchange, grant) {
      const query = new Query(exchange.head.query);
      const days = query.integer("days", {
        min: 1,
        max: LIMITS.shadowReportDaysMax,
        ifAbsent: LIMITS.shadowReportDaysDefault,
      });
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const answer = await report(grant, days);
      if (answer === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      exchange.send(200, JSON.stringify(answer));
    },
  };
}
