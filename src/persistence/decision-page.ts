import { idFloorHex, idTimeMs, idToHex } from "../shared/ids.js";
import { MODES } from "../shared/vocabulary.js";
import { rowConditions } from "./decision-conditions.js";
import { countHours } from "./decision-counts.js";
import type { DecisionFilter, DecisionScope } from "./decision-scope.js";
import { prepared } from "./prepared.js";
import { HOUR_MS } from "./rollup-columns.js";
import type { DocumentPlace } from "./segment-queries.js";
import type { TenantConnection } from "./tenant-db.js";

/** Where a page begins: after a number of the newest rows, or next to a decision, which is not on it. */
export type PageStart =
  | { kind: "offset"; rows: number }
  | { kind: "older_than" | "newer_than"; decisionId: string };

/** A row of a page: which decision, and where its document is. */
export interface PageRow extends DocumentPlace {
  /** The decision's id as PostgreSQL writes it: pages are asked for far more often than the ids on them are new. */
  uuid: string;
}

/** Where documents of one segment are: offsets, and as many lengths in bytes. */
export interface SegmentPlaces {
  segmentId: string;
  docOffsets: number[];
  docBytes: number[];
}

/** The highest id there can be, and one past the last hour that has ids. */
const ID_MAX = "f".repeat(32);
const HOUR_MAX = Math.floor((2 ** 48 - 1) / HOUR_MS);
/** Most pages are found in the first few hours; then many at a time. */
const HOURS_FIRST = 32;
const HOURS_FURTHER = 1000;

/** Ids from `low` to under `high`. */
interface Span {
  low: string;
  high: string;
}

/**
 * Up to `limit` rows, newest first; next to a decision, the nearest to it. Runs several queries: give it a client in a
 * repeatable-read transaction.
 *
 * Rows are looked for only in hours of which the rollups say that they hold some, so that a rare filter does not read
 * all of history, and a page far down starts at the hour it is in.
 */
export async function findPage(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  start: PageStart,
  limit: number,
): Promise<PageRow[]> {
  const bounds: Span = { low: idFloorHex(filter.sinceMs ?? 0), high: ID_MAX };
  if (start.kind === "older_than") bounds.high = idToHex(start.decisionId);
  // The next id after a decision's own: `low` is inclusive.
  if (start.kind === "newer_than") {
    const next = (BigInt(`0x${idToHex(start.decisionId)}`) + 1n).toString(16).padStart(32, "0");
    if (next > bounds.low) bounds.low = next;
  }
  if (bounds.low >= bounds.high) return [];
  const direction = start.kind === "newer_than" ? "newer" : "older";
  const offset = start.kind === "offset" ? start.rows : 0;
  const found =
    filter.orderId === null
      ? await findInHours(client, scope, filter, { bounds, direction, start, offset, limit })
      : await findInOrder(client, scope, filter, { bounds, direction, offset, limit }, filter.orderId);
  const page = found.map(pageRowOf);
  return direction === "newer" ? page.toReversed() : page;
}

interface Search {
  bounds: Span;
  direction: "older" | "newer";
  offset: number;
  limit: number;
}

interface FoundRow {
  decision_id: string;
  segment_id: string;
  doc_offset: number;
  doc_bytes: number;
}

const COLUMNS = "d.decision_id, d.segment_id, d.doc_offset, d.doc_bytes";

async function findInHours(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  search: Search & { start: PageStart },
): Promise<FoundRow[]> {
  const { spans, offset } = await spansOf(client, scope, filter, search);
  if (spans.length === 0) return [];
  const { rows } = await client.query<FoundRow>(
    prepared(
      hoursText(scope, filter, search.direction),
      hoursValues(scope, search.bounds, spans, search.limit, offset),
    ),
  );
  return rows;
}

function hoursText(scope: DecisionScope, filter: DecisionFilter, direction: Search["direction"]): string {
  const order = direction === "older" ? "desc" : "asc";
  return `select d.* from unnest($3::uuid[], $4::uuid[]) with ordinality as span (low, high, position)
     cross join lateral (
       select ${COLUMNS} from decisions d
       where d.workspace_id = $1 and d.mode = $2 and $7::text is not null
         and d.decision_id >= greatest(span.low, $8) and d.decision_id < least(span.high, $9)
         ${rowConditions(scope, filter, "$7")}
       order by d.decision_id ${order} limit $5::bigint + $6
     ) d
     order by span.position, d.decision_id ${order} limit $5 offset $6`;
}

function hoursValues(
  scope: DecisionScope,
  bounds: Span,
  spans: readonly Span[],
  limit: number,
  offset: number,
): unknown[] {
  return [
    idToHex(scope.workspaceId),
    MODES.indexOf(scope.mode),
    spans.map(({ low }) => low),
    spans.map(({ high }) => high),
    limit,
    offset,
    scope.merchantScope ?? "",
    bounds.low,
    bounds.high,
  ];
}

const ALL_TIME: Span = { low: idFloorHex(0), high: ID_MAX };
const EVERYTHING: DecisionFilter = {
  action: null,
  decisionMode: null,
  unresolved: false,
  sinceMs: null,
  orderId: null,
};

/**
 * The newest rows of a scope, and where the documents of so many of the newest are: as a text for each segment, because
 * hundreds of rows take this thread several milliseconds to read.
 */
export async function findNewest(
  client: TenantConnection,
  scope: DecisionScope,
  { rows: rowsMax, sample }: { rows: number; sample: number },
): Promise<{ rows: PageRow[]; segments: SegmentPlaces[] }> {
  const start = { kind: "offset", rows: 0 } as const;
  const search = { bounds: ALL_TIME, direction: "older", offset: 0, limit: sample, start } as const;
  const { spans, offset } = await spansOf(client, scope, EVERYTHING, search);
  if (spans.length === 0) return { rows: [], segments: [] };
  const { rows: found } = await client.query<{
    decision_id: string | null;
    segment_id: string;
    offsets: string;
    bytes: string;
  }>(
    prepared(
      `with newest as materialized (${hoursText(scope, EVERYTHING, "older")})
       (select decision_id, segment_id, doc_offset::text as offsets, doc_bytes::text as bytes
        from newest order by decision_id desc limit $10)
       union all
       select null, segment_id, string_agg(doc_offset::text, ','), string_agg(doc_bytes::text, ',')
       from newest group by segment_id`,
      [...hoursValues(scope, ALL_TIME, spans, sample, offset), rowsMax],
    ),
  );
  const rows: PageRow[] = [];
  const segments: SegmentPlaces[] = [];
  for (const { decision_id: uuid, segment_id: segmentId, offsets, bytes } of found) {
    if (uuid !== null) rows.push({ uuid, segmentId, docOffset: Number(offsets), docBytes: Number(bytes) });
    else segments.push({ segmentId, docOffsets: numbersIn(offsets), docBytes: numbersIn(bytes) });
  }
  return { rows, segments };
}

function numbersIn(list: string): number[] {
  return list.split(",").map(Number);
}

/** The spans of hours in which the page's rows are, in the direction of the search, and the rows to skip in them. */
async function spansOf(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  { start, direction, offset: rows, limit }: Search & { start: PageStart },
): Promise<{ spans: Span[]; offset: number }> {
  const oldestHour = filter.sinceMs === null ? null : Math.floor(filter.sinceMs / HOUR_MS);
  const cursorHour = start.kind === "offset" ? null : Math.floor(idTimeMs(start.decisionId) / HOUR_MS);
  const spans: Span[] = [];
  let offset = rows;
  /** Rows to find, those to skip included. */
  let needed = limit + offset;
  let from: number | null = cursorHour ?? HOUR_MAX;
  for (let hoursMax = HOURS_FIRST; from !== null && needed > 0; hoursMax = HOURS_FURTHER) {
    const { hours, next } = await countHours(client, scope, filter, direction, from, hoursMax);
    for (const { hour, decisions } of hours) {
      if (oldestHour !== null && hour < oldestHour) continue;
      // Of an hour that is cut by the cursor or by the range it is not known how many rows are left.
      if (hour !== cursorHour && hour !== oldestHour) needed -= decisions;
      // Whole hours before the page are skipped by their count.
      if (spans.length === 0 && decisions <= offset) offset -= decisions;
      else addHour(spans, hour, direction);
      if (needed <= 0) break;
    }
    from = next !== null && oldestHour !== null && next < oldestHour ? null : next;
  }
  return { spans, offset };
}

/** Neighbouring hours become one span: one look into the index instead of several. */
function addHour(spans: Span[], hour: number, direction: "older" | "newer"): void {
  const hours: Span = { low: idFloorHex(hour * HOUR_MS), high: idFloorHex((hour + 1) * HOUR_MS) };
  const last = spans.at(-1);
  if (last === undefined) spans.push(hours);
  else if (direction === "older" && last.low === hours.high) last.low = hours.low;
  else if (direction === "newer" && last.high === hours.low) last.high = hours.high;
  else spans.push(hours);
}

/** An order has few decisions: all of them are found by its index, then put in order. */
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
       where d.workspace_id = $1 and d.mode = $2 and $4::text is not null
         and d.decision_id >= $7 and d.decision_id < $8 ${rowConditions(scope, filter, "$4")}
     )
     select * from of_order d order by d.decision_id ${order} limit $5 offset $6`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        orderId,
        scope.merchantScope ?? "",
        limit,
        offset,
        bounds.low,
        bounds.high,
      ],
    ),
  );
  return rows;
}

function pageRowOf(row: FoundRow): PageRow {
  return {
    uuid: row.decision_id,
    segmentId: row.segment_id,
    docOffset: row.doc_offset,
    docBytes: row.doc_bytes,
  };
}

/** Whether a cursor is a decision that the scope may see; one of another tenant is as unknown as any. */
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
