import { HARD_DECLINE_CODES } from "../../../domain/vocabulary/hard-decline-codes.js";
import { webhookReceiptSchema } from "../../webhooks/wire/integration-response-schema.js";
import { providerHealthListSchema } from "../../provider-health/wire.js";
import { outcomeReceiptSchema } from "../../outcomes/wire/outcome-response-schema.js";
import { merchantPricesSchema, storedContractSchema } from "../../pricing/wire/pricing-response-schema.js";
import type { Operations } from "../../../platform/wire/operation.js";
import { merchantInPath, providerInPath } from "../../../path/wire/parameters.js";
import type { RequestSchemas } from "./request-schemas.js";

/** The published table, in the document's Markdown. */
function hardDeclineTable(): string {
  const rows = HARD_DECLINE_CODES.map(
    ({ code, meaning, source, date }) => `| \`${code}\` | ${meaning} | ${source} | ${date} |`,
  );
  return ["| Code | Meaning | Source | Since |", "|---|---|---|---|", ...rows].join("\n");
}

/** What merchants and providers report, and what is known of providers. */
export function paymentOperations(schemas: RequestSchemas): Operations {
  return {
    "POST /v1/outcomes": {
      operationId: "reportOutcome",
      tag: "Outcomes",
      summary: "Report what became of a decision",
      description: [
        "Reporting again for the same decision replaces the stored outcome. The aliases declined, error and cancelled are normalized: declined is hard_declined with one of these values of provider_reason_code, else soft_declined.",
        hardDeclineTable(),
      ].join("\n\n"),
      body: schemas.outcome,
      answers: { 200: { description: "Stored; durable when this is sent.", schema: outcomeReceiptSchema } },
      refuses: {
        403: "The decision belongs to another merchant than the key's.",
        404: "The decision is unknown, or of another workspace or mode.",
        503: "The service is at its capacity, or outcomes cannot be recorded.",
      },
    },
    "GET /v1/provider-health": {
      operationId: "listProviderHealth",
      tag: "Provider health",
      summary: "Health snapshots as the workspace sees them",
      answers: { 200: { description: "One for each segment.", schema: providerHealthListSchema } },
    },
    "POST /v1/pricing/rules": {
      operationId: "uploadPricing",
      tag: "Pricing",
      summary: "Upload a pricing contract",
      description:
        "Decisions count with it from effective_from on. Of several rules the one with the most matching fields holds.",
      body: schemas.pricing,
      answers: { 200: { description: "Stored.", schema: storedContractSchema } },
      refuses: {
        403: "The key is scoped to another merchant, or merchant_id is not of the workspace.",
        409: "The merchant's contracts would hold too many rules.",
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
    "POST /v1/provider-webhooks/:providerSlug/:merchantId": {
      operationId: "receiveProviderWebhook",
      tag: "Provider webhooks",
      summary: "Take in a signed report of a provider",
      description:
        "Signed by Standard Webhooks with the merchant's secret, which names the workspace. A bad or missing signature, an unknown provider and an unknown merchant answer the same 401.",
      path: {
        providerSlug: providerInPath("A provider of the deployment."),
        merchantId: merchantInPath,
      },
      headers: {
        "webhook-id": {
          schema: { type: "string", pattern: "^[!-~]{1,255}$" },
          description: "Of the event, the same on each delivery.",
          required: true,
        },
        "webhook-timestamp": {
          schema: { type: "string", pattern: "^[0-9]{1,12}$" },
          description: "Unix seconds, within 300 of the service's clock.",
          required: true,
        },
      },
      body: schemas.webhook,
      answers: {
        200: {
          description: "Stored, stored without being known, or seen before.",
          schema: webhookReceiptSchema,
        },
      },
      refuses: {
        401: "The signature does not hold.",
        403: "The signature holds, and its workspace is suspended.",
        413: "The body is larger than a mebibyte.",
        415: "The body is not application/json.",
        503: "It cannot be verified or stored right now: deliver it again.",
      },
      rateLimit: "For each source address and route.",
      security: "webhookSignature",
    },
  };
}
