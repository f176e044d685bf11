import type { JsonSchema } from "../../platform/wire/body-validator.js";
import type { Operations } from "../../platform/wire/operation.js";
import { merchantInPath } from "../../platform/wire/parameters.js";
import { merchantPricesSchema, storedContractSchema } from "./wire/pricing-response-schema.js";

/** The operations on providers' prices. `contract` is the request body that this deployment accepts. */
export function pricingOperations(contract: JsonSchema): Operations {
  return {
    "POST /v1/pricing/rules": {
      operationId: "uploadPricing",
      tag: "Pricing",
      summary: "Upload a pricing contract",
      description:
        "Decisions count with it from effective_from on. Of several rules the one with the most matching fields holds.",
      body: contract,
      answers: { 200: { description: "Stored.", schema: storedContractSchema } },
      refuses: {
        403: "The key is scoped to another merchant, or merchant_id is not of the workspace.",
        409: "The merchant's contracts would hold too many rules, or it has as many contracts as it may.",
      },
    },
    "GET /v1/pricing/rules/:merchantId": {
      operationId: "listPricing",
      tag: "Pricing",
      summary: "A merchant's contracts and observed prices",
      path: { merchantId: merchantInPath },
      answers: { 200: { description: "What is in effect and to come.", schema: merchantPricesSchema } },
      refuses: { 403: "The key is scoped to another merchant, or the workspace has no such merchant." },
    },
  };
}
