import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { savedViewListSchema, savedViewResponseSchema } from "./wire/saved-view-response-schema.js";
import { newSavedViewSchema, savedViewChangesSchema, viewedPageParameter } from "./wire/saved-view-schema.js";

const viewInPath = { id: { schema: { type: "string" }, description: "Of a saved view." } } as const;
const UNKNOWN = "Unknown, of another workspace, or a colleague's own.";
const NOT_THEIRS = "A shared one is changed by its owner, and by owner and admin of the workspace.";

export const SAVED_VIEW_OPERATIONS: Operations = {
  "GET /v1/saved-views": {
    operationId: "listSavedViews",
    tag: "Insight",
    summary: "The person's own views, and those shared with the workspace",
    query: {
      page_size: { schema: pageSizeParameter, description: "Views of a page." },
      page: { schema: viewedPageParameter, description: "Only those of that page of the dashboard." },
      ...cursors(idSchema("svw"), "view"),
    },
    answers: { 200: { description: "One page, newest first.", schema: savedViewListSchema } },
  },
  "POST /v1/saved-views": {
    operationId: "createSavedView",
    tag: "Insight",
    summary: "Keep a page's filters by a name",
    body: newSavedViewSchema,
    answers: { 201: { description: "The view.", schema: savedViewResponseSchema } },
    refuses: { 409: "The person has as many views as they can." },
  },
  "PATCH /v1/saved-views/:id": {
    operationId: "updateSavedView",
    tag: "Insight",
    summary: "Rename, change, share or no longer share a view",
    path: viewInPath,
    body: savedViewChangesSchema,
    answers: { 200: { description: "The view.", schema: savedViewResponseSchema } },
    refuses: { 403: NOT_THEIRS, 404: UNKNOWN },
  },
  "DELETE /v1/saved-views/:id": {
    operationId: "deleteSavedView",
    tag: "Insight",
    summary: "Delete a view",
    path: viewInPath,
    answers: { 204: { description: "Deleted." } },
    refuses: { 403: NOT_THEIRS, 404: UNKNOWN },
  },
};
