import { request } from "./request.js";

/** LIST-1: the most rows that one page may have. */
const PAGE_ROWS = 100;

/**
 * Reads every page of a list in sequence, for parts of the dashboard that need the whole list. `rows` is the answer's
 * field with the rows, and `cursorOf` returns the cursor of a row. If a page's last row is deleted during the walk,
 * the walk ends there, and the next read has the rest.
 */
export async function requestAll<Row>(
  path: string,
  { rows, cursorOf, signal }: { rows: string; cursorOf(row: Row): string; signal: AbortSignal },
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const last = all.at(-1);
    const query = {
      page_size: PAGE_ROWS,
      ...(last === undefined ? {} : { starting_after: cursorOf(last) }),
    };
    // A page begins where the previous one ends.
    const answer = await request<Record<string, unknown>>("GET", path, { query, signal });
    const page = answer[rows] as Row[];
    all.push(...page);
    if (answer["has_more"] !== true || page.length === 0) return all;
  }
}
