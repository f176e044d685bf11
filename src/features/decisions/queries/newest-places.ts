import { idFloorHex } from "../../../domain/ids/ids.js";
import { EVERY_DECISION, type DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { hoursText, hoursValues, type HourSearch } from "./decision-page.js";
import { END_MS, type HourCounts, type Span } from "./id-spans.js";
import { findOlderReasonCodes } from "./older-decision.js";
import { olderPart } from "./older-rows.js";
import { spansOf } from "./page-hours.js";

/** The places of documents in one segment: their offsets and, in the same order, their lengths in bytes. */
export interface SegmentPlaces {
  segmentId: string;
  docOffsets: number[];
  docBytes: number[];
}

/** The places of the newest documents. Documents in the older log have no place, so their reason codes are here. */
export interface NewestPlaces {
  places: SegmentPlaces[];
  olderCodes: string[][];
}

const ALL_TIME: Span = { low: idFloorHex(0), high: idFloorHex(END_MS) };

/**
 * Finds the places of the newest documents, in no order. Each segment's places come as one text, because reading
 * hundreds of rows would take the thread more than a millisecond.
 */
export async function findNewestPlaces(
  client: TenantConnection,
  scope: DecisionScope,
  limit: number,
  newestHours: HourCounts | null,
): Promise<NewestPlaces> {
  const start = { kind: "offset", rows: 0 } as const;
  const search: HourSearch = { bounds: ALL_TIME, direction: "older", offset: 0, limit, start, newestHours };
  const { spans, offset } = await spansOf(client, scope, EVERY_DECISION, search);
  if (spans.length === 0) return { places: [], olderCodes: [] };
  const { rows } = await client.query<{ segment_id: string; offsets: string; bytes: string }>(
    prepared(
      `select segment_id, string_agg(doc_offset::text, ',') as offsets, string_agg(doc_bytes::text, ',') as bytes
       from (${hoursText(scope, EVERY_DECISION, "older")}) newest group by segment_id`,
      hoursValues(scope, EVERY_DECISION, { bounds: ALL_TIME, spans, limit, offset }),
    ),
  );
  const places = rows.map(({ segment_id, offsets: some, bytes }) => ({
    segmentId: segment_id,
    docOffsets: numbersIn(some),
    docBytes: numbersIn(bytes),
  }));
  const lacking = limit - places.reduce((found, { docOffsets }) => found + docOffsets.length, 0);
  const older = lacking > 0 ? olderPart(client, scope, ALL_TIME) : null;
  return { places, olderCodes: older === null ? [] : await findOlderReasonCodes(older, scope, lacking) };
}

function numbersIn(list: string): number[] {
  return list.split(",").map(Number);
}
