import type { Operations } from "../../platform/wire/operation.js";
import { policyTemplateIdSchema, policyTemplateListSchema, policyTemplatePageSizeParameter } from "./wire.js";

export const POLICY_TEMPLATE_OPERATIONS: Operations = {
  "GET /v1/policy-templates": {
    operationId: "listPolicyTemplates",
    tag: "Policies",
    summary: "Policies to begin with",
    description:
      "Each has a name, its sentence, rules that are valid as they are, and the values to choose before it is published. The order stays.",
    query: {
      page_size: { schema: policyTemplatePageSizeParameter, description: "Rows of a page." },
      starting_after: {
        schema: policyTemplateIdSchema,
        description: "Rows after that one. A well-formed id that is unknown answers an empty page.",
      },
      ending_before: {
        schema: policyTemplateIdSchema,
        description: "The adjacent rows before that one; not together with starting_after.",
      },
    },
    answers: { 200: { description: "One page.", schema: policyTemplateListSchema } },
  },
};
