import type { AuditLogBody } from "./wire.js";
import { readAuditFilter } from "./audit-filter-query.js";
import { auditEntryBody, createAuditLog, type AuditLog } from "./service.js";
import { ADMINISTRATION_UNAVAILABLE } from "../../platform/http/api-error.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import type { Route, SessionRoute } from "../../path/front/route.js";

export function auditRoutes(parts: Parameters<typeof createAuditLog>[0]): Route[] {
  return [auditLogRoute(createAuditLog(parts).list)];
}

/** GET /v1/admin/audit-log: newest first. `has_more` refers to the direction walked. */
function auditLogRoute(list: AuditLog["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/audit-log",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    query: [
      "page_size",
      "starting_after",
      "ending_before",
      "action",
      "actor",
      "resource",
      "merchant_id",
      "q",
      "from",
      "to",
    ],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const page = { pageSize: readPageSize(query), cursor: readCursor(query, "aud") };
      const filter = readAuditFilter(query);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await list(workspaceId, filter, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const entries = found.entries.map(auditEntryBody);
      exchange.send(200, JSON.stringify({ entries, has_more: found.hasMore } satisfies AuditLogBody));
    },
  };
}
