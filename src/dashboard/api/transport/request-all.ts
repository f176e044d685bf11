import { request } from "./request.js";

/** LIST-1: as many rows as a page may have. */
const PAGE_ROWS = 100;

/**
 * Reads every page of a list, one after the other, for what a page shows or names as a whole. `rows` is the answer's
 * field with the rows, and `cursorOf` names a row. A row that leaves the list meanwhile ends the walk at its page, and
 * the next look shows the rest.
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
    // A page begins where the one before it ends.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await request<Record<string, unknown>>("GET", path, { query, signal });
    const page = answer[rows] as Row[];
    all.push(...page);
    if (answer["has_more"] !== true || page.length === 0) return all;
  }
}
