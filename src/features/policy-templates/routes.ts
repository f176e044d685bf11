import type { Route } from "../../path/front/route.js";
import { publicTableRoute } from "../../path/front/table-route.js";
import { policyTemplateIdSchema, policyTemplatePageSizeParameter } from "./wire.js";

/** GET /v1/policy-templates, POL-24. `providers` are the deployment's. The API's document is given the same ones. */
export function policyTemplateRoutes({ providers }: { providers: readonly string[] }): Route[] {
  return [
    publicTableRoute({
      path: "/v1/policy-templates",
      idPattern: policyTemplateIdSchema.pattern,
      pageSize: policyTemplatePageSizeParameter,
      load: async (page) => (await import("./service.js")).policyTemplatePage(providers, page),
    }),
  ];
}
