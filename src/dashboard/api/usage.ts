import { useRead } from "./read.js";
import { request } from "./request.js";
import type { UsageRow } from "./wire-administration.js";

/** GET /v1/admin/usage. `from` and `to`: `YYYY-MM`, both included. */
export function useUsage(from: string, to: string) {
  return useRead({
    queryKey: ["usage", from, to],
    queryFn: ({ signal }) =>
      request<{ usage: UsageRow[] }>("GET", "/v1/admin/usage", { query: { from, to }, signal }),
    placeholderData: (before) => before,
  });
}
