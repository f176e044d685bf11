import type { Examples } from "../../platform/wire/operation.js";

export const SET_ASIDE_EXAMPLES: Examples = {
  listSetAside: {
    "200": {
      records: [
        {
          set_aside_id: "sas_01m7x2mafkh0nfwm56zv355gbt",
          kind: "kept_outcome",
          workspace_id: "ws_01jd6vy2gvfgprwftabdp7v3mz",
          mode: "test",
          decision_id: "dec_01jd6w131afcf9tfttddy8v7gf",
          statement: "apply_outcomes",
          sql_state: "23514",
          message: 'new row for relation "outcomes" violates check constraint "outsider"',
          node_id: null,
          position: null,
          set_aside_at: "2026-11-20T18:13:49.683Z",
        },
        {
          set_aside_id: "sas_01m7x2mabfc4chst73wyfnx3pa",
          kind: "decision",
          workspace_id: "ws_01jd6vy2gvfgprwftabdp7v3mz",
          mode: "test",
          decision_id: "dec_01jd6w131afcf9tfttddy8v7gf",
          statement: "decisions_2026_11",
          sql_state: "23514",
          message: 'new row for relation "decisions_2026_11" violates check constraint "outsider"',
          node_id: "node_01m7x2m3h7",
          position: 42,
          set_aside_at: "2026-11-20T18:13:49.551Z",
        },
      ],
      has_more: false,
    },
    "400": {
      error: "validation_error",
      issues: [
        {
          path: "query.page_size",
          code: "too_small",
          message: "Must be at least 1",
        },
      ],
    },
  },
  getSetAside: {
    "200": {
      record: {
        set_aside_id: "sas_01m7x2mafkh0nfwm56zv355gbt",
        kind: "kept_outcome",
        workspace_id: "ws_01jd6vy2gvfgprwftabdp7v3mz",
        mode: "test",
        decision_id: "dec_01jd6w131afcf9tfttddy8v7gf",
        statement: "apply_outcomes",
        sql_state: "23514",
        message: 'new row for relation "outcomes" violates check constraint "outsider"',
        node_id: null,
        position: null,
        set_aside_at: "2026-11-20T18:13:49.683Z",
        order_id: "order_1",
        entry_base64:
          "eyJtb2RlIjogMCwgIm91dGNvbWUiOiAwLCAiY3VycmVuY3kiOiAiVVNEIiwgIm9yZGVyX2lkIjogIm9yZGVyXzEiLCAicG9zaXRpb24iOiAwLCAiZGVjaXNpb25faWQiOiAiMDE5MzRkYzAtOGMyYS03YjFlLTlkM2YtNWE2YjdjOGQ5ZTBmIiwgIndvcmtzcGFjZV9pZCI6ICIwMTkzNGRiZi0wYTFiLTdjMmQtOGUzZi00YTViNmM3ZDhlOWYiLCAiYW1vdW50X21pbm9yIjogMTI5OTAwLCAiY3JlYXRlZF9hdF9tcyI6IG51bGwsICJwcm92aWRlcl91c2VkIjogInByb3ZpZGVyXzEiLCAibWVyY2hhbnRfc2NvcGUiOiBudWxsLCAicmVwb3J0ZWRfYXRfbXMiOiAxNzk1MTk3NjAwMDAwLCAicHJvdmlkZXJfbGF0ZW5jeV9tcyI6IDMyMSwgInByb3ZpZGVyX3JlYXNvbl9jb2RlIjogbnVsbCwgInRlY2huaWNhbF9mYWlsdXJlX3R5cGUiOiBudWxsfQ==",
        entry: {
          outcomes: [
            {
              mode: 0,
              outcome: 0,
              currency: "USD",
              order_id: "order_1",
              position: 0,
              decision_id: "01934dc0-8c2a-7b1e-9d3f-5a6b7c8d9e0f",
              workspace_id: "01934dbf-0a1b-7c2d-8e3f-4a5b6c7d8e9f",
              amount_minor: 129900,
              created_at_ms: null,
              provider_used: "provider_1",
              merchant_scope: null,
              reported_at_ms: 1795197600000,
              provider_latency_ms: 321,
              provider_reason_code: null,
              technical_failure_type: null,
            },
          ],
        },
      },
    },
    "404": {
      statusCode: 404,
      message: "Record not found",
      error: "Not Found",
    },
  },
  retrySetAside: {
    "200": {
      record: {
        set_aside_id: "sas_01m7x2mafkh0nfwm56zv355gbt",
        kind: "kept_outcome",
        workspace_id: "ws_01jd6vy2gvfgprwftabdp7v3mz",
        mode: "test",
        decision_id: "dec_01jd6w131afcf9tfttddy8v7gf",
        statement: "apply_outcomes",
        sql_state: "23514",
        message: 'new row for relation "outcomes" violates check constraint "outsider"',
        node_id: null,
        position: null,
        set_aside_at: "2026-11-20T18:13:49.683Z",
      },
    },
    "404": {
      statusCode: 404,
      message: "Record not found",
      error: "Not Found",
    },
    "409": {
      statusCode: 409,
      message: "PostgreSQL still refuses the record: SQLSTATE 23514",
      error: "Conflict",
    },
  },
  discardSetAside: {
    request: {
      reason: "The customer was paid back by hand",
    },
    "400": {
      error: "validation_error",
      issues: [
        {
          path: "reason",
          code: "invalid_type",
          message: "Required",
        },
      ],
    },
    "404": {
      statusCode: 404,
      message: "Record not found",
      error: "Not Found",
    },
  },
};
