import type { SegmentPlaces } from "../persistence/decision-page.js";
import type { DocumentPlace } from "../persistence/segment-queries.js";
import { LIMITS } from "../shared/limits.js";
import type { DecisionDocument } from "./decision-detail.js";
import type { ReadDocuments } from "./segments.js";

/** The reason codes of each decision whose document is at the given places of a workspace, as JSON, in no order. */
export type ReadReasonCodes = (workspaceId: string, segments: readonly SegmentPlaces[]) => Promise<string[]>;

/**
 * Documents never change, and one dashboard looks at nearly the same newest decisions again and again: their codes are
 * remembered, by far the most of them as one of few texts.
 */
export function createReasonCodeReader(readDocuments: ReadDocuments): ReadReasonCodes {
  /** By workspace and segment, then by offset in the segment. */
  const known = new Map<string, Map<number, string>>();
  let remembered = 0;
  const texts = new Map<string, string>();

  const remember = (workspaceId: string, { segmentId, docOffset }: DocumentPlace, text: string): void => {
    if (remembered >= LIMITS.reasonCodesRememberedMax) {
      known.clear();
      texts.clear();
      remembered = 0;
    }
    const shared = texts.get(text) ?? text;
    texts.set(shared, shared);
    const key = workspaceId + segmentId;
    let ofSegment = known.get(key);
    if (ofSegment === undefined) known.set(key, (ofSegment = new Map()));
    ofSegment.set(docOffset, shared);
    remembered++;
  };

  return async (workspaceId, segments) => {
    const codes: string[] = [];
    const unknown: DocumentPlace[] = [];
    for (const { segmentId, docOffsets, docBytes } of segments) {
      const ofSegment = known.get(workspaceId + segmentId);
      for (const [at, docOffset] of docOffsets.entries()) {
        const text = ofSegment?.get(docOffset);
        if (text === undefined) unknown.push({ segmentId, docOffset, docBytes: docBytes[at] as number });
        else codes.push(text);
      }
    }
    const docs = await readDocuments(workspaceId, unknown);
    for (const [at, place] of unknown.entries()) {
      const text = reasonCodesIn(docs[at] as string);
      codes.push(text);
      remember(workspaceId, place, text);
    }
    return codes;
  };
}

/** In how many of the decisions each code occurs, most first, then by name. */
export function countReasonCodes(decisions: readonly string[]): { code: string; count: number }[] {
  const texts = new Map<string, number>();
  for (const text of decisions) texts.set(text, (texts.get(text) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [text, number] of texts) {
    for (const code of new Set(JSON.parse(text) as string[]))
      counts.set(code, (counts.get(code) ?? 0) + number);
  }
  return Array.from(counts, ([code, count]) => ({ code, count })).toSorted(
    (a, b) => b.count - a.count || (a.code < b.code ? -1 : 1),
  );
}

/** What follows a reply's own reason codes; its risk's codes come before (decision/render.ts). */
const AFTER = ',"decision_latency_ms":';
const BEFORE = '"reason_codes":';

/**
 * A decision's own reason codes, cut out of its document's text: parsing all of it takes ten times as long. Neither mark
 * can occur inside of a JSON string, where its quotes are escaped, and the last of each is the reply's.
 */
export function reasonCodesIn(doc: string): string {
  const end = doc.lastIndexOf(AFTER);
  const start = end === -1 ? -1 : doc.lastIndexOf(BEFORE, end);
  if (start === -1) return JSON.stringify((JSON.parse(doc) as DecisionDocument).response.reason_codes);
  return doc.slice(start + BEFORE.length, end);
}
