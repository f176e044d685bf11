import { idToHex } from "../shared/ids.js";
import { decodeSegment } from "./segment-codec.js";
import type { TenantConnection } from "./tenant-db.js";

/** Where a document is in its segment. */
export interface DocumentPlace {
  segmentId: string;
  docOffset: number;
  docBytes: number;
}

/** The documents at the given places of one workspace, in their order; every segment is read and decoded once. */
export async function loadDocuments(
  db: TenantConnection,
  workspaceId: string,
  places: readonly DocumentPlace[],
): Promise<string[]> {
  if (places.length === 0) return [];
  const segmentIds = [...new Set(places.map(({ segmentId }) => segmentId))];
  const { rows } = await db.query<{ segment_id: string; docs: Buffer }>({
    name: "load_segments",
    text: "select segment_id, docs from decision_segments where workspace_id = $1 and segment_id = any($2::uuid[])",
    values: [idToHex(workspaceId), segmentIds],
  });
  const decoded = new Map(
    await Promise.all(
      rows.map(async ({ segment_id, docs }) => [segment_id, await decodeSegment(docs)] as const),
    ),
  );
  return places.map(({ segmentId, docOffset, docBytes }) => {
    const docs = decoded.get(segmentId);
    if (docs === undefined) throw new RangeError("a decision's segment is not stored");
    return docs.toString("utf8", docOffset, docOffset + docBytes);
  });
}
