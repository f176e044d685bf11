/** LIST-5: the position of a page in one of the service's lists: after a row, or before it. */
export interface ListCursor {
  direction: "starting_after" | "ending_before";
  id: string;
}

/** The query of the page at a cursor. A null cursor begins at the newest row. */
export function pageQuery(cursor: ListCursor | null, pageSize: number): Record<string, string | number> {
  return { page_size: pageSize, ...(cursor === null ? {} : { [cursor.direction]: cursor.id }) };
}

/** Changes of the address that begin a list at its newest row. */
export const NEWEST = { starting_after: null, ending_before: null } as const;

/** The position in a list that the address names. Null begins at the newest row. */
export function cursorIn(parameters: URLSearchParams): ListCursor | null {
  for (const direction of ["starting_after", "ending_before"] as const) {
    const id = parameters.get(direction);
    if (id !== null) return { direction, id };
  }
  return null;
}

/**
 * Returns the functions that turn to the neighbouring pages. Null where there is no page. `ids` are the ids of the
 * page's rows, newest first. LIST-5: `hasMore` says whether there are more rows in the direction of `cursor`. In the
 * other direction is the page that the cursor came from.
 */
export function turnsOf(
  cursor: ListCursor | null,
  ids: readonly string[],
  hasMore: boolean,
  turnTo: (cursor: ListCursor) => void,
): { onPrevious: (() => void) | null; onNext: (() => void) | null } {
  const isNewer = cursor?.direction === "ending_before";
  const [first, last] = [ids[0], ids.at(-1)];
  const hasNewer = cursor !== null && (!isNewer || hasMore);
  const hasOlder = isNewer || hasMore;
  return {
    onPrevious:
      hasNewer && first !== undefined ? () => turnTo({ direction: "ending_before", id: first }) : null,
    onNext: hasOlder && last !== undefined ? () => turnTo({ direction: "starting_after", id: last }) : null,
  };
}
