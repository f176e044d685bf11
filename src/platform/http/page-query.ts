import { pageSizeParameter } from "../wire/query-schema.js";
import { isId, type IdPrefix } from "../../domain/ids/ids.js";
import type { Exchange } from "./exchange.js";
import { Query } from "./query.js";

/** The row beside which a page begins. */
export interface Cursor {
  kind: "older_than" | "newer_than";
  id: string;
}

/** LIST-1: reads `page_size`. A fault of it is added to `query.issues`. */
export function readPageSize(query: Query): number {
  return query.integer("page_size", pageSizeParameter);
}

/** LIST-3: both cursors, or a malformed one, are refused. */
export function readCursor(query: Query, prefix: IdPrefix): Cursor | null {
  return cursorOf(query, (name) => readId(query, name, prefix));
}

/** LIST-3: the same for rows that a text names and no id. `pattern` is the form of such a text. */
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
  /** ADM-17: the query asks for no page, so the answer is the list alone. */
  isWhole: boolean;
}

/**
 * Reads the page that a query asks for. Null if it was refused and the exchange is answered. A caller may read some
 * lists without pages. For these, `wholeRows` is the number of rows of the whole list.
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

/** ADM-17: returns the page if the query has a parameter of a page, and otherwise the whole list. */
export function orWhole(
  page: { pageSize: number; cursor: Cursor | null },
  query: Query,
  wholeRows: number,
): AskedPage {
  if (PAGE_PARAMETERS.some((name) => query.has(name))) return { ...page, isWhole: false };
  return { pageSize: wholeRows, cursor: null, isWhole: true };
}

/** ADM-17: the members of a list's answer besides its rows. */
export const hasMoreOf = ({ isWhole }: AskedPage, hasMore: boolean): { has_more?: boolean } =>
  isWhole ? {} : { has_more: hasMore };
