import type { Operations } from "../../platform/wire/operation.js";
import { cursors, interval } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { auditFilterParameters, auditLogSchema } from "./wire.js";

export const AUDIT_OPERATIONS: Operations = {
  "GET /v1/admin/audit-log": {
    operationId: "listAuditLog",
    tag: "Administration",
    summary: "Who did what, newest first",
    query: {
      page_size: { schema: pageSizeParameter, description: "Entries of a page." },
      ...cursors(idSchema("aud"), "entry"),
      ...auditFilterParameters,
      from: { ...interval.from, description: "Only from this moment on, included." },
      to: { ...interval.to, description: "Only before this moment, excluded, and after from." },
    },
    answers: { 200: { description: "One page.", schema: auditLogSchema } },
  },
};
