import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const PRICING_EXAMPLES: Examples = {
  uploadPricing: {
    request: {
      merchant_id: "demo_merchant",
      contract_name: "Contract 2026",
      effective_from: "2026-01-01T00:00:00Z",
      rules: [
        {
          provider: "provider_1",
          payment_method: "card",
          currency: "USD",
          percentage_bps: 290,
          fixed_minor: 30,
        },
        {
          provider: "provider_2",
          payment_method: "card",
          card_network: "visa",
          currency: "USD",
          percentage_bps: 250,
          fixed_minor: 25,
          tiers: [{ amount_gte: 1000000, percentage_bps: 200, fixed_minor: 25 }],
        },
      ],
    },
    "200": {
      contract_id: "prc_01m7x2m7hy8sba5z7cf2dvhxhm",
      merchant_id: "demo_merchant",
      rules_stored: 2,
      effective_from: "2026-01-01T00:00:00.000Z",
      effective_to: null,
      warnings: [],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "rules", code: "too_small", message: "Must hold at least 1 item(s)" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
    "409": {
      statusCode: 409,
      message: "A merchant's contracts in effect or to come hold at most 20000 rules; upload with replace",
      error: "Conflict",
    },
  },
  listPricing: {
    "200": {
      merchant_id: "demo_merchant",
      contracts: [
        {
          contract_id: "prc_01m7x2m7hy8sba5z7cf2dvhxhm",
          contract_name: "Contract 2026",
          version: "v1",
          status: "active",
          effective_from: "2026-01-01T00:00:00.000Z",
          effective_to: null,
          replace: false,
          rules_stored: 2,
          created_at: "2026-11-20T18:13:46.687Z",
          rules: [
            {
              provider: "provider_1",
              payment_method: "card",
              currency: "USD",
              percentage_bps: 290,
              fixed_minor: 30,
            },
            {
              provider: "provider_2",
              payment_method: "card",
              card_network: "visa",
              currency: "USD",
              percentage_bps: 250,
              fixed_minor: 25,
              tiers: [{ amount_gte: 1000000, percentage_bps: 200, fixed_minor: 25 }],
            },
          ],
        },
      ],
      observed: [],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
  },
};
