import type { PublicRoute, Route } from "../../path/front/route.js";
import { Query } from "../../platform/http/query.js";
import { readTablePage, TABLE_PAGE_PARAMETERS } from "../../platform/http/table-page.js";
import { policyTemplateIdSchema, policyTemplatePageSizeParameter } from "./wire.js";

/** `providers` are the deployment's. */
export function policyTemplateRoutes({ providers }: { providers: readonly string[] }): Route[] {
  return [policyTemplatesRoute(providers)];
}

const TEMPLATE_ID = new RegExp(policyTemplateIdSchema.pattern);

/**
 * GET /v1/policy-templates, POL-24. It is public, because it contains nothing about a tenant, and the API's document
 * names the providers.
 */
function policyTemplatesRoute(providers: readonly string[]): PublicRoute {
  return {
    method: "GET",
    path: "/v1/policy-templates",
    access: "public",
    query: TABLE_PAGE_PARAMETERS,
    async handle(exchange) {
      const query = new Query(exchange.head.query);
      const page = readTablePage(query, TEMPLATE_ID, policyTemplatePageSizeParameter);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      // Templates are rarely requested, so they are not loaded at start.
      const { policyTemplatePage } = await import("./service.js");
      exchange.send(200, JSON.stringify(policyTemplatePage(providers, page)));
    },
  };
}
