import type { Operations } from "../../platform/wire/operation.js";
import { orderedCursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { merchantCursorSchema } from "../../platform/wire/scalars.js";
import {
  createdMerchantSchema,
  merchantListSchema,
  workspaceResponseSchema,
} from "./wire/workspace-response-schema.js";
import { newMerchantSchema, workspaceChangesSchema } from "./wire/workspace-schema.js";

export const WORKSPACE_OPERATIONS: Operations = {
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
    refuses: {
      404: "The workspace is gone.",
      409: "One-time codes are to be required by somebody who has none.",
    },
  },
  "GET /v1/admin/merchants": {
    operationId: "listMerchants",
    tag: "Administration",
    summary: "The workspace's merchants",
    query: {
      page_size: { schema: pageSizeParameter, description: "Merchants of a page." },
      ...orderedCursors(merchantCursorSchema, "merchant"),
    },
    answers: { 200: { description: "One page, by merchant id.", schema: merchantListSchema } },
  },
  "POST /v1/admin/merchants": {
    operationId: "registerMerchant",
    tag: "Administration",
    summary: "Register a merchant",
    body: newMerchantSchema,
    answers: { 201: { description: "Registered.", schema: createdMerchantSchema } },
    refuses: { 409: "Registered already, erased, or the workspace has as many merchants as it may." },
  },
};
