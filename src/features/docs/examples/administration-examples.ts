import type { Examples } from "../../../platform/wire/operation.js";

/** Recorded from the service. */
export const ADMINISTRATION_EXAMPLES: Examples = {
  getAnalyticsSummary: {
    "200": {
      range: "7d",
      mode: "live",
      since: "2026-11-13T18:13:49.882Z",
      total: 3,
      by_action: [
        { action: "route", count: 2 },
        { action: "hold", count: 1 },
      ],
      by_provider: [{ provider: "provider_1", count: 3 }],
      outcome_counts: [
        { outcome: "approved", count: 1 },
        { outcome: "soft_declined", count: 1 },
        { outcome: "blocked", count: 1 },
      ],
      with_outcome: 3,
      approved: 1,
      approval_rate: 0.3333333333333333,
      feedback_rate: 1,
      avg_latency_ms: 1.8133333333333332,
      p50_latency_ms: 1.67,
      p95_latency_ms: 3.01,
      p99_latency_ms: 3.01,
      series_interval: "day",
      series: [
        { start: "2026-11-13T00:00:00.000Z", total: 0, with_outcome: 0, approved: 0, approval_rate: null },
        { start: "2026-11-14T00:00:00.000Z", total: 0, with_outcome: 0, approved: 0, approval_rate: null },
      ],
      cost: {
        since: "2026-11-13T18:13:49.882Z",
        by_currency: [
          {
            currency: "USD",
            decision_mode: "enforce",
            decisions: 2,
            estimated_cost_minor: 358,
            saving_vs_most_expensive_minor: 121,
            first_offered_decisions: 2,
            saving_vs_first_offered_minor: 44,
          },
        ],
      },
      retries: {
        since: "2026-11-13T18:13:49.882Z",
        by_failure: [
          {
            provider: "provider_1",
            failure_class: "timeout",
            decisions: 1,
            with_outcome: 1,
            recovered: 1,
            recovery_rate: 1,
            same_provider: { with_outcome: 0, recovered: 0, recovery_rate: null },
            other_provider: { with_outcome: 1, recovered: 1, recovery_rate: 1 },
          },
        ],
      },
      generated_at: "2026-11-20T18:13:49.882Z",
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.mode", code: "invalid_enum_value", message: "Must be one of test, live" }],
    },
  },
  listAlerts: {
    "200": {
      alerts: [
        {
          alert_id: "alr_01m7x2a3e1gtym07tyf96xr7n2",
          kind: "workspace_health",
          severity: "critical",
          provider: "provider_1",
          segment_key: "provider_1:card:USD",
          reason_code: "CIRCUIT_OPEN",
          opened_at: "2026-11-20T18:08:14.773Z",
          closed_at: "2026-11-20T18:08:24.576Z",
          acknowledged_by: null,
        },
      ],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.mode", code: "invalid_enum_value", message: "Must be one of test, live" }],
    },
  },
  acknowledgeAlert: {
    "200": {
      alert: {
        alert_id: "alr_01m7x2a1fn5kydnhg3s1bs61et",
        kind: "workspace_health",
        severity: "critical",
        provider: "provider_1",
        segment_key: "provider_1:card:USD",
        reason_code: "CIRCUIT_OPEN",
        opened_at: "2026-11-20T18:08:12.783Z",
        closed_at: null,
        acknowledged_by: "usr_01m7x29yymkrtanf9p02czhjjh",
      },
    },
    "404": { statusCode: 404, message: "Alert not found", error: "Not Found" },
  },
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
    "409": {
      statusCode: 409,
      message:
        "Too many workspaces have a secret of this provider for this merchant_id; choose another merchant_id",
      error: "Conflict",
    },
    "404": { statusCode: 404, message: "Provider not found", error: "Not Found" },
  },
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
  listAuditLog: {
    "200": {
      entries: [
        {
          audit_id: "aud_01m7x2mafkh0nfwm56zv355gbt",
          actor: "usr_01m7x2m642spb3bsttt123d9bd",
          action: "provider_override.set",
          resource: "provider_3",
          metadata: { state: "unavailable", currency: "NGN", payment_method: "card" },
          created_at: "2026-11-20T18:13:49.683Z",
        },
        {
          audit_id: "aud_01m7x2mabfc4chst73wyfnx3pa",
          actor: "usr_01m7x2m642spb3bsttt123d9bd",
          action: "workspace.updated",
          resource: "ws_01m7x2m642spb3bsttt123d9be",
          metadata: { risk_block_threshold: 85, default_decision_mode: "enforce" },
          created_at: "2026-11-20T18:13:49.551Z",
        },
      ],
      has_more: true,
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.page_size", code: "too_small", message: "Must be at least 1" }],
    },
  },
  getUsage: {
    "200": {
      usage: [
        { month: "2026-11", mode: "live", merchant_id: "demo_merchant", decisions: 2, shadow_decisions: 1 },
      ],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "query.from", code: "invalid_string", message: "Expected YYYY-MM" }],
    },
  },
  overrideProvider: {
    request: { state: "unavailable", payment_method: "card", currency: "NGN" },
    "200": {
      provider: "provider_3",
      overrides: [{ state: "unavailable", score: 0, payment_method: "card", currency: "NGN" }],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "state", code: "invalid_type", message: "Required" }],
    },
    "404": { statusCode: 404, message: "Provider not found", error: "Not Found" },
  },
};
