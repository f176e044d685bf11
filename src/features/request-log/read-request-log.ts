import type { Attempt } from "../../path/access/attempt.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import type { ValidationIssue } from "../../platform/wire/validation-issue.js";
import { findKeyNames } from "./queries.js";
import type { LoggedRequest, RequestLog } from "./service.js";
import { requestErrorParameter, requestStatusParameter, type RequestLogBody } from "./wire.js";

export interface RequestLogParts {
  requestLog: Pick<RequestLog, "page">;
  tenants: TenantDb;
  attempt: Attempt;
  nodeId: string;
}

/** Reads one page. `query` is the text after `?`. */
export async function readRequestLog(
  parts: RequestLogParts,
  workspaceId: string,
  text: string,
): Promise<RequestLogBody | { issues: readonly ValidationIssue[] }> {
  const { requestLog, nodeId } = parts;
  const query = new Query(text);
  const mode = query.oneOf("mode", modeParameter) ?? "live";
  const filter = {
    status: query.matching("status", requestStatusParameter),
    error: query.oneOf("code", requestErrorParameter),
  };
  const page = { pageSize: readPageSize(query), cursor: readCursor(query, "rlog") };
  if (query.issues.length > 0) return { issues: query.issues };
  const { requests, hasMore } = requestLog.page({ workspaceId, mode }, filter, page);
  const names = await namesOf(parts, workspaceId, requests);
  return {
    requests: requests.map((request) => entryOf(request, names.get(request.keyId) ?? null, nodeId)),
    has_more: hasMore,
    covers: "this_node",
    node_id: nodeId,
  };
}

/** RLOG-8: while PostgreSQL is away the names are missing, and the rows in the node's memory are still shown. */
async function namesOf(
  { tenants, attempt }: RequestLogParts,
  workspaceId: string,
  requests: readonly LoggedRequest[],
): Promise<Map<string, string>> {
  const keyIds = [...new Set(requests.map(({ keyId }) => keyId))];
  if (keyIds.length === 0) return new Map();
  const names = await attempt(() => findKeyNames(tenants.of(workspaceId), workspaceId, keyIds));
  return names === "unavailable" ? new Map() : names;
}

type Entry = RequestLogBody["requests"][number];

function entryOf(request: LoggedRequest, keyName: string | null, nodeId: string): Entry {
  return {
    id: request.id,
    answered_at: new Date(request.answeredAtMs).toISOString(),
    method: request.method,
    path: request.path,
    status: request.status,
    duration_ms: Number(request.durationMs.toFixed(3)),
    api_key_id: request.keyId,
    api_key_name: keyName,
    request_id: request.requestId,
    error_code: request.error,
    issue_code: request.issueCode,
    issue_path: request.issuePath,
    node_id: nodeId,
  };
}
