import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { discardSchema } from "./wire/discard-schema.js";
import {
  setAsideDetailSchema,
  setAsideListSchema,
  storedRecordSchema,
} from "./wire/record-response-schema.js";

const recordId = { id: { schema: { type: "string" }, description: "Of a record set aside." } } as const;
const UNKNOWN = "No such record waits.";

/** The operations on records that were acknowledged but that PostgreSQL refused. */
export const SET_ASIDE_OPERATIONS: Operations = {
  "GET /v1/admin/set-aside": {
    operationId: "listSetAside",
    tag: "Platform",
    summary: "Records that PostgreSQL refused, newest first",
    query: {
      page_size: { schema: pageSizeParameter, description: "Records of a page." },
      ...cursors(idSchema("sas"), "record"),
    },
    answers: { 200: { description: "One page.", schema: setAsideListSchema } },
  },
  "GET /v1/admin/set-aside/:id": {
    operationId: "getSetAside",
    tag: "Platform",
    summary: "A record that PostgreSQL refused, with all it holds",
    path: recordId,
    answers: { 200: { description: "The record.", schema: setAsideDetailSchema } },
    refuses: { 404: UNKNOWN },
  },
  "POST /v1/admin/set-aside/:id/retry": {
    operationId: "retrySetAside",
    tag: "Platform",
    summary: "Try to store a record again",
    description: "As the journal's writer does. Takes no body.",
    path: recordId,
    answers: { 200: { description: "It is stored, and waits no more.", schema: storedRecordSchema } },
    refuses: { 404: UNKNOWN, 409: "PostgreSQL still refuses it; its newest words are kept." },
  },
  "POST /v1/admin/set-aside/:id/discard": {
    operationId: "discardSetAside",
    tag: "Platform",
    summary: "Give a record up for good",
    description: "The reason goes into the audit log.",
    path: recordId,
    body: discardSchema,
    answers: { 204: { description: "It is gone." } },
    refuses: { 404: UNKNOWN },
  },
};
