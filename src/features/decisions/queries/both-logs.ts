import type { Direction } from "./id-spans.js";

/** One server's part of a search. `count` returns how many rows `find` could return without an offset and a limit. */
export interface LogPart<Row> {
  find(offset: number, limit: number): Promise<Row[]>;
  count(): Promise<number>;
}

/**
 * CH-12: finds up to `limit` rows after the first `offset`, in PostgreSQL and in the older log. A search from the
 * newest row asks PostgreSQL first. A search from the oldest row asks the older log first. The second server is asked
 * only if the first returns too few rows.
 */
export async function findInBoth<Row>(
  { kept, older }: { kept: LogPart<Row>; older: LogPart<Row> | null },
  direction: Direction,
  { offset, limit }: { offset: number; limit: number },
): Promise<Row[]> {
  if (older === null) return kept.find(offset, limit);
  const [first, second] = direction === "older" ? [kept, older] : [older, kept];
  const rows = await first.find(offset, limit);
  if (rows.length === limit) return rows;
  const skipped = rows.length > 0 || offset === 0 ? offset : await first.count();
  return [...rows, ...(await second.find(offset - skipped, limit - rows.length))];
}
