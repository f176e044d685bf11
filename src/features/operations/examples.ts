import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const PROBE_EXAMPLES: Examples = {
  getHealth: { "200": { status: "ok", service: "payinference", time: "2026-11-20T18:13:50.191Z" } },
  getReadiness: {
    "200": { status: "ready", checks: { postgres: "ok", lmdb: "ok" } },
    "503": { status: "not_ready", checks: { postgres: "unreachable", lmdb: "ok" } },
  },
};
