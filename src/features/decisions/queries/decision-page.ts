import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import { boundsOf, directionOf, spansOf, type PageStart, type PlaceInHours } from "./page-hours.js";
import { findInBoth, type LogPart } from "./both-logs.js";
import { countKeptOfOrder } from "./decision-counts.js";
import { countRows } from "./decision-rows.js";
import type { Direction, HourCounts, Span } from "./id-spans.js";
import { findOlderMerchant } from "./older-decision.js";
import { findOlderRows } from "./older-page.js";
import { countOlderRows, hullOf, olderPart } from "./older-rows.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
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
export type PageRow = DocumentPlace &
  PageFeedback & {
    /** The decision's id as PostgreSQL writes it. The cache of row texts uses it as its key, so it is not converted. */
    uuid: string;
  };

/**
 * Finds up to `limit` rows. They are newest first, or oldest first for a page by offset from the oldest row. A page
 * next to a decision has the rows nearest to it. The search runs several queries, so give it a client in a
 * repeatable-read transaction. `newestHours` is the result of `countDecisions` for the same filter. Only a page by
 * offset uses it.
 *
 * Rows are searched only in hours that contain matching rows according to the rollups. A rare filter therefore does not
 * read all of history, and a late page starts at its own hour.
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
  const search = { bounds, direction, offset, limit };
  const page =
    filter.orderId === null
      ? await findInHours(client, scope, filter, { ...search, start, newestHours })
      : await findInOrder(client, scope, filter, search, filter.orderId);
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

export interface HourSearch extends Search, PlaceInHours {}

export const COLUMNS = "d.decision_id, d.segment_id, d.doc_offset, d.doc_bytes";

async function findInHours(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  search: HourSearch,
): Promise<PageRow[]> {
  const { spans, offset } = await spansOf(client, scope, filter, search);
  if (spans.length === 0) return [];
  const { bounds, direction } = search;
  const order = direction === "older" ? "desc" : "asc";
  const text = `select ${COLUMNS}, ${PAGE_FEEDBACK_COLUMNS} from (${hoursText(scope, filter, direction)}) d
     order by d.position, d.decision_id ${order}`;
  const kept: LogPart<PageRow> = {
    find: async (skipped, limit) => {
      const values = hoursValues(scope, filter, { bounds, spans, limit, offset: skipped });
      const { rows } = await client.query<FoundRow>(prepared(text, values));
      return rows.map(pageRowOf);
    },
    count: () => countRows(client, scope, filter, within(spans, bounds)),
  };
  const hull = hullOf(within(spans, bounds));
  const older = hull === null ? null : olderPageOf(client, scope, filter, hull, direction);
  return findInBoth({ kept, older }, direction, { offset, limit: search.limit });
}

/** The parts of `spans` that lie within `bounds`. */
function within(spans: readonly Span[], bounds: Span): Span[] {
  return spans
    .map(({ low, high }) => ({
      low: low > bounds.low ? low : bounds.low,
      high: high < bounds.high ? high : bounds.high,
    }))
    .filter(({ low, high }) => low < high);
}

function olderPageOf(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  bounds: Span,
  direction: Direction,
): LogPart<PageRow> | null {
  const span = olderPart(client, scope, bounds);
  return span === null
    ? null
    : {
        find: (offset, limit) => findOlderRows(span, scope, filter, { direction, offset, limit }),
        count: () => countOlderRows(span, scope, filter),
      };
}

export function hoursText(scope: DecisionScope, filter: DecisionFilter, direction: Direction): string {
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

export function hoursValues(
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

/** An order has few decisions. All of them are found by its index and then sorted. */
async function findInOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  { bounds, direction, offset, limit }: Search,
  orderId: string,
): Promise<PageRow[]> {
  const kept: LogPart<PageRow> = {
    find: (skipped, rows) =>
      findKeptInOrder(client, scope, filter, { bounds, direction, offset: skipped, limit: rows }, orderId),
    count: () => countKeptOfOrder(client, scope, filter, orderId),
  };
  const older = olderPageOf(client, scope, filter, bounds, direction);
  return findInBoth({ kept, older }, direction, { offset, limit });
}

async function findKeptInOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  { bounds, direction, offset, limit }: Search,
  orderId: string,
): Promise<PageRow[]> {
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
  return rows.map(pageRowOf);
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
  const merchantId = rows[0]?.merchant_id ?? (await findOlderMerchant(client, scope, decisionId));
  return merchantId !== null && (scope.merchantScope ?? merchantId) === merchantId;
}
