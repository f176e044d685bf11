import type { Route } from "../../path/front/route.js";
import { publicTableRoute } from "../../path/front/table-route.js";
import { retryRuleIdSchema, retryRulePageSizeParameter } from "./wire.js";

/** GET /v1/retry-rules, RTRY-1. */
export function retryRuleRoutes(): Route[] {
  return [
    publicTableRoute({
      path: "/v1/retry-rules",
      idPattern: retryRuleIdSchema.pattern,
      pageSize: retryRulePageSizeParameter,
      load: async (page) => (await import("./service.js")).retryRulePage(page),
    }),
  ];
}
