import type { SegmentPlaces } from "./queries/newest-places.js";
import type { PlaceInSegment } from "./queries/segment.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { readReasonCodes } from "../../path/document/decision-document.js";
import type { ReadDocuments } from "./segments.js";

/** The distinct reason codes of a decision. Decisions with the same codes usually share one set. */
export type ReasonCodes = ReadonlySet<string>;

/** Reads the reason codes of the decisions whose documents are at the given places of a workspace, in no order. */
export type ReadReasonCodes = (
  workspaceId: string,
  segments: readonly SegmentPlaces[],
) => Promise<ReasonCodes[]>;

/**
 * Reason codes are cached, because documents never change and dashboards repeatedly read nearly the same newest
 * decisions. Decisions with the same codes share one set, because few distinct sets cover nearly all decisions.
 */
export function createReasonCodeReader(readDocuments: ReadDocuments): ReadReasonCodes {
  /** Keyed by workspace and segment, then by offset in the segment. */
  const known = new Map<string, Map<number, ReasonCodes>>();
  let remembered = 0;
  const shared = new Map<string, ReasonCodes>();

  const codesIn = (doc: string): ReasonCodes => {
    const text = readReasonCodes(doc);
    let codes = shared.get(text);
    if (codes === undefined) shared.set(text, (codes = new Set(JSON.parse(text) as string[])));
    return codes;
  };

  const remember = (
    workspaceId: string,
    { segmentId, docOffset }: PlaceInSegment,
    codes: ReasonCodes,
  ): void => {
    if (remembered >= TUNING.reasonCodesRememberedMax) {
      known.clear();
      shared.clear();
      remembered = 0;
    }
    const key = workspaceId + segmentId;
    let ofSegment = known.get(key);
    if (ofSegment === undefined) known.set(key, (ofSegment = new Map()));
    ofSegment.set(docOffset, codes);
    remembered++;
  };

  return async (workspaceId, segments) => {
    const decisions: ReasonCodes[] = [];
    const unknown: PlaceInSegment[] = [];
    for (const { segmentId, docOffsets, docBytes } of segments) {
      const ofSegment = known.get(workspaceId + segmentId);
      for (const [at, docOffset] of docOffsets.entries()) {
        const codes = ofSegment?.get(docOffset);
        if (codes === undefined) unknown.push({ segmentId, docOffset, docBytes: docBytes[at] as number });
        else decisions.push(codes);
      }
    }
    const docs = await readDocuments(workspaceId, unknown);
    for (const [at, place] of unknown.entries()) {
      const codes = codesIn(docs[at] as string);
      decisions.push(codes);
      remember(workspaceId, place, codes);
    }
    return decisions;
  };
}

/** Counts the decisions that have each code. The highest count comes first, and equal counts are ordered by code. */
export function countReasonCodes(decisions: readonly ReasonCodes[]): { code: string; count: number }[] {
  const decisionsByCodes = new Map<ReasonCodes, number>();
  for (const codes of decisions) decisionsByCodes.set(codes, (decisionsByCodes.get(codes) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [codes, number] of decisionsByCodes) {
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + number);
  }
  return Array.from(counts, ([code, count]) => ({ code, count })).toSorted(
    (a, b) => b.count - a.count || (a.code < b.code ? -1 : 1),
  );
}
