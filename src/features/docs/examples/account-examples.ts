import type { Examples } from "../../../platform/wire/operation.js";

/** Recorded from the service. */
export const ACCOUNT_EXAMPLES: Examples = {
  register: {
    request: {
      email: "owner@example.com",
      password: "correct horse battery",
      name: "Ada",
      workspace_name: "Shop",
      merchant_id: "demo_merchant",
    },
    "201": {
      user: { user_id: "usr_01m7x2m642spb3bsttt123d9bd", email: "owner@example.com", name: "Ada" },
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
      session: { token: "ses_example_of_a_token", expires_at: "2026-11-27T18:13:45.224Z" },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "password", code: "too_small", message: "Must hold at least 12 character(s)" }],
    },
    "409": { statusCode: 409, message: "This e-mail address cannot be registered", error: "Conflict" },
  },
  login: {
    request: { email: "owner@example.com", password: "correct horse battery" },
    "200": {
      user: { user_id: "usr_01m7x2m642spb3bsttt123d9bd", email: "owner@example.com", name: "Ada" },
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
      session: { token: "ses_example_of_a_token", expires_at: "2026-11-27T18:13:45.691Z" },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "password", code: "invalid_type", message: "Required" }],
    },
    "401": { statusCode: 401, message: "Invalid e-mail address or password", error: "Unauthorized" },
    "403": { statusCode: 403, message: "You are not a member of this workspace", error: "Forbidden" },
  },
  acceptInvitation: {
    request: { token: "example_of_a_token", name: "Grace", password: "correct horse battery" },
    "201": {
      user: { user_id: "usr_01m7x2m9xsajnn9n8hzecs9ha4", email: "grace@example.com", name: "Grace" },
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
      session: { token: "ses_example_of_a_token", expires_at: "2026-11-27T18:13:49.157Z" },
    },
    "400": {
      error: "validation_error",
      issues: [
        { path: "name", code: "invalid_type", message: "Required" },
        { path: "password", code: "invalid_type", message: "Required" },
      ],
    },
    "401": { statusCode: 401, message: "Invalid e-mail address or password", error: "Unauthorized" },
    "404": { statusCode: 404, message: "Invitation not found", error: "Not Found" },
    "409": { statusCode: 409, message: "You are a member of this workspace already", error: "Conflict" },
  },
  getAccount: {
    "200": {
      user: { user_id: "usr_01m7x2m642spb3bsttt123d9bd", email: "owner@example.com", name: "Ada" },
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
      role: "owner",
    },
  },
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
    "409": { statusCode: 409, message: "A workspace has at most 1000 keys", error: "Conflict" },
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
