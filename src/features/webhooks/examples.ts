import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const WEBHOOK_EXAMPLES: Examples = {
  listIntegrations: {
    "200": {
      integrations: [
        {
          provider: "provider_1",
          merchant_id: "demo_merchant",
          webhook_path: "/v1/provider-webhooks/provider_1/demo_merchant",
          has_secret: true,
          rotated_at: "2026-11-20T18:13:48.623Z",
          last_event_at: "2026-11-20T18:13:48.679Z",
        },
        {
          provider: "provider_2",
          merchant_id: "demo_merchant",
          webhook_path: "/v1/provider-webhooks/provider_2/demo_merchant",
          has_secret: false,
          rotated_at: null,
          last_event_at: null,
        },
      ],
    },
  },
  setWebhookSecret: {
    request: { merchant_id: "demo_merchant" },
    "200": {
      provider: "provider_1",
      merchant_id: "demo_merchant",
      secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
      rotated_at: "2026-11-20T18:13:48.623Z",
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "merchant_id", code: "invalid_type", message: "Required" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
    "404": { statusCode: 404, message: "Provider not found", error: "Not Found" },
    "409": { statusCode: 409, message: "Limit of 10000 webhook secrets reached", error: "Conflict" },
  },
  receiveProviderWebhook: {
    request: {
      type: "payment.fee_assessed",
      created_at: "2026-11-20T18:13:48.670Z",
      data: {
        decision_id: "dec_01m7x2m7w5a2p8s96zpbd216by",
        payment_method: "card",
        card_network: "visa",
        currency: "USD",
        amount: 129900,
        fee_minor: 3797,
      },
    },
    "200": { status: "accepted" },
    "400": {
      error: "validation_error",
      issues: [
        { path: "data.currency", code: "invalid_type", message: "Required" },
        { path: "data.amount", code: "invalid_type", message: "Required" },
        { path: "data.fee_minor", code: "invalid_type", message: "Required" },
      ],
    },
    "403": { statusCode: 403, message: "Tenant is not active", error: "Forbidden" },
    "401": { statusCode: 401, message: "Invalid webhook signature", error: "Unauthorized" },
  },
};
