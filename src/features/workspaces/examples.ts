import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const WORKSPACE_EXAMPLES: Examples = {
  getWorkspace: {
    "200": {
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
    },
    "404": { statusCode: 404, message: "Workspace not found", error: "Not Found" },
  },
  updateWorkspace: {
    request: { default_decision_mode: "enforce", risk_block_threshold: 85 },
    "200": {
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: "enforce",
        risk_block_threshold: 85,
        risk_block_threshold_source: "workspace",
        created_at: "2026-11-20T18:13:45.217Z",
      },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "risk_block_threshold", code: "too_big", message: "Must be at most 100" }],
    },
    "404": { statusCode: 404, message: "Workspace not found", error: "Not Found" },
  },
  listMerchants: {
    "200": {
      merchants: [
        { merchant_id: "second_merchant", name: "Kenya", created_at: "2026-11-20T18:13:49.415Z" },
        { merchant_id: "demo_merchant", name: null, created_at: "2026-11-20T18:13:45.217Z" },
      ],
    },
  },
  registerMerchant: {
    request: { merchant_id: "second_merchant", name: "Kenya" },
    "201": {
      merchant: { merchant_id: "second_merchant", name: "Kenya", created_at: "2026-11-20T18:13:49.415Z" },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "merchant_id", code: "too_small", message: "Must hold at least 1 character(s)" }],
    },
    "409": { statusCode: 409, message: "Merchant is already registered", error: "Conflict" },
  },
};
