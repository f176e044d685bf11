import type { Operations } from "../../platform/wire/operation.js";

/** The operation that serves the document itself. */
export const DOCS_OPERATIONS: Operations = {
  "GET /openapi.json": {
    operationId: "getOpenApi",
    tag: "Operations",
    summary: "This document",
    headers: {
      "If-None-Match": { schema: { type: "string" }, description: "The etag of a copy at hand." },
    },
    answers: {
      200: {
        description: "OpenAPI 3.1.",
        schema: {
          type: "object",
          required: ["openapi", "info", "paths"],
          properties: { openapi: { const: "3.1.1" }, info: { type: "object" }, paths: { type: "object" } },
        },
        headers: { etag: { schema: { type: "string" }, description: "Of its bytes." } },
      },
      304: {
        description: "The copy is the same.",
        headers: { etag: { schema: { type: "string" }, description: "Of its bytes." } },
      },
    },
    refuses: { 503: "Too many ask for it at once." },
  },
};
