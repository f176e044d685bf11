import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { decisionRequestSchema } from "../../path/wire/decision-schema.js";
import { documentedOutcomeReport } from "../outcomes/wire/outcome-schema.js";
import { policyBodySchemas, type PolicyBodySchemas } from "../policies/wire/policy-body-schemas.js";
import { documentedPricingBody } from "../pricing/wire/documented-pricing-body.js";

/** The bodies whose schemas depend on the deployment's providers. */
export interface RequestSchemas extends PolicyBodySchemas {
  decision: JsonSchema;
  outcome: JsonSchema;
  pricing: JsonSchema;
}

/**
 * Call it once and give the result to both operations and component names. The document recognises a schema by its
 * identity.
 */
export function requestSchemas(providers: readonly string[]): RequestSchemas {
  return {
    ...policyBodySchemas(providers),
    decision: decisionRequestSchema(providers),
    outcome: documentedOutcomeReport(providers),
    pricing: documentedPricingBody(providers),
  };
}
