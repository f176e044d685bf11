import { useState } from "react";
import type { RequestLog, RequestLogEntry } from "../../api/wire-types.js";

/** Rows that the page keeps. A browser draws them without delay. */
const ROWS_MAX = 300;

/**
 * RLOG-7: each answer is one node's, and behind an edge the next one may be another's. So answers are joined by id,
 * newest first. One node's answers are joined as well, because a busy minute pushes rows off its page.
 */
export function joined(
  before: readonly RequestLogEntry[],
  heard: readonly RequestLogEntry[],
): RequestLogEntry[] {
  const byId = new Map([...before, ...heard].map((row) => [row.id, row]));
  // An id begins with its time.
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, ROWS_MAX);
}

/** All rows heard since the page began to follow. */
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
