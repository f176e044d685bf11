import { scopeOf, type DecisionRead } from "../read-log.js";
import { readFailure } from "../../../platform/http/api-error.js";
import type { ScopedRoute } from "../../../path/front/route.js";
import type { ReadLog } from "../../../platform/postgres/database-read.js";

/**
 * POST /v1/decisions/:decisionId/replay makes a stored decision again. It takes no body and answers 404 as the detail
 * does.
 */
export function decisionReplayRoute(read: ReadLog<DecisionRead>): ScopedRoute {
  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/decisions/:decisionId/replay",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    async handle(exchange, grant, [decisionId = ""]) {
      const replay = await read({ kind: "replay", scope: scopeOf(grant), decisionId });
      if (typeof replay === "string") return exchange.fail(readFailure(replay));
      if (replay === null) return exchange.fail({ kind: "not_found", message: "Decision not found" });
      exchange.send(200, replay.json);
    },
  };
}
