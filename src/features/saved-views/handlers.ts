import { isLimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { Principal } from "../../path/access/session.js";
import { ADMINISTRATION_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import type { SavedView } from "./queries.js";
import { createSavedViews, type SavedViewsOptions } from "./service.js";
import type {
  SavedViewBody,
  SavedViewListBody,
  SavedViewResponseBody,
} from "./wire/saved-view-response-schema.js";
import {
  newSavedViewValidator,
  savedViewChangesValidator,
  viewedPageParameter,
} from "./wire/saved-view-schema.js";

const UNKNOWN: ApiError = { kind: "not_found", message: "Saved view not found" };

/** The handlers of the routes. They are loaded with the first request. */
export function createHandlers(options: SavedViewsOptions) {
  const views = createSavedViews(options);
  return {
    async list(exchange: Exchange, principal: Principal): Promise<void> {
      const query = new Query(exchange.head.query);
      const page = {
        pageSize: readPageSize(query),
        cursor: readCursor(query, "svw"),
        page: query.oneOf("page", viewedPageParameter),
      };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await views.list(principal, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const body = { saved_views: found.views.map(viewBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies SavedViewListBody));
    },

    async create(exchange: Exchange, principal: Principal, text: string): Promise<void> {
      const parsed = newSavedViewValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { name, page, query, is_shared: isShared = false } = parsed.value;
      const created = await views.create(principal, { name, page, query, isShared });
      if (created === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (isLimitReached(created)) return exchange.fail(created);
      exchange.send(201, answerOf(created));
    },

    async update(exchange: Exchange, principal: Principal, viewId: string, text: string): Promise<void> {
      const parsed = savedViewChangesValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { is_shared: isShared, ...changes } = parsed.value;
      const changed = await views.update(principal, viewId, {
        ...changes,
        ...(isShared === undefined ? {} : { isShared }),
      });
      if (changed === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (changed === null) return exchange.fail(UNKNOWN);
      if (changed === "not_theirs") return exchange.fail({ kind: "missing_role" });
      exchange.send(200, answerOf(changed));
    },

    async remove(exchange: Exchange, principal: Principal, viewId: string): Promise<void> {
      const removed = await views.remove(principal, viewId);
      if (removed === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (removed === null) return exchange.fail(UNKNOWN);
      if (removed === "not_theirs") return exchange.fail({ kind: "missing_role" });
      exchange.sendNoContent();
    },
  };
}

export type Handlers = ReturnType<typeof createHandlers>;

function answerOf(view: SavedView): string {
  return JSON.stringify({ saved_view: viewBody(view) } satisfies SavedViewResponseBody);
}

function viewBody(view: SavedView): SavedViewBody {
  return {
    id: view.viewId,
    name: view.name,
    page: view.page,
    query: view.query,
    is_shared: view.isShared,
    owner: view.owner,
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
  };
}
