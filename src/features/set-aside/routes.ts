import { discardValidator } from "./wire/discard-schema.js";
import type {
  SetAsideDetailBody,
  SetAsideListBody,
  SetAsideRecordBody,
  StoredRecordBody,
} from "./wire/record-response-schema.js";
import { createSetAside, type SetAside, type SetAsideOptions } from "./service.js";
import type { SetAsideRecord } from "./queries.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import { ADMINISTRATION_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";

/** DUR-12: the routes by which the platform's administrator handles records that PostgreSQL refused. */
export function setAsideRoutes(parts: SetAsideOptions): Route[] {
  const setAside = createSetAside(parts);
  return [
    listSetAsideRoute(setAside.list),
    setAsideRoute(setAside.find),
    retrySetAsideRoute(setAside.retry),
    discardSetAsideRoute(setAside.discard),
  ];
}

const UNKNOWN: ApiError = { kind: "not_found", message: "Record not found" };
const ACCESS = { platformAdmin: true } as const;

/** GET /v1/admin/set-aside, DUR-12: newest first. `has_more` refers to the direction walked. */
function listSetAsideRoute(list: SetAside["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/set-aside",
    access: ACCESS,
    bodyBytesMax: null,
    query: ["page_size", "starting_after", "ending_before"],
    async handle(exchange) {
      const query = new Query(exchange.head.query);
      const page = { pageSize: readPageSize(query), cursor: readCursor(query, "sas") };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await list(page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const body = { records: found.records.map(recordBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies SetAsideListBody));
    },
  };
}

/** GET /v1/admin/set-aside/:id shows the record as it was acknowledged. */
function setAsideRoute(find: SetAside["find"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/admin/set-aside/:id",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, _principal, [id = ""]) {
      const found = await find(id);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (found === null) return exchange.fail(UNKNOWN);
      // This code is rarely needed, so it is not loaded at start.
      const { entryAsJson, orderIdOf } = await import("./entry-json.js");
      const entry = entryAsJson(found.record.kind, found.entry);
      const record = {
        ...recordBody(found.record),
        order_id: orderIdOf(entry),
        entry_base64: found.entry.toString("base64"),
        entry,
      };
      exchange.send(200, JSON.stringify({ record } satisfies SetAsideDetailBody));
    },
  };
}

/** POST /v1/admin/set-aside/:id/retry: 200 `{record}` when it is stored now, 409 when PostgreSQL still refuses it. */
function retrySetAsideRoute(retry: SetAside["retry"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/admin/set-aside/:id/retry",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, principal, [id = ""]) {
      const result = await retry(principal, id);
      if (result === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (result === "unknown") return exchange.fail(UNKNOWN);
      if ("refused" in result) {
        const message = `PostgreSQL still refuses the record: SQLSTATE ${result.refused}`;
        return exchange.fail({ kind: "conflict", message });
      }
      exchange.send(200, JSON.stringify({ record: recordBody(result.stored) } satisfies StoredRecordBody));
    },
  };
}

/** POST /v1/admin/set-aside/:id/discard `{reason}`: 204. The record is deleted for good. */
function discardSetAsideRoute(discard: SetAside["discard"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/admin/set-aside/:id/discard",
    access: ACCESS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, [id = ""], text) {
      const parsed = discardValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await discard(principal, id, parsed.value.reason);
      if (result === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (result === "unknown") return exchange.fail(UNKNOWN);
      exchange.sendNoContent();
    },
  };
}

function recordBody(record: SetAsideRecord): SetAsideRecordBody {
  return {
    set_aside_id: record.setAsideId,
    kind: record.kind,
    workspace_id: record.workspaceId,
    mode: record.mode,
    decision_id: record.decisionId,
    statement: record.statement,
    sql_state: record.sqlState,
    message: record.message,
    node_id: record.nodeId,
    position: record.position,
    set_aside_at: record.setAsideAt.toISOString(),
  };
}
