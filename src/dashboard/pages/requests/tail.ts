import { useState } from "react";
import type { RequestLog, RequestLogEntry } from "../../api/wire-types.js";

/** The most rows of the page. A browser draws this many without delay. */
const ROWS_MAX = 300;

/**
 * RLOG-7: each answer comes from one node, and behind an edge the next may come from another. So answers are merged by
 * id, newest first. Answers of a single node are merged too, because a busy minute pushes rows off its page.
 */
export function joined(
  before: readonly RequestLogEntry[],
  newer: readonly RequestLogEntry[],
): RequestLogEntry[] {
  const byId = new Map([...before, ...newer].map((row) => [row.id, row]));
  // An id begins with its time.
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, ROWS_MAX);
}

/** All rows received since the page began to follow. */
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
