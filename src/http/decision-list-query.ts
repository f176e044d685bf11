import { actionParameter, decisionModeParameter, pageParameter } from "../api/query-schema.js";
import type { DecisionListQuery } from "../read/decision-list.js";
import { LIMITS } from "../shared/limits.js";
import { readCursor, readPageSize } from "./page-query.js";
import type { Query } from "./query.js";

const DAY_MS = 86_400_000;
/** spec GET /v1/decisions `range`; anything else is all of history. */
const RANGE_DAYS: Readonly<Record<string, number>> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 };

/** spec GET /v1/decisions, the query; what is wrong with it is left in `query.issues`. `nowMs`: Unix milliseconds. */
export function readDecisionListQuery(query: Query, nowMs: number): DecisionListQuery {
  const days = RANGE_DAYS[query.text("range") ?? "all"];
  return {
    pageSize: readPageSize(query),
    page: query.integer("page", pageParameter),
    cursor: readDecisionCursor(query),
    filter: {
      action: query.oneOf("action", actionParameter),
      decisionMode: query.oneOf("decision_mode", decisionModeParameter),
      unresolved: query.boolean("unresolved"),
      sinceMs: days === undefined ? null : nowMs - days * DAY_MS,
      orderId: readOrderId(query),
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
  // In characters, as a decision's own order_id is counted.
  if (Array.from(text).length > LIMITS.orderIdCharsMax) {
    query.refuse("order_id", "too_big", `Must hold at most ${LIMITS.orderIdCharsMax} character(s)`);
  }
  // No order has it, and PostgreSQL takes no text that does.
  if (text.includes("\0")) query.refuse("order_id", "invalid_string", "Invalid format");
  return text;
}
