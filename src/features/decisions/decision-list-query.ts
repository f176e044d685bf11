import {
  actionParameter,
  decisionModeParameter,
  listOrderParameter,
  pageParameter,
} from "../../platform/wire/query-schema.js";
import type { DecisionListQuery } from "./decision-list.js";
import { readFacetFilter } from "./wire/facet-parameters.js";
import { readSieve } from "./wire/sieve-parameters.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { readInterval } from "../../platform/http/interval-query.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import type { Query } from "../../platform/http/query.js";

/** LOG-2: reads the query of GET /v1/decisions. Errors are added to `query.issues`. `nowMs` is in Unix milliseconds. */
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
    sieve: readSieve(query),
    search: readSearch(query),
  };
}

/** LOG-26 */
function readSearch(query: Query): string | null {
  if (query.has("order_id") && query.has("q")) {
    query.refuse("q", "custom", "Must not be combined with order_id");
  }
  return readIdText(query, "q", LIMITS.searchCharsMin);
}

function readDecisionCursor(query: Query): DecisionListQuery["cursor"] {
  const cursor = readCursor(query, "dec");
  return cursor === null ? null : { kind: cursor.kind, decisionId: cursor.id };
}

function readOrderId(query: Query): string | null {
  return readIdText(query, "order_id", 1);
}

function readIdText(query: Query, name: "order_id" | "q", charsMin: number): string | null {
  const text = query.text(name);
  if (text === null) return null;
  // Characters are counted as JSON Schema counts them for an incoming `order_id`, not as UTF-16 units.
  const chars = [...text].length;
  if (chars < charsMin) query.refuse(name, "too_small", `Must hold at least ${charsMin} character(s)`);
  if (chars > LIMITS.orderIdCharsMax) {
    query.refuse(name, "too_big", `Must hold at most ${LIMITS.orderIdCharsMax} character(s)`);
  }
  // No order id contains U+0000, and PostgreSQL refuses it. Broken UTF-8 becomes U+FFFD, which could match another
  // order's id.
  const isOrders = !text.includes("\0") && (!text.includes("\uFFFD") || query.isUtf8());
  if (!isOrders) query.refuse(name, "invalid_string", "Invalid format");
  return text;
}
