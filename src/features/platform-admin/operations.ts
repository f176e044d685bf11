import { pageParameters } from "../../platform/wire/parameters.js";
import { idSchema } from "../../platform/wire/scalars.js";
import type { Operations } from "../../platform/wire/operation.js";
import { accountReleaseSchema, tenantListSchema, tenantResponseSchema } from "./wire.js";

const workspaceId = { id: { schema: { type: "string" }, description: "Of a workspace." } } as const;

export const PLATFORM_OPERATIONS: Operations = {
  "GET /v1/admin/workspaces": {
    operationId: "listWorkspaces",
    tag: "Platform",
    summary: "Every workspace",
    query: pageParameters(idSchema("ws"), "workspace", "Workspaces"),
    answers: { 200: { description: "One page, newest first.", schema: tenantListSchema } },
  },
  "POST /v1/admin/workspaces/:id/suspend": {
    operationId: "suspendWorkspace",
    tag: "Platform",
    summary: "Suspend a workspace",
    description: "Every key and session of it is refused, within 60 seconds on every node. Takes no body.",
    path: workspaceId,
    answers: { 200: { description: "Suspended.", schema: tenantResponseSchema } },
    refuses: {
      404: "Unknown workspace.",
      409: "One's own workspace cannot be suspended, nor one that moves to another cell.",
    },
  },
  "POST /v1/admin/workspaces/:id/activate": {
    operationId: "activateWorkspace",
    tag: "Platform",
    summary: "Activate a workspace",
    description: "Takes no body.",
    path: workspaceId,
    answers: { 200: { description: "Active.", schema: tenantResponseSchema } },
    refuses: { 404: "Unknown workspace.", 409: "The workspace is being erased, or moves to another cell." },
  },
  "POST /v1/admin/accounts/release": {
    operationId: "releaseAccount",
    tag: "Platform",
    summary: "Take an e-mail address from its account",
    description:
      "For an address that somebody registered who does not own it. The account's sessions end and it gets an address that nobody has; its workspaces stay.",
    body: accountReleaseSchema,
    answers: { 204: { description: "The address is free." } },
    refuses: {
      404: "Nobody has the address.",
      409: "The platform admin's own address.",
      503: "Accounts cannot be read or changed right now.",
    },
  },
};
