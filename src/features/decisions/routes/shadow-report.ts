import { shadowReportDaysParameter } from "../../../platform/wire/query-schema.js";
import { scopeOf, type DecisionRead } from "../read-log.js";
import { readFailure } from "../../../platform/http/api-error.js";
import { Query } from "../../../platform/http/query.js";
import type { ScopedRoute } from "../../../path/front/route.js";
import type { ReadLog } from "../../../platform/postgres/database-read.js";

/** GET /v1/decisions/shadow-report */
export function shadowReportRoute(read: ReadLog<DecisionRead>): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions/shadow-report",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    query: ["days"],
    async handle(exchange, grant) {
      const query = new Query(exchange.head.query);
      const days = query.integer("days", shadowReportDaysParameter);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const report = await read({ kind: "shadow_report", scope: scopeOf(grant), days });
      if (report === null || typeof report === "string") return exchange.fail(readFailure(report));
      exchange.send(200, report.json);
    },
  };
}
