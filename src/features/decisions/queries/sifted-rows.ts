import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import type {
  DecisionFilter,
  DecisionScope,
  DecisionSieve,
} from "../../../domain/vocabulary/decision-scope.js";
import { MODES, OUTCOMES, RISK_BANDS } from "../../../domain/vocabulary/vocabulary.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import { COLUMNS, pageRowOf, type FoundRow, type PageRow } from "./decision-page.js";
import type { Direction, Span } from "./id-spans.js";
import { lookAtOlder } from "./older-sift.js";
import { olderPart } from "./older-rows.js";
import { boundsOf, directionOf, spansOf, type PageStart } from "./page-hours.js";
import { PAGE_FEEDBACK_COLUMNS } from "./stored-feedback.js";

/**
 * The place in which a sieve searches. If `ids` is null, the rollups give the hours. Otherwise only `ids` are searched,
 * in their order.
 */
export interface SiftedPlace {
  start: PageStart;
  /** Limits the search to these ids, in addition to the filter's interval. */
  within: Span | null;
  ids: readonly Span[] | null;
}

export interface SiftLimits {
  /** The most rows to examine. */
  looked: number;
  /** The number of passing rows to skip, and the most to return. */
  offset: number;
  rows: number;
}

export interface SiftedRows {
  /** The rows, in the direction of the search. */
  rows: PageRow[];
  /** The number of passing rows among the examined ones. */
  passed: number;
  /** The last examined decision, if the search may find more decisions after it. Otherwise null. */
  stoppedAt: string | null;
}

/** LOG-27: examines a bounded number of rows, nearest first. The sieve's reason code is not considered. */
export async function findSiftedRows(
  client: TenantConnection,
  scope: DecisionScope,
  { filter, sieve }: { filter: DecisionFilter; sieve: DecisionSieve },
  { start, within, ids }: SiftedPlace,
  limits: SiftLimits,
): Promise<SiftedRows> {
  const direction = directionOf(start);
  const bounds = boundsOf(filter, start, within);
  const search = { start, direction, offset: 0, limit: limits.looked, newestHours: null };
  const { spans } = ids === null ? await spansOf(client, scope, filter, search) : { spans: ids };
  if (bounds.low >= bounds.high) return { rows: [], passed: 0, stoppedAt: null };
  const older = olderPart(client, scope, bounds);
  // The rollups do not know the hours of single orders. For other searches, no hour in the rollups means that there is
  // no row.
  const isOlderEmpty = older === null || (ids === null && spans.length === 0);
  const looks: Look[] = [
    (left) => lookAtKept(client, scope, { filter, sieve }, { spans, bounds, direction }, left),
    ...(isOlderEmpty
      ? []
      : [(left: SiftLimits) => lookAtOlder(older, scope, { filter, sieve }, direction, left)]),
  ];
  return inTurn(direction === "older" ? looks : looks.toReversed(), limits);
}

/** The result from one server, within the limits. */
interface Looked {
  rows: PageRow[];
  passed: number;
  looked: number;
  /** The last examined row, as a UUID. */
  last: string | null;
}

type Look = (left: SiftLimits) => Promise<Looked>;

/** CH-12: searches the servers in sequence, within the limits of one search. */
async function inTurn(looks: readonly Look[], limits: SiftLimits): Promise<SiftedRows> {
  const all: Looked = { rows: [], passed: 0, looked: 0, last: null };
  for (const look of looks) {
    const looked = limits.looked - all.looked;
    if (looked === 0) break;
    const rows = limits.rows - all.rows.length;
    const found = await look({ looked, offset: Math.max(0, limits.offset - all.passed), rows });
    all.rows.push(...found.rows);
    all.passed += found.passed;
    all.looked += found.looked;
    all.last = found.last ?? all.last;
  }
  const isStopped = all.last !== null && all.looked >= limits.looked;
  return {
    rows: all.rows,
    passed: all.passed,
    stoppedAt: isStopped ? idFromHex("dec", all.last as string) : null,
  };
}

async function lookAtKept(
  client: TenantConnection,
  scope: DecisionScope,
  { filter, sieve }: { filter: DecisionFilter; sieve: DecisionSieve },
  { spans, bounds, direction }: { spans: readonly Span[]; bounds: Span; direction: Direction },
  limits: SiftLimits,
): Promise<Looked> {
  if (spans.length === 0) return { rows: [], passed: 0, looked: 0, last: null };
  const { rows } = await client.query<SiftedRow>(
    prepared(siftedText(rowConditions(scope, filter, "$8"), direction), [
      idToHex(scope.workspaceId),
      MODES.indexOf(scope.mode),
      spans.map(({ low }) => low),
      spans.map(({ high }) => high),
      limits.looked,
      limits.rows,
      limits.offset,
      rowTexts(scope, filter),
      bounds.low,
      bounds.high,
      sieveTexts(sieve),
    ]),
  );
  const end = rows[0];
  return {
    rows: rows.filter((row): row is SiftedRow & FoundRow => row.decision_id !== null).map(pageRowOf),
    passed: Number(end?.passed ?? 0),
    looked: Number(end?.looked ?? 0),
    last: end?.last ?? null,
  };
}

/** A passing row with the number of examined rows. If no row passes, only the last three fields have values. */
interface SiftedRow extends Omit<FoundRow, "decision_id"> {
  decision_id: string | null;
  /** PostgreSQL returns a bigint as text. */
  looked: string;
  passed: string;
  last: string | null;
}

function siftedText(conditions: string, direction: Direction): string {
  const [order, reverse] = direction === "older" ? ["desc", "asc"] : ["asc", "desc"];
  return `with looked as materialized (
       select d.*, span.position from unnest($3::uuid[], $4::uuid[]) with ordinality as span (low, high, position)
       cross join lateral (
         select ${COLUMNS}, d.amount_minor, d.risk_band, d.order_id from decisions d
         where d.workspace_id = $1 and d.mode = $2 and $8::text[] is not null
           and d.decision_id >= greatest(span.low, $9) and d.decision_id < least(span.high, $10)
           ${conditions}
         order by d.decision_id ${order} limit $5::bigint
       ) d
       order by span.position, d.decision_id ${order} limit $5
     ), passed as materialized (
       select d.* from looked d where ${SIEVE}
     )
     select d.*, ends.looked, ends.passed, ends.last from (
       select (select count(*) from looked) as looked, (select count(*) from passed) as passed,
         (select decision_id from looked order by position desc, decision_id ${reverse} limit 1) as last
     ) ends left join lateral (
       select ${COLUMNS}, d.position, ${PAGE_FEEDBACK_COLUMNS} from (
         select * from passed d order by d.position, d.decision_id ${order} limit $6 offset $7
       ) d
     ) d on true
     order by d.position, d.decision_id ${order}`;
}

/**
 * All sieves share one text, because a connection caches the plan of each text. The outcome is looked up only if the
 * sieve has one.
 */
const SIEVE = `(($11::text[])[1] is null or d.amount_minor >= ($11::text[])[1]::bigint)
  and (($11::text[])[2] is null or d.amount_minor <= ($11::text[])[2]::bigint)
  and (($11::text[])[3] is null or d.risk_band = ($11::text[])[3]::smallint)
  and (($11::text[])[4] is null or starts_with(d.order_id, ($11::text[])[4]))
  and (($11::text[])[5] is null or (
    select o.outcome from outcomes o
    where o.workspace_id = $1 and o.mode = $2 and o.decision_id = d.decision_id
  ) = ($11::text[])[5]::smallint)`;

function sieveTexts({ amountMin, amountMax, riskBand, outcome, orderStart }: DecisionSieve) {
  const textOf = (number: number | null): string | null => (number === null ? null : String(number));
  return [
    textOf(amountMin),
    textOf(amountMax),
    textOf(riskBand === null ? null : RISK_BANDS.indexOf(riskBand)),
    orderStart,
    textOf(outcome === null ? null : OUTCOMES.indexOf(outcome)),
  ];
}
