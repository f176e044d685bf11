import { documentAt, loadSegments, segmentIdsOf, type DocumentPlace } from "./queries/segment.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** Reads the documents at the given places of a workspace, in their order. Rejects when one is not stored. */
export type ReadDocuments = (workspaceId: string, places: readonly DocumentPlace[]) => Promise<string[]>;

/**
 * Segments never change. The parts that a dashboard shows side by side (the newest rows, their reason codes, the review
 * queue) are mostly in the same few segments. The most recently used segments therefore stay decoded.
 */
export function createSegmentReader(
  tenants: TenantDb,
  bytesMax: number = TUNING.segmentCacheBytes,
): ReadDocuments {
  /** The least recently used segment comes first. */
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;

  const keep = (key: string, segment: Buffer): void => {
    if (kept.delete(key)) keptBytes -= heldBytes(segment);
    kept.set(key, segment);
    keptBytes += heldBytes(segment);
    for (const [oldest, dropped] of kept) {
      if (keptBytes <= bytesMax) break;
      kept.delete(oldest);
      keptBytes -= heldBytes(dropped);
    }
  };

  return async (workspaceId, places) => {
    const segments = new Map<string, Buffer>();
    const missing = segmentIdsOf(places).filter((segmentId) => {
      const segment = kept.get(workspaceId + segmentId);
      if (segment !== undefined) segments.set(segmentId, segment);
      return segment === undefined;
    });
    for (const [segmentId, segment] of await loadSegments(tenants.of(workspaceId), workspaceId, missing))
      segments.set(segmentId, segment);
    for (const [segmentId, segment] of segments) keep(workspaceId + segmentId, segment);
    return places.map((place) => documentAt(segments, place));
  };
}

/** Counts the whole buffer that zlib allocated, because a short segment is only a view of it. */
function heldBytes({ buffer }: Buffer): number {
  return buffer.byteLength;
}
