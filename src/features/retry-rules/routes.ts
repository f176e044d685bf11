import type { PublicRoute, Route } from "../../path/front/route.js";
import { Query } from "../../platform/http/query.js";
import { readTablePage, TABLE_PAGE_PARAMETERS } from "../../platform/http/table-page.js";
import { retryRuleIdSchema, retryRulePageSizeParameter } from "./wire.js";

export function retryRuleRoutes(): Route[] {
  return [retryRulesRoute()];
}

const RULE_ID = new RegExp(retryRuleIdSchema.pattern);

/** GET /v1/retry-rules, RTRY-1: the table is public, because it contains nothing about a tenant. */
function retryRulesRoute(): PublicRoute {
  return {
    method: "GET",
    path: "/v1/retry-rules",
    access: "public",
    query: TABLE_PAGE_PARAMETERS,
    async handle(exchange) {
      const query = new Query(exchange.head.query);
      const page = readTablePage(query, RULE_ID, retryRulePageSizeParameter);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      // The table is rarely requested, so it is not loaded at start.
      const { retryRulePage } = await import("./service.js");
      exchange.send(200, JSON.stringify(retryRulePage(page)));
    },
  };
}
