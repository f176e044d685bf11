import { useState } from "react";
import type { RequestLog, RequestLogEntry } from "../../api/wire-types.js";

/** The most rows on the page. A browser draws this many without a delay. */
const ROWS_MAX = 300;

/**
 * RLOG-7: an answer has the rows of one node. Behind an edge, each answer can come from another node. Answers are
 * therefore merged by id, newest first. Merging also helps with a single node, because a busy minute pushes rows off
 * the newest page.
 */
export function joined(
  before: readonly RequestLogEntry[],
  newer: readonly RequestLogEntry[],
): RequestLogEntry[] {
  const byId = new Map([...before, ...newer].map((row) => [row.id, row]));
  // Ids begin with the time, so their order is the order of time.
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, ROWS_MAX);
}

/** The newest of the rows received since the page was opened. */
export function useTail(answer: RequestLog | undefined): readonly RequestLogEntry[] {
  const [tail, setTail] = useState<{ answer: RequestLog | undefined; rows: readonly RequestLogEntry[] }>({
    answer: undefined,
    rows: [],
  });
  if (answer === undefined || answer === tail.answer) return tail.rows;
  const rows = joined(tail.rows, answer.requests);
  setTail({ answer, rows });
  return rows;
}
