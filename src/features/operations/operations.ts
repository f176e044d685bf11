import type { Operations } from "../../platform/wire/operation.js";
import { livenessSchema, notReadySchema, readySchema } from "./wire.js";

export const PROBE_OPERATIONS: Operations = {
  "GET /health": {
    operationId: "getHealth",
    tag: "Operations",
    summary: "Liveness",
    answers: { 200: { description: "The process answers.", schema: livenessSchema } },
  },
  "GET /ready": {
    operationId: "getReadiness",
    tag: "Operations",
    summary: "Readiness, with the state of each dependency",
    answers: {
      200: { description: "Takes traffic.", schema: readySchema },
      503: { description: "A dependency is unreachable, or the node is stopping.", schema: notReadySchema },
    },
  },
  "GET /metrics": {
    operationId: "getMetrics",
    tag: "Operations",
    summary: "Prometheus metrics",
    answers: {
      200: {
        description: "The text exposition.",
        schema: { type: "string" },
        contentType: "text/plain; version=0.0.4; charset=utf-8",
      },
    },
    server: {
      url: "http://127.0.0.1:9464",
      description: "A listener of its own: METRICS_HOST and METRICS_PORT.",
    },
  },
};
