import type { RetryRuleList } from "../../client/wire-types.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";

/** GET /v1/retry-rules: the whole table. It changes only with the service's version. */
export function useRetryRules() {
  return useRead({
    queryKey: ["retry-rules"],
    queryFn: ({ signal }) => request<RetryRuleList>("GET", "/v1/retry-rules", { signal }),
    staleTime: Infinity,
  });
}
