import type { PublicRoute, Route } from "../../path/front/route.js";
import { Query } from "../../platform/http/query.js";
import { retryRuleIdSchema, retryRulePageSizeParameter } from "./wire.js";

export function retryRuleRoutes(): Route[] {
  return [retryRulesRoute()];
}

const RULE_ID = new RegExp(retryRuleIdSchema.pattern);

/** GET /v1/retry-rules, RTRY-1: the table is public, because it says nothing of any tenant. */
function retryRulesRoute(): PublicRoute {
  return {
    method: "GET",
    path: "/v1/retry-rules",
    access: "public",
    query: ["page_size", "starting_after", "ending_before"],
    async handle(exchange) {
      const query = new Query(exchange.head.query);
      const size = query.integer("page_size", retryRulePageSizeParameter);
      const after = readRuleId(query, "starting_after");
      const before = readRuleId(query, "ending_before");
      if (after !== null && before !== null) {
        query.refuse("ending_before", "custom", "Must not be combined with starting_after");
      }
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      // The table is rarely asked for, so it is not loaded at start.
      const { retryRulePage } = await import("./service.js");
      exchange.send(200, JSON.stringify(retryRulePage(size, after, before)));
    },
  };
}

function readRuleId(query: Query, name: string): string | null {
  const text = query.text(name);
  if (text !== null && !RULE_ID.test(text)) query.refuse(name, "invalid_string", "Invalid format");
  return text;
}
