import { idFloorHex, idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import { boundsOf, directionOf, spansOf, type PageStart, type PlaceInHours } from "./page-hours.js";
import { END_MS, type Direction, type HourCounts, type Span } from "./id-spans.js";
import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../../domain/vocabulary/decision-scope.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { DocumentPlace } from "./segment.js";
import {
  PAGE_FEEDBACK_COLUMNS,
  pageOutcomeOf,
  pageReviewOf,
  type PageFeedback,
  type PageFeedbackRow,
} from "./stored-feedback.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** A row of a page: the decision, the place of its document, and its feedback. */
export interface PageRow extends DocumentPlace, PageFeedback {
  /** The decision's id in PostgreSQL's form. It is not converted, because most rows are already known. */
  uuid: string;
}

/** The places of documents in one segment: their offsets and, in the same order, their lengths in bytes. */
export interface SegmentPlaces {
  segmentId: string;
  docOffsets: number[];
  docBytes: number[];
}

/**
 * Finds up to `limit` rows, newest first, or by an offset from the oldest row oldest first. Next to a decision, these
 * are the rows nearest to it. The search runs several queries, so give it a client in a repeatable-read transaction.
 * `newestHours` is the answer of `countDecisions` for the same filter; only a page by offset uses it.
 *
 * Rows are searched only in hours that contain some according to the rollups. A rare filter therefore does not read all
 * of history, and a late page starts at its own hour.
 */
export async function findPage(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  start: PageStart,
  limit: number,
  newestHours: HourCounts | null = null,
): Promise<PageRow[]> {
  const bounds = boundsOf(filter, start);
  if (bounds.low >= bounds.high) return [];
  const direction = directionOf(start);
  const offset = start.kind === "offset" ? start.rows : 0;
  const found =
    filter.orderId === null
      ? await findInHours(client, scope, filter, { bounds, direction, start, offset, limit, newestHours })
      : await findInOrder(client, scope, filter, { bounds, direction, offset, limit }, filter.orderId);
  const page = found.map(pageRowOf);
  return start.kind === "newer_than" ? page.toReversed() : page;
}

interface Search {
  bounds: Span;
  direction: Direction;
  offset: number;
  limit: number;
}

export interface FoundRow extends PageFeedbackRow {
  decision_id: string;
  segment_id: string;
  doc_offset: number;
  doc_bytes: number;
}

interface HourSearch extends Search, PlaceInHours {}

export const COLUMNS = "d.decision_id, d.segment_id, d.doc_offset, d.doc_bytes";

async function findInHours(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  search: HourSearch,
): Promise<FoundRow[]> {
  const { spans, offset } = await spansOf(client, scope, filter, search);
  if (spans.length === 0) return [];
  const order = search.direction === "older" ? "desc" : "asc";
  const { rows } = await client.query<FoundRow>(
    prepared(
      `select ${COLUMNS}, ${PAGE_FEEDBACK_COLUMNS} from (${hoursText(scope, filter, search.direction)}) d
       order by d.position, d.decision_id ${order}`,
      hoursValues(scope, filter, { bounds: search.bounds, spans, limit: search.limit, offset }),
    ),
  );
  return rows;
}

function hoursText(scope: DecisionScope, filter: DecisionFilter, direction: Direction): string {
  const order = direction === "older" ? "desc" : "asc";
  return `select d.*, span.position from unnest($3::uuid[], $4::uuid[]) with ordinality as span (low, high, position)
     cross join lateral (
       select ${COLUMNS} from decisions d
       where d.workspace_id = $1 and d.mode = $2 and $7::text[] is not null
         and d.decision_id >= greatest(span.low, $8) and d.decision_id < least(span.high, $9)
         ${rowConditions(scope, filter, "$7")}
       order by d.decision_id ${order} limit $5::bigint + $6
     ) d
     order by span.position, d.decision_id ${order} limit $5 offset $6`;
}

function hoursValues(
  scope: DecisionScope,
  filter: DecisionFilter,
  { bounds, spans, limit, offset }: { bounds: Span; spans: readonly Span[]; limit: number; offset: number },
): unknown[] {
  return [
    idToHex(scope.workspaceId),
    MODES.indexOf(scope.mode),
    spans.map(({ low }) => low),
    spans.map(({ high }) => high),
    limit,
    offset,
    rowTexts(scope, filter),
    bounds.low,
    bounds.high,
  ];
}

const ALL_TIME: Span = { low: idFloorHex(0), high: idFloorHex(END_MS) };

/**
 * Finds the places of the newest documents, in no particular order. Each segment's places come as one text, because
 * reading hundreds of rows takes the thread more than a millisecond.
 */
export async function findNewestPlaces(
  client: TenantConnection,
  scope: DecisionScope,
  limit: number,
  newestHours: HourCounts | null,
): Promise<SegmentPlaces[]> {
  const start = { kind: "offset", rows: 0 } as const;
  const search: HourSearch = { bounds: ALL_TIME, direction: "older", offset: 0, limit, start, newestHours };
  const { spans, offset } = await spansOf(client, scope, EVERY_DECISION, search);
  if (spans.length === 0) return [];
  const { rows } = await client.query<{ segment_id: string; offsets: string; bytes: string }>(
    prepared(
      `select segment_id, string_agg(doc_offset::text, ',') as offsets, string_agg(doc_bytes::text, ',') as bytes
       from (${hoursText(scope, EVERY_DECISION, "older")}) newest group by segment_id`,
      hoursValues(scope, EVERY_DECISION, { bounds: ALL_TIME, spans, limit, offset }),
    ),
  );
  return rows.map(({ segment_id, offsets, bytes }) => ({
    segmentId: segment_id,
    docOffsets: numbersIn(offsets),
    docBytes: numbersIn(bytes),
  }));
}

function numbersIn(list: string): number[] {
  return list.split(",").map(Number);
}

/** An order has few decisions. All of them are found by its index and then sorted. */
async function findInOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  { bounds, direction, offset, limit }: Search,
  orderId: string,
): Promise<FoundRow[]> {
  const order = direction === "older" ? "desc" : "asc";
  const { rows } = await client.query<FoundRow>(
    prepared(
      `with of_order as materialized (
       select ${COLUMNS} from order_decisions($2, $3) as found (decision_id)
       join decisions d on d.decision_id = found.decision_id
       where d.workspace_id = $1 and d.mode = $2 and $4::text[] is not null
         and d.decision_id >= $7 and d.decision_id < $8 ${rowConditions(scope, filter, "$4")}
     )
     select d.*, ${PAGE_FEEDBACK_COLUMNS}
     from (select * from of_order d order by d.decision_id ${order} limit $5 offset $6) d
     order by d.decision_id ${order}`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        orderId,
        rowTexts(scope, filter),
        limit,
        offset,
        bounds.low,
        bounds.high,
      ],
    ),
  );
  return rows;
}

export function pageRowOf(row: FoundRow): PageRow {
  return {
    uuid: row.decision_id,
    segmentId: row.segment_id,
    docOffset: row.doc_offset,
    docBytes: row.doc_bytes,
    outcome: pageOutcomeOf(row),
    review: pageReviewOf(row),
  };
}

/** Returns whether the cursor is a decision that the scope may see. Another tenant's decision counts as unknown. */
export async function isInScope(
  client: TenantConnection,
  scope: DecisionScope,
  decisionId: string,
): Promise<boolean> {
  const { rows } = await client.query<{ merchant_id: string }>(
    prepared("select merchant_id from decisions where workspace_id = $1 and mode = $2 and decision_id = $3", [
      idToHex(scope.workspaceId),
      MODES.indexOf(scope.mode),
      idToHex(decisionId),
    ]),
  );
  return rows[0] !== undefined && (scope.merchantScope ?? rows[0].merchant_id) === rows[0].merchant_id;
}
