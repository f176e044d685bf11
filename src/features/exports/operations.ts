import { plainErrorSchema } from "../../platform/wire/error-schema.js";
import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { CONTENT_TYPES } from "./file/send-export.js";
import { exportListSchema, exportResponseSchema } from "./wire/export-response-schema.js";
import { newExportSchema } from "./wire/export-schema.js";

const exportInPath = { id: { schema: { type: "string" }, description: "Of an export." } } as const;
const UNKNOWN = "Unknown, of another workspace, or of what the role may not list.";

const FILE_HEADERS = {
  etag: { schema: { type: "string" }, description: "The file's SHA-256. The file never changes." },
  "accept-ranges": { schema: { type: "string" }, description: "bytes: one range of bytes can be asked for." },
  "content-disposition": { schema: { type: "string" }, description: "A name to save the file by." },
} as const;
const CONTENT_RANGE = { schema: { type: "string" }, description: "Which bytes of how many." } as const;
const FILE = {
  contentType: Object.values(CONTENT_TYPES),
  schema: { description: "The file's bytes. Of NDJSON each line is a row of the list." },
} as const;

export const EXPORT_OPERATIONS: Operations = {
  "GET /v1/exports": {
    operationId: "listExports",
    tag: "Exports",
    summary: "The workspace's exports",
    description: "Those of what the role may list. An export is listed for 30 days.",
    query: {
      page_size: { schema: pageSizeParameter, description: "Exports of a page." },
      ...cursors(idSchema("xpt"), "export"),
    },
    answers: { 200: { description: "One page, newest first.", schema: exportListSchema } },
  },
  "POST /v1/exports": {
    operationId: "createExport",
    tag: "Exports",
    summary: "Have the log, the audit log or usage written to a file",
    description:
      "The file is made in the background, exact and in one snapshot, and kept for 7 days. The event export.ready tells when it is done.",
    body: newExportSchema,
    answers: { 202: { description: "It waits for its turn.", schema: exportResponseSchema } },
    refuses: {
      403: "Owner and admin alone export the audit log and usage.",
      409: "The workspace has as many exports as it can.",
    },
  },
  "GET /v1/exports/:id": {
    operationId: "getExport",
    tag: "Exports",
    summary: "How far an export is",
    path: exportInPath,
    answers: { 200: { description: "The export.", schema: exportResponseSchema } },
    refuses: { 404: UNKNOWN },
  },
  "DELETE /v1/exports/:id": {
    operationId: "deleteExport",
    tag: "Exports",
    summary: "Delete an export with its file, or stop it",
    path: exportInPath,
    answers: { 204: { description: "Deleted." } },
    refuses: { 404: UNKNOWN },
  },
  "GET /v1/exports/:id/file": {
    operationId: "downloadExport",
    tag: "Exports",
    summary: "An export's file",
    description: "A download that broke off resumes with Range, and with If-Range where the ETag is known.",
    path: exportInPath,
    headers: {
      range: { schema: { type: "string" }, description: "One range of bytes, as bytes=1000-." },
      "if-range": { schema: { type: "string" }, description: "The ETag that the range is of." },
      "if-none-match": {
        schema: { type: "string" },
        description: "The ETag of a file that is here already.",
      },
    },
    answers: {
      200: { description: "The whole file.", headers: FILE_HEADERS, ...FILE },
      206: {
        description: "The bytes that Range names.",
        headers: { ...FILE_HEADERS, "content-range": CONTENT_RANGE },
        ...FILE,
      },
      416: {
        description: "The range begins past the end of the file.",
        schema: plainErrorSchema,
        headers: { "content-range": CONTENT_RANGE },
      },
      304: { description: "The file is the one that If-None-Match names.", headers: FILE_HEADERS },
    },
    refuses: {
      404: UNKNOWN,
      409: "It is not finished, failed, or expired.",
    },
  },
};
