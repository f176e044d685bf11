import type { Examples } from "../../platform/wire/operation.js";

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
    "403": {
      statusCode: 403,
      message: "Registration is closed: ask for an invitation",
      error: "Forbidden",
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
};
