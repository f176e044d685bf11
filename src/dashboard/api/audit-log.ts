import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { AuditLog } from "./wire-types.js";

export interface AuditCursor {
  direction: "starting_after" | "ending_before";
  auditId: string;
}

/** GET /v1/admin/audit-log, newest first; null begins at the newest. Another page shows the last one until its own is there. */
export function useAuditPage(cursor: AuditCursor | null, pageSize: number) {
  return useRead({
    queryKey: ["audit-log", cursor, pageSize],
    queryFn: ({ signal }) =>
      request<AuditLog>("GET", "/v1/admin/audit-log", {
        query: { page_size: pageSize, ...(cursor === null ? {} : { [cursor.direction]: cursor.auditId }) },
        signal,
      }),
    placeholderData: (before) => before,
  });
}
