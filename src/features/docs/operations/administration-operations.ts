import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { overrideSchema } from "../../overrides/wire/override-schema.js";
import { pageSizeParameter } from "../../../platform/wire/query-schema.js";
import {
  createdMerchantSchema,
  merchantListSchema,
  workspaceResponseSchema,
} from "../../workspaces/wire/workspace-response-schema.js";
import { analyticsSummarySchema } from "../../analytics/wire.js";
import {
  integrationListSchema,
  rotatedSecretSchema,
} from "../../webhooks/wire/integration-response-schema.js";
import { idSchema } from "../../../platform/wire/scalars.js";
import { documentedWebhookSecret } from "../../webhooks/wire/webhook-secret-schema.js";
import { newMerchantSchema, workspaceChangesSchema } from "../../workspaces/wire/workspace-schema.js";
import type { Operations, Parameter } from "../../../platform/wire/operation.js";
import { cursors, modeOfSession, providerInPath, range } from "../../../path/wire/parameters.js";
import { auditLogSchema } from "../../audit/wire.js";
import { monthPattern, usageReportSchema } from "../../usage/wire.js";
import { providerOverridesSchema } from "../../overrides/wire/override-response-schema.js";
import { acknowledgedAlertSchema, alertListSchema } from "../../alerts/wire.js";
import { tenantListSchema, tenantResponseSchema } from "../../platform-admin/wire.js";

const month = (description: string): Parameter => ({
  schema: { type: "string", pattern: monthPattern },
  description,
});
const workspaceId = { id: { schema: { type: "string" }, description: "Of a workspace." } } as const;

/** What people see and set with a dashboard session. */
export const ADMINISTRATION_OPERATIONS: Operations = {
  "GET /v1/analytics/summary": {
    operationId: "getAnalyticsSummary",
    tag: "Insight",
    summary: "Totals, rates, latency percentiles and a time series",
    query: { range, mode: modeOfSession },
    answers: { 200: { description: "The figures.", schema: analyticsSummarySchema } },
  },
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
  "GET /v1/integrations": {
    operationId: "listIntegrations",
    tag: "Integrations",
    summary: "Every merchant with every provider, and whether webhooks can come in",
    answers: { 200: { description: "Never a secret.", schema: integrationListSchema } },
  },
  "PUT /v1/integrations/:provider/webhook-secret": {
    operationId: "setWebhookSecret",
    tag: "Integrations",
    summary: "Set or rotate a merchant's signing secret",
    description: "One is made where none is given. The old secret works for another 24 hours.",
    path: { provider: providerInPath("A provider of the deployment.") },
    body: documentedWebhookSecret,
    answers: { 200: { description: "Set.", schema: rotatedSecretSchema } },
    refuses: {
      403: "The workspace has no such merchant.",
      404: "Unknown provider.",
      409: "As many workspaces as can have a secret of this provider for this merchant_id.",
      503: "Secrets cannot be stored.",
    },
  },
  "GET /v1/admin/workspace": {
    operationId: "getWorkspace",
    tag: "Administration",
    summary: "The workspace and its settings",
    answers: { 200: { description: "The workspace.", schema: workspaceResponseSchema } },
    refuses: { 404: "The workspace is gone." },
  },
  "PATCH /v1/admin/workspace": {
    operationId: "updateWorkspace",
    tag: "Administration",
    summary: "Change the workspace's settings",
    description: "What is absent stays; null goes back to the deployment's default.",
    body: workspaceChangesSchema,
    answers: { 200: { description: "Changed.", schema: workspaceResponseSchema } },
    refuses: { 404: "The workspace is gone." },
  },
  "GET /v1/admin/merchants": {
    operationId: "listMerchants",
    tag: "Administration",
    summary: "The workspace's merchants",
    answers: { 200: { description: "By merchant id.", schema: merchantListSchema } },
  },
  "POST /v1/admin/merchants": {
    operationId: "registerMerchant",
    tag: "Administration",
    summary: "Register a merchant",
    body: newMerchantSchema,
    answers: { 201: { description: "Registered.", schema: createdMerchantSchema } },
    refuses: { 409: "Registered already." },
  },
  "GET /v1/admin/audit-log": {
    operationId: "listAuditLog",
    tag: "Administration",
    summary: "Who did what, newest first",
    query: {
      page_size: { schema: pageSizeParameter, description: "Entries of a page." },
      ...cursors(idSchema("aud"), "entry"),
    },
    answers: { 200: { description: "One page.", schema: auditLogSchema } },
  },
  "GET /v1/admin/usage": {
    operationId: "getUsage",
    tag: "Administration",
    summary: "Decisions by month, mode and merchant",
    description: `At most ${LIMITS.usageMonthsMax} months at once.`,
    query: {
      from: month("First month; that of `to` where it is absent."),
      to: month("Last month; the current one where it is absent."),
    },
    answers: { 200: { description: "What is billed, and shadow decisions.", schema: usageReportSchema } },
  },
  "PUT /v1/admin/provider-overrides/:provider": {
    operationId: "overrideProvider",
    tag: "Administration",
    summary: "Pin what the workspace sees of a provider, or lift a pin",
    description:
      "A drill, or taking a provider out by hand. A pin replaces those it covers; `state: null` lifts the one of the same payment_method and currency, and no narrower one. Holds within a second.",
    path: { provider: providerInPath("A provider of the deployment.") },
    body: overrideSchema,
    answers: { 200: { description: "What is pinned now.", schema: providerOverridesSchema } },
    refuses: { 404: "Unknown provider." },
  },
  "GET /v1/admin/workspaces": {
    operationId: "listWorkspaces",
    tag: "Platform",
    summary: "Every workspace",
    answers: { 200: { description: "The workspaces.", schema: tenantListSchema } },
  },
  "POST /v1/admin/workspaces/:id/suspend": {
    operationId: "suspendWorkspace",
    tag: "Platform",
    summary: "Suspend a workspace",
    description: "Every key and session of it is refused, within 60 seconds on every node. Takes no body.",
    path: workspaceId,
    answers: { 200: { description: "Suspended.", schema: tenantResponseSchema } },
    refuses: { 404: "Unknown workspace.", 409: "One's own workspace cannot be suspended." },
  },
  "POST /v1/admin/workspaces/:id/activate": {
    operationId: "activateWorkspace",
    tag: "Platform",
    summary: "Activate a workspace",
    description: "Takes no body.",
    path: workspaceId,
    answers: { 200: { description: "Active.", schema: tenantResponseSchema } },
    refuses: { 404: "Unknown workspace." },
  },
};
