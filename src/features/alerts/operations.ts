import type { Operations } from "../../platform/wire/operation.js";
import { modeOfSession } from "../../platform/wire/parameters.js";
import { acknowledgedAlertSchema, alertListSchema } from "./wire.js";

export const ALERT_OPERATIONS: Operations = {
  "GET /v1/alerts": {
    operationId: "listAlerts",
    tag: "Insight",
    summary: "Provider alerts, newest first",
    query: { mode: modeOfSession },
    answers: {
      200: { description: "All that are open, and the newest that are closed.", schema: alertListSchema },
    },
  },
  "POST /v1/alerts/:alertId/acknowledge": {
    operationId: "acknowledgeAlert",
    tag: "Insight",
    summary: "Acknowledge an alert for the workspace",
    description: "Who acknowledged first stays. Takes no body.",
    path: { alertId: { schema: { type: "string" }, description: "Of an alert." } },
    answers: { 200: { description: "Acknowledged.", schema: acknowledgedAlertSchema } },
    refuses: { 404: "The workspace sees no such alert." },
  },
};
