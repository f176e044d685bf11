import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const AUDIT_EXAMPLES: Examples = {
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
};
