import { isLimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { Principal } from "../../path/access/session.js";
import {
  ADMINISTRATION_UNAVAILABLE,
  READ_UNAVAILABLE,
  type ApiError,
} from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import { sendExport } from "./file/send-export.js";
import { findChunk } from "./queries/chunk.js";
import type { Export } from "./queries/export.js";
import { createExports, kindsOf, type ExportsOptions } from "./service.js";
import { momentMs, parseNewExport } from "./wire/export-body.js";
import type { ExportBody, ExportListBody, ExportResponseBody } from "./wire/export-response-schema.js";
import { FILTER_NAMES, type ExportFilters, type NewExportBody } from "./wire/export-schema.js";

const UNKNOWN: ApiError = { kind: "not_found", message: "Export not found" };
const UNFINISHED: ApiError = { kind: "conflict", message: "Export is not finished" };
const NO_FILE: ApiError = { kind: "conflict", message: "Export has no file" };

/** The handlers of the routes. The first request loads them. */
export function createHandlers(options: ExportsOptions) {
  const { tenants, attempt } = options;
  const exports = createExports(options);
  return {
    async list(exchange: Exchange, principal: Principal): Promise<void> {
      const query = new Query(exchange.head.query);
      const page = { pageSize: readPageSize(query), cursor: readCursor(query, "xpt") };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await exports.list(principal, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const body = { exports: found.exports.map(exportBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies ExportListBody));
    },

    async create(exchange: Exchange, principal: Principal, text: string): Promise<void> {
      const parsed = parseNewExport(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { value } = parsed;
      if (!kindsOf(principal.role).includes(value.kind)) return exchange.fail({ kind: "missing_role" });
      const { kind, format, mode, from, to } = value;
      const created = await exports.create(principal, {
        kind,
        format,
        mode,
        sinceMs: momentMs(from),
        untilMs: momentMs(to),
        filters: filtersOf(value),
      });
      if (created === "unavailable") return exchange.fail(READ_UNAVAILABLE);
      if (isLimitReached(created)) return exchange.fail(created);
      exchange.send(202, JSON.stringify({ export: exportBody(created) } satisfies ExportResponseBody));
    },

    async read(exchange: Exchange, principal: Principal, exportId: string): Promise<void> {
      const found = await exports.find(principal, exportId);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (found === null) return exchange.fail(UNKNOWN);
      exchange.send(200, JSON.stringify({ export: exportBody(found) } satisfies ExportResponseBody));
    },

    async remove(exchange: Exchange, principal: Principal, exportId: string): Promise<void> {
      const removed = await exports.remove(principal, exportId);
      if (removed === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (!removed) return exchange.fail(UNKNOWN);
      exchange.sendNoContent();
    },

    async file(exchange: Exchange, principal: Principal, exportId: string): Promise<void> {
      const found = await exports.find(principal, exportId);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (found === null) return exchange.fail(UNKNOWN);
      const { status, sha256 } = found;
      if (status === "queued" || status === "running") return exchange.fail(UNFINISHED);
      if (status !== "done" || sha256 === null) return exchange.fail(NO_FILE);
      // The answer to a chunked request closes the connection and states no length, so it cannot carry a file.
      if (exchange.head.isChunked) return exchange.fail({ kind: "bad_framing" });
      const { workspaceId } = principal;
      await sendExport(exchange, { ...found, sha256 }, (offset) =>
        attempt(() => findChunk(tenants.of(workspaceId), workspaceId, exportId, offset)),
      );
    },
  };
}

export type Handlers = ReturnType<typeof createHandlers>;

function filtersOf(body: NewExportBody): ExportFilters {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
}

function exportBody(made: Export): ExportBody {
  return {
    id: made.exportId,
    kind: made.kind,
    format: made.format,
    mode: made.mode,
    from: new Date(made.sinceMs).toISOString(),
    to: new Date(made.untilMs).toISOString(),
    filters: made.filters,
    status: made.status,
    rows: made.rows,
    total_rows: made.totalRows,
    bytes: made.bytes,
    sha256: made.sha256,
    error: made.error,
    created_by: made.createdBy,
    created_at: made.createdAt.toISOString(),
    finished_at: made.finishedAt?.toISOString() ?? null,
    expires_at: made.expiresAt?.toISOString() ?? null,
  };
}
