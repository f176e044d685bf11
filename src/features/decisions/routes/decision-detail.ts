import { scopeOf, type DecisionRead } from "../read-log.js";
import { readFailure } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";
import type { ReadLog } from "../../../platform/postgres/database-read.js";

/**
 * GET /v1/decisions/:decisionId: an unknown decision and another tenant's, mode's or merchant's all get the same 404.
 */
export function decisionDetailRoute(read: ReadLog<DecisionRead>): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions/:decisionId",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    async handle(exchange, grant, [decisionId = ""]) {
      const detail = await read({ kind: "detail", scope: scopeOf(grant), decisionId });
      if (typeof detail === "string") return exchange.fail(readFailure(detail));
      if (detail === null) return exchange.fail({ kind: "not_found", message: "Decision not found" });
      exchange.send(200, detail.json);
    },
  };
}
