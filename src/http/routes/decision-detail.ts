import type { Grant } from "../../auth/grant.js";
import type { DecisionDetail } from "../../read/decision-detail.js";
import { READ_UNAVAILABLE } from "../api-error.js";
import type { ScopedRoute } from "../route.js";

/** `unavailable` while PostgreSQL cannot be read. */
export type FindDecision = (
  grant: Grant,
  decisionId: string,
) => Promise<DecisionDetail | null | "unavailable">;

/** GET /v1/decisions/:decisionId: an unknown one, another tenant's, mode's or merchant's all answer the same 404. */
export function decisionDetailRoute(find: FindDecision): ScopedRoute {
  return {
    method: "GET",
    path: "/v1/decisions/:decisionId",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    async handle(exchange, grant, [decisionId = ""]) {
      const detail = await find(grant, decisionId);
      if (detail === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      if (detail === null) return exchange.fail({ kind: "not_found", message: "Decision not found" });
      exchange.send(200, JSON.stringify(detail));
    },
  };
}
