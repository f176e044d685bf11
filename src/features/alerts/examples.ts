import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const ALERT_EXAMPLES: Examples = {
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
        {
          alert_id: "alr_01m7x29zzn6w3y5m2d8k4q7r1t",
          kind: "set_aside",
          severity: "critical",
          provider: null,
          segment_key: null,
          reason_code: "RECORDS_SET_ASIDE",
          opened_at: "2026-11-20T18:07:58.101Z",
          closed_at: null,
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
};
