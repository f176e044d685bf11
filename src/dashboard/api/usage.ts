import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { UsageRow } from "./wire-types.js";

/** GET /v1/admin/usage. `from` and `to` are `YYYY-MM`, both inclusive. */
export function useUsage(from: string, to: string) {
  return useRead({
    queryKey: ["usage", from, to],
    queryFn: ({ signal }) =>
      request<{ usage: UsageRow[] }>("GET", "/v1/admin/usage", { query: { from, to }, signal }),
    placeholderData: (before) => before,
  });
}
