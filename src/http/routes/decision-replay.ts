import type { ReplayDecision } from "../../read/decision-replay.js";
import type { KeyRoute } from "../route.js";

/** POST /v1/decisions/:decisionId/replay: makes a stored decision again; a 404 as of its detail. Takes no body. */
export function decisionReplayRoute(replay: ReplayDecision): KeyRoute {
  return {
    method: "POST",
    path: "/v1/decisions/:decisionId/replay",
    access: { scope: "policy:read" },
    bodyBytesMax: null,
    async handle(exchange, grant, [decisionId = ""]) {
      const result = await replay(grant, decisionId);
      if (result === "unavailable") {
        return exchange.fail({ kind: "unavailable", message: "Decisions cannot be read right now" });
      }
      if (result === null) return exchange.fail({ kind: "not_found", message: "Decision not found" });
      exchange.send(200, JSON.stringify(result));
    },
  };
}
