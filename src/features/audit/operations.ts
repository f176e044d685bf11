import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema, merchantIdSchema } from "../../platform/wire/scalars.js";
import { auditLogSchema } from "./wire.js";

export const AUDIT_OPERATIONS: Operations = {
  "GET /v1/admin/audit-log": {
    operationId: "listAuditLog",
    tag: "Administration",
    summary: "Who did what, newest first",
    query: {
      page_size: { schema: pageSizeParameter, description: "Entries of a page." },
      merchant_id: { schema: merchantIdSchema, description: "Only what changed at this merchant." },
      ...cursors(idSchema("aud"), "entry"),
    },
    answers: { 200: { description: "One page.", schema: auditLogSchema } },
  },
};
