import type { Operations } from "../../platform/wire/operation.js";
import { retryRuleIdSchema, retryRuleListSchema, retryRulePageSizeParameter } from "./wire.js";

export const RETRY_RULE_OPERATIONS: Operations = {
  "GET /v1/retry-rules": {
    operationId: "listRetryRules",
    tag: "Policies",
    summary: "The card schemes' rules on retries, with their sources",
    description:
      "What a scheme says about another attempt after a decline: whether, how long after, and how many. The order of the table stays.",
    query: {
      page_size: { schema: retryRulePageSizeParameter, description: "Rows of a page." },
      starting_after: {
        schema: retryRuleIdSchema,
        description: "Rows after that one. A well-formed id that is unknown answers an empty page.",
      },
      ending_before: {
        schema: retryRuleIdSchema,
        description: "The adjacent rows before that one; not together with starting_after.",
      },
    },
    answers: { 200: { description: "One page.", schema: retryRuleListSchema } },
  },
};
