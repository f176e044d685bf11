import { pageSizeParameter } from "../wire/query-schema.js";
import { isId, type IdPrefix } from "../../domain/ids/ids.js";
import type { Exchange } from "./exchange.js";
import { Query } from "./query.js";

/** The row before or after which a page begins. */
export interface Cursor {
  kind: "older_than" | "newer_than";
  id: string;
}

/** LIST-1: reads `page_size`. Errors are added to `query.issues`. */
export function readPageSize(query: Query): number {
  return query.integer("page_size", pageSizeParameter);
}

/** LIST-3: reads the cursor. A malformed cursor, or two cursors, add an error. */
export function readCursor(query: Query, prefix: IdPrefix): Cursor | null {
  return cursorOf(query, (name) => readId(query, name, prefix));
}

/** LIST-3: reads the cursor of a list whose rows have a text as their key. `pattern` is the form of the text. */
export function readTextCursor(query: Query, pattern: RegExp): Cursor | null {
  return cursorOf(query, (name) => {
    const text = query.text(name);
    if (text !== null && !pattern.test(text)) query.refuse(name, "invalid_string", "Invalid format");
    return text;
  });
}

function cursorOf(query: Query, read: (name: string) => string | null): Cursor | null {
  const older = read("starting_after");
  const newer = read("ending_before");
  if (older !== null && newer !== null) {
    query.refuse("ending_before", "custom", "Must not be combined with starting_after");
  }
  if (older !== null) return { kind: "older_than", id: older };
  return newer === null ? null : { kind: "newer_than", id: newer };
}

function readId(query: Query, name: string, prefix: IdPrefix): string | null {
  const text = query.text(name);
  if (text !== null && !isId(text, prefix)) query.refuse(name, "invalid_string", "Invalid format");
  return text;
}

export const PAGE_PARAMETERS = ["page_size", "starting_after", "ending_before"] as const;

export interface AskedPage {
  pageSize: number;
  cursor: Cursor | null;
  /** ADM-17: true if the query asks for no page. The answer is then the whole list. */
  isWhole: boolean;
}

/**
 * Reads the page that a query asks for. Null if the query was refused and the exchange is answered. Pass `wholeRows`,
 * the row limit of a whole list, for a list that may be read without pages.
 */
export function readPage(
  exchange: Exchange,
  readCursorOf: (query: Query) => Cursor | null,
  wholeRows?: number,
): AskedPage | null {
  const query = new Query(exchange.head.query);
  const page = { pageSize: readPageSize(query), cursor: readCursorOf(query), isWhole: false };
  if (query.issues.length > 0) {
    exchange.fail({ kind: "invalid", issues: query.issues });
    return null;
  }
  return wholeRows === undefined ? page : orWhole(page, query, wholeRows);
}

/** ADM-17: returns the page if the query has a parameter of a page. Otherwise returns a page with the whole list. */
export function orWhole(
  page: { pageSize: number; cursor: Cursor | null },
  query: Query,
  wholeRows: number,
): AskedPage {
  if (PAGE_PARAMETERS.some((name) => query.has(name))) return { ...page, isWhole: false };
  return { pageSize: wholeRows, cursor: null, isWhole: true };
}

/** ADM-17: `has_more` for the answer of a page. Empty for a whole list. */
export const hasMoreOf = ({ isWhole }: AskedPage, hasMore: boolean): { has_more?: boolean } =>
  isWhole ? {} : { has_more: hasMore };
