import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { erasureListSchema, erasureResponseSchema } from "./wire/erasure-response-schema.js";
import { newErasureSchema } from "./wire/erasure-schema.js";

export const ERASURE_OPERATIONS: Operations = {
  "GET /v1/admin/erasures": {
    operationId: "listErasures",
    tag: "Platform",
    summary: "Every erasure that was asked for",
    query: {
      page_size: { schema: pageSizeParameter, description: "Erasures of a page." },
      ...cursors(idSchema("ers"), "erasure"),
    },
    answers: { 200: { description: "One page, newest first.", schema: erasureListSchema } },
  },
  "POST /v1/admin/erasures": {
    operationId: "createErasure",
    tag: "Platform",
    summary: "Erase a workspace, or a merchant of one, for good",
    description:
      "The rows leave in the background, from the archive too. A merchant is unknown at once. Nothing brings it back, and its id cannot be used again. Asking a second time answers the first erasure.",
    body: newErasureSchema,
    answers: { 202: { description: "It waits for its turn.", schema: erasureResponseSchema } },
    refuses: {
      404: "Unknown workspace or merchant.",
      409: "The workspace is not suspended, or it moves to another cell.",
    },
  },
  "GET /v1/admin/erasures/:id": {
    operationId: "getErasure",
    tag: "Platform",
    summary: "How far an erasure is",
    path: { id: { schema: { type: "string" }, description: "Of an erasure." } },
    answers: { 200: { description: "The erasure.", schema: erasureResponseSchema } },
    refuses: { 404: "Unknown erasure." },
  },
};
