import { idFromHex } from "../../domain/ids/ids.js";
import {
  isSieving,
  NO_SIEVE,
  type DecisionFilter,
  type DecisionScope,
  type DecisionSieve,
} from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";
import type { DecisionListQuery } from "./decision-list.js";
import type { PageRow } from "./queries/decision-page.js";
import { END_MS, type Span } from "./queries/id-spans.js";
import { olderPart } from "./queries/older-rows.js";
import { boundsOf, directionOf, type PageStart } from "./queries/page-hours.js";
import { findOrderIds, findSearched } from "./queries/searched-ids.js";
import { findSiftedRows } from "./queries/sifted-rows.js";

/** The most rows and documents that are examined for one page. */
export interface SiftBudget {
  rowsMax: number;
  documentsMax: number;
}

export const SIFT_BUDGET: SiftBudget = {
  rowsMax: LIMITS.siftedRowsMax,
  documentsMax: LIMITS.siftedDocumentsMax,
};

/** A query whose search text is resolved to filters. */
export interface Sought {
  filter: DecisionFilter;
  sieve: DecisionSieve;
  /** Decisions outside of this span do not belong to the search. */
  within: Span | null;
}

/** The rows of one snapshot. They are not filtered by reason code yet, because the codes are in documents. */
export interface Sifted {
  rows: PageRow[];
  passed: number;
  stoppedAt: string | null;
}

/** LOG-26: turns a search text into filters. */
export async function seek(
  client: TenantConnection,
  scope: DecisionScope,
  { filter, sieve = NO_SIEVE, search = null }: DecisionListQuery,
): Promise<Sought> {
  if (search === null) return { filter, sieve, within: null };
  // CH-12: if PostgreSQL has the whole interval, the older log is not asked.
  const bounds = boundsOf(filter, ANYWHERE);
  const reachesOlder = olderPart(client, scope, bounds) !== null;
  const reached = reachesOlder ? client : { ...client, older: undefined };
  const searched = await findSearched(reached, scope, search, bounds);
  switch (searched.kind) {
    case "order":
      return { filter: { ...filter, orderId: searched.orderId }, sieve, within: null };
    case "orders":
      return { filter, sieve: { ...sieve, orderStart: searched.orderStart }, within: null };
    case "decision":
    case "decisions":
      return { filter: inTimeOf(filter, searched.ids), sieve, within: searched.ids };
  }
}

const ANYWHERE = { kind: "offset", rows: 0 } as const;

/** True if the rollups and the index of orders find the query's rows without examining single rows. */
export function isFoundByCounts({ sieve, within }: Sought): boolean {
  return within === null && !isSieving(sieve);
}

/** Narrows the filter's interval to the time of a span of ids, so that only those hours are searched. */
function inTimeOf(filter: DecisionFilter, { low, high }: Span): DecisionFilter {
  const lowMs = Number.parseInt(low.slice(0, 12), 16);
  const highMs = Math.min(Number.parseInt(high.slice(0, 12), 16) + 1, END_MS);
  return {
    ...filter,
    sinceMs: Math.max(filter.sinceMs ?? 0, lowMs),
    untilMs: Math.min(filter.untilMs ?? highMs, highMs),
  };
}

/** LOG-27: examines as many rows as the budget allows, from the page's start on. */
export async function sift(
  client: TenantConnection,
  scope: DecisionScope,
  { filter, sieve, within }: Sought,
  query: DecisionListQuery,
  budget: SiftBudget,
): Promise<Sifted> {
  const start = startOf(query);
  const order = filter.orderId;
  const ids = order === null ? null : inDirection(await findOrderIds(client, scope, order), start);
  const { offset, limit } = placeOf(query);
  const limits =
    sieve.reasonCode === null
      ? { looked: budget.rowsMax, offset, rows: limit + 1 }
      : { looked: budget.rowsMax, offset: 0, rows: budget.documentsMax };
  return findSiftedRows(client, scope, { filter, sieve }, { start, within, ids }, limits);
}

function inDirection(ids: Span[], start: PageStart): Span[] {
  const oldestFirst = ids.toSorted((a, b) => (a.low < b.low ? -1 : 1));
  return directionOf(start) === "newer" ? oldestFirst : oldestFirst.toReversed();
}

function startOf({ cursor, isOldestFirst = false }: DecisionListQuery): PageStart {
  // The offset counts passing rows, so the search itself begins at the first row in the order.
  return cursor ?? { kind: "offset", rows: 0, isOldestFirst };
}

/** LIST-4: an offset above offsetRowsMax gives an empty page. */
function placeOf({ cursor, page, pageSize }: DecisionListQuery): { offset: number; limit: number } {
  if (cursor !== null) return { offset: 0, limit: pageSize };
  const offset = Math.min((page - 1) * pageSize, LIMITS.offsetRowsMax);
  return { offset, limit: Math.min(pageSize, LIMITS.offsetRowsMax - offset) };
}

export interface SiftedPage {
  rows: PageRow[];
  hasMore: boolean;
  total: number | null;
  searchedTo: string | null;
}

/** Cuts the page out of the passing rows. Documents are read only for a reason code. */
export async function siftedPage(
  sifted: Sifted,
  query: DecisionListQuery,
  reasonCodesOf: (rows: readonly PageRow[]) => Promise<string[]>,
): Promise<SiftedPage> {
  const { offset, limit } = placeOf(query);
  const code = query.sieve?.reasonCode ?? null;
  let { rows, passed, stoppedAt } = sifted;
  if (code !== null) {
    const codes = await reasonCodesOf(rows);
    const last = rows.at(-1);
    if (passed > rows.length && last !== undefined) stoppedAt = idFromHex("dec", last.uuid);
    const coded = rows.filter((_, at) => codes[at]?.includes(`"${code}"`) === true);
    passed = coded.length;
    rows = coded.slice(offset);
  }
  const page = rows.slice(0, limit);
  const isMore = limit > 0 && rows.length > limit && offset + limit < LIMITS.offsetRowsMax;
  return {
    rows: query.cursor?.kind === "newer_than" ? page.toReversed() : page,
    hasMore: isMore || (stoppedAt !== null && limit > 0),
    total: query.cursor === null && stoppedAt === null ? passed : null,
    searchedTo: page.length < limit ? stoppedAt : null,
  };
}
