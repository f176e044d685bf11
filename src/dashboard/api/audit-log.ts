import { pageQuery, type ListCursor } from "./transport/list-cursor.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { AuditLog } from "./wire-types.js";

/** ADM-12: the filters that the address may have. The service reports their errors. */
export type AuditFilters = Readonly<
  Partial<Record<"q" | "action" | "actor" | "resource" | "merchant_id" | "from" | "to", string>>
>;

/**
 * GET /v1/admin/audit-log, newest first. A null cursor begins at the newest entry. While a page loads, the previous
 * page stays visible.
 */
export function useAuditPage(filters: AuditFilters, cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: ["audit-log", filters, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<AuditLog>("GET", "/v1/admin/audit-log", {
        query: {
          ...filters,
          ...pageQuery(cursor, pageSize),
        },
        signal,
      }),
    // One merchant's entries are never shown as another's.
    placeholderData: (before, query) => {
      const shown = query?.queryKey[1] as AuditFilters | undefined;
      return shown?.merchant_id === filters.merchant_id ? before : undefined;
    },
  });
}
