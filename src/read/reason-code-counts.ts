import type { DecisionDocument } from "./decision-detail.js";

/** What follows a reply's own reason codes; its risk's codes come before (decision/render.ts). */
const AFTER = ',"decision_latency_ms":';
const BEFORE = '"reason_codes":';

/** In how many of the documents each reason code of the decision occurs, most first, then by name. */
export function countReasonCodes(docs: readonly string[]): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const doc of docs) {
    for (const code of new Set(reasonCodesIn(doc))) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Array.from(counts, ([code, count]) => ({ code, count })).toSorted(
    (a, b) => b.count - a.count || (a.code < b.code ? -1 : 1),
  );
}

/**
 * Cut out of the document's text: parsing all of it takes ten times as long. Neither mark can occur inside of a JSON
 * string, where its quotes are escaped, and the last of each is the reply's.
 */
function reasonCodesIn(doc: string): readonly string[] {
  const end = doc.lastIndexOf(AFTER);
  const start = end === -1 ? -1 : doc.lastIndexOf(BEFORE, end);
  if (start === -1) return (JSON.parse(doc) as DecisionDocument).response.reason_codes;
  return JSON.parse(doc.slice(start + BEFORE.length, end)) as string[];
}
