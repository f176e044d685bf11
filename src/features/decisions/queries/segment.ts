import { idToHex } from "../../../domain/ids/ids.js";
import { decodeSegment } from "../../../path/writer/copy/decision-batch.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The place of a document in its segment. */
export interface PlaceInSegment {
  segmentId: string;
  docOffset: number;
  docBytes: number;
}

/** A document of the older log is not in a segment. It is loaded with its row. */
export type DocumentPlace = PlaceInSegment | { document: string };

/** Loads the documents at the given places of one workspace, in their order. Each segment is read and decoded once. */
export async function loadDocuments(
  db: TenantConnection,
  workspaceId: string,
  places: readonly DocumentPlace[],
): Promise<string[]> {
  const segments = await loadSegments(db, workspaceId, segmentIdsOf(places));
  return places.map((place) => documentAt(segments, place));
}

export function segmentIdsOf(places: readonly DocumentPlace[]): string[] {
  return [...new Set(places.flatMap((place) => ("document" in place ? [] : [place.segmentId])))];
}

/** Loads and decodes segments, keyed by their ids. */
export async function loadSegments(
  db: TenantConnection,
  workspaceId: string,
  segmentIds: readonly string[],
): Promise<Map<string, Buffer>> {
  if (segmentIds.length === 0) return new Map();
  const { rows } = await db.query<{ segment_id: string; docs: Buffer }>({
    name: "load_segments",
    text: "select segment_id, docs from decision_segments where workspace_id = $1 and segment_id = any($2::uuid[])",
    values: [idToHex(workspaceId), segmentIds],
  });
  return new Map(rows.map(({ segment_id, docs }) => [segment_id, decodeSegment(docs)]));
}

/** Throws when the segment is not among `segments`. */
export function documentAt(segments: ReadonlyMap<string, Buffer>, place: DocumentPlace): string {
  if ("document" in place) return place.document;
  const { segmentId, docOffset, docBytes } = place;
  const docs = segments.get(segmentId);
  if (docs === undefined) throw new RangeError("a decision's segment is not stored");
  return docs.toString("utf8", docOffset, docOffset + docBytes);
}
