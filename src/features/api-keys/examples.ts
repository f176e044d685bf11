import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const API_KEY_EXAMPLES: Examples = {
  listApiKeys: {
    "200": {
      api_keys: [
        {
          id: "key_01m7x2m6qpfz4z4vj1w58zm0jn",
          name: "Checkout",
          mode: "live",
          prefix: "pi_live_69c132f88b6147c8",
          scopes: ["decision:write", "outcome:write", "health:read", "policy:read", "policy:write"],
          merchant_id: "demo_merchant",
          expires_at: null,
          created_at: "2026-11-20T18:13:45.846Z",
          last_used_at: "2026-11-20T18:13:46.102Z",
          revoked_at: null,
        },
        {
          id: "key_01m7x2m6vaeyygpsptkp79ajwe",
          name: "Old",
          mode: "test",
          prefix: "pi_test_f9ce8ff928814c7a",
          scopes: ["health:read"],
          merchant_id: null,
          expires_at: null,
          created_at: "2026-11-20T18:13:45.976Z",
          last_used_at: null,
          revoked_at: "2026-11-20T18:13:46.032Z",
        },
      ],
    },
  },
  createApiKey: {
    request: {
      name: "Checkout",
      mode: "live",
      scopes: ["decision:write", "outcome:write", "health:read", "policy:read", "policy:write"],
      merchant_id: "demo_merchant",
    },
    "201": {
      api_key: {
        id: "key_01m7x2m6qpfz4z4vj1w58zm0jn",
        name: "Checkout",
        mode: "live",
        prefix: "pi_live_69c132f88b6147c8",
        scopes: ["decision:write", "outcome:write", "health:read", "policy:read", "policy:write"],
        merchant_id: "demo_merchant",
        expires_at: null,
        created_at: "2026-11-20T18:13:45.846Z",
        last_used_at: null,
        revoked_at: null,
      },
      secret: "pi_live_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "scopes", code: "too_small", message: "Must hold at least 1 item(s)" }],
    },
    "409": { statusCode: 409, message: "Limit of 1000 API keys reached", error: "Conflict" },
  },
  revokeApiKey: {
    "200": {
      api_key: {
        id: "key_01m7x2m6vaeyygpsptkp79ajwe",
        name: "Old",
        mode: "test",
        prefix: "pi_test_f9ce8ff928814c7a",
        scopes: ["health:read"],
        merchant_id: null,
        expires_at: null,
        created_at: "2026-11-20T18:13:45.976Z",
        last_used_at: null,
        revoked_at: "2026-11-20T18:13:46.032Z",
      },
    },
    "404": { statusCode: 404, message: "API key not found", error: "Not Found" },
  },
};
