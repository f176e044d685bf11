import {
  actionParameter,
  decisionModeParameter,
  listOrderParameter,
  pageParameter,
} from "../../platform/wire/query-schema.js";
import type { DecisionListQuery } from "./decision-list.js";
import { readFacetFilter } from "./wire/facet-parameters.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { readInterval } from "../../platform/http/interval-query.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import type { Query } from "../../platform/http/query.js";

/**
 * LOG-2: reads the query of GET /v1/decisions. Its errors are left in `query.issues`. `nowMs` is in Unix milliseconds.
 */
export function readDecisionListQuery(query: Query, nowMs: number): DecisionListQuery {
  const isOldestFirst = query.oneOf("order", listOrderParameter) === "oldest";
  const cursor = readDecisionCursor(query);
  if (isOldestFirst && cursor !== null) query.refuse("order", "custom", "Must not be combined with a cursor");
  return {
    pageSize: readPageSize(query),
    page: query.integer("page", pageParameter),
    cursor,
    isOldestFirst,
    filter: {
      action: query.oneOf("action", actionParameter),
      decisionMode: query.oneOf("decision_mode", decisionModeParameter),
      unresolved: query.boolean("unresolved"),
      ...readInterval(query, nowMs),
      orderId: readOrderId(query),
      ...readFacetFilter(query),
    },
  };
}

function readDecisionCursor(query: Query): DecisionListQuery["cursor"] {
  const cursor = readCursor(query, "dec");
  return cursor === null ? null : { kind: cursor.kind, decisionId: cursor.id };
}

function readOrderId(query: Query): string | null {
  const text = query.text("order_id");
  if (text === null) return null;
  if (text.length === 0) query.refuse("order_id", "too_small", "Must hold at least 1 character(s)");
  // Characters are counted as JSON Schema counts those of an incoming `order_id`, not as UTF-16 units.
  if ([...text].length > LIMITS.orderIdCharsMax) {
    query.refuse("order_id", "too_big", `Must hold at most ${LIMITS.orderIdCharsMax} character(s)`);
  }
  // No order id contains U+0000, and PostgreSQL takes no such text. Broken UTF-8 would match another order's id.
  const isOrders = !text.includes("\0") && (!text.includes("\uFFFD") || query.isUtf8());
  if (!isOrders) query.refuse("order_id", "invalid_string", "Invalid format");
  return text;
}
