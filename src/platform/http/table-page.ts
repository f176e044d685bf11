import type { IntegerParameter } from "../wire/query-schema.js";
import type { Query } from "./query.js";

/** LIST-2 and LIST-3 for a table that the code contains. `after` and `before` are ids of rows, or null. */
export interface TablePage {
  size: number;
  after: string | null;
  before: string | null;
}

export const TABLE_PAGE_PARAMETERS = ["page_size", "starting_after", "ending_before"] as const;

/** Reads the parameters of a page. Errors are added to `query.issues`. */
export function readTablePage(query: Query, idPattern: RegExp, size: IntegerParameter): TablePage {
  const readId = (name: string): string | null => {
    const text = query.text(name);
    if (text !== null && !idPattern.test(text)) query.refuse(name, "invalid_string", "Invalid format");
    return text;
  };
  const page = {
    size: query.integer("page_size", size),
    after: readId("starting_after"),
    before: readId("ending_before"),
  };
  if (page.after !== null && page.before !== null) {
    query.refuse("ending_before", "custom", "Must not be combined with starting_after");
  }
  return page;
}

/** Returns a page of `rows`, in their order. It is empty if the cursor names no row. */
export function pageOfTable<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { size, after, before }: TablePage,
): { rows: Row[]; has_more: boolean } {
  const cursor = after ?? before;
  const at = rows.findIndex((row) => idOf(row) === cursor);
  if (cursor !== null && at === -1) return { rows: [], has_more: false };
  if (before !== null) {
    const start = Math.max(0, at - size);
    return { rows: rows.slice(start, at), has_more: start > 0 };
  }
  // Without a cursor `at` is -1, so the page starts with the first row.
  const end = at + 1 + size;
  return { rows: rows.slice(at + 1, end), has_more: end < rows.length };
}
