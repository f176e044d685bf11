import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { AuditLog } from "./wire-types.js";

export interface AuditCursor {
  direction: "starting_after" | "ending_before";
  auditId: string;
}

/**
 * GET /v1/admin/audit-log, newest first: of the workspace, or of one merchant. A null cursor begins at the newest entry. While a page loads, the one before
 * it stays.
 */
export function useAuditPage(cursor: AuditCursor | null, pageSize: number, merchantId: string | null = null) {
  return useRead({
    queryKey: ["audit-log", merchantId, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<AuditLog>("GET", "/v1/admin/audit-log", {
        query: {
          page_size: pageSize,
          ...(merchantId === null ? {} : { merchant_id: merchantId }),
          ...(cursor === null ? {} : { [cursor.direction]: cursor.auditId }),
        },
        signal,
      }),
    placeholderData: (before, query) => (query?.queryKey[1] === merchantId ? before : undefined),
  });
}
