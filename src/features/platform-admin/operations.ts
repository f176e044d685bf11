import type { Operations } from "../../platform/wire/operation.js";
import { tenantListSchema, tenantResponseSchema } from "./wire.js";

const workspaceId = { id: { schema: { type: "string" }, description: "Of a workspace." } } as const;

/** What the deployment's administrator does. */
export const PLATFORM_OPERATIONS: Operations = {
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
