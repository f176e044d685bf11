import { orderedCursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { merchantCursorSchema, merchantIdSchema } from "../../platform/wire/scalars.js";
import type { Operations } from "../../platform/wire/operation.js";
import { merchantInPath, providerInPath } from "../../platform/wire/parameters.js";
import {
  integrationListSchema,
  rotatedSecretSchema,
  webhookReceiptSchema,
} from "./wire/integration-response-schema.js";
import { webhookBodySchema } from "./wire/webhook-body-schema.js";
import { documentedWebhookSecret } from "./wire/webhook-secret-schema.js";

/** The operations on signing secrets and on the provider reports that they sign. */
export const WEBHOOK_OPERATIONS: Operations = {
  "GET /v1/integrations": {
    operationId: "listIntegrations",
    tag: "Integrations",
    summary: "Merchants with every provider, and whether webhooks can come in",
    query: {
      page_size: { schema: pageSizeParameter, description: "Merchants of a page, each with every provider." },
      ...orderedCursors(merchantCursorSchema, "merchant"),
      merchant_id: { schema: merchantIdSchema, description: "Only this merchant." },
    },
    answers: {
      200: { description: "One page, by merchant id. Never a secret.", schema: integrationListSchema },
    },
  },
  "PUT /v1/integrations/:provider/webhook-secret": {
    operationId: "setWebhookSecret",
    tag: "Integrations",
    summary: "Set or rotate a merchant's signing secret",
    description: "One is made where none is given. The old secret works for another 24 hours.",
    path: { provider: providerInPath("A provider of the deployment.") },
    body: documentedWebhookSecret,
    answers: { 200: { description: "Set.", schema: rotatedSecretSchema } },
    refuses: {
      403: "The workspace has no such merchant.",
      404: "Unknown provider.",
      409: "The workspace has as many secrets as it may.",
      503: "Secrets cannot be stored.",
    },
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
      "payinference-workspace": {
        schema: { type: "string", pattern: "^ws_[0-9a-z]{26}$" },
        description:
          "Whose secret it was signed with: that one alone is tried. Without it the 16 oldest workspaces of the route are.",
      },
    },
    body: webhookBodySchema,
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
      415: "The body is not application/json in UTF-8, or it has a content-encoding.",
      503: "It cannot be verified or stored right now: deliver it again.",
    },
    rateLimit: "For each source address and route.",
    security: "webhookSignature",
  },
};
