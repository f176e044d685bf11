import { readMoments } from "../../platform/http/interval-query.js";
import type { Query } from "../../platform/http/query.js";
import { auditSearchOf } from "./audit-search.js";
import type { AuditFilter } from "./queries.js";
import { auditFilterParameters } from "./wire.js";

/** ADM-12: reads the filters of GET /v1/admin/audit-log. Errors are added to `query.issues`. */
export function readAuditFilter(query: Query): AuditFilter {
  const { action, actor, resource, merchant_id: merchant, q } = auditFilterParameters;
  const search = query.matching("q", q.schema);
  return {
    action: query.oneOf("action", action.schema),
    actor: query.matching("actor", actor.schema),
    resource: query.matching("resource", resource.schema),
    merchantId: query.matching("merchant_id", merchant.schema),
    search: search === null ? null : auditSearchOf(search),
    ...readMoments(query),
  };
}
