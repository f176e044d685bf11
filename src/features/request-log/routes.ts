import type { Route, SessionRoute } from "../../path/front/route.js";
import { readRequestLog, type RequestLogParts } from "./read-request-log.js";

export function requestLogRoutes(parts: RequestLogParts): Route[] {
  return [requestLogRoute(parts)];
}

/** GET /v1/request-log: newest first. `has_more` refers to the direction walked. */
function requestLogRoute(parts: RequestLogParts): SessionRoute {
  return {
    method: "GET",
    path: "/v1/request-log",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    query: ["mode", "status", "code", "page_size", "starting_after", "ending_before"],
    async handle(exchange, { workspaceId }) {
      const read = await readRequestLog(parts, workspaceId, exchange.head.query);
      if ("issues" in read) return exchange.fail({ kind: "invalid", issues: read.issues });
      exchange.send(200, JSON.stringify(read));
    },
  };
}
