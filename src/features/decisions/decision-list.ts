import { countDecisions } from "./queries/decision-counts.js";
import { findPage, isInScope, type PageRow } from "./queries/decision-page.js";
import {
  amongKept,
  scopeWithin,
  type DecisionFilter,
  type DecisionScope,
  type DecisionSieve,
} from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Json } from "../../platform/wire/json.js";
import { createDocumentReaders, type DocumentReaders } from "./document-readers.js";
import type { ReadRowTexts } from "./row-texts.js";
import {
  isFoundByCounts,
  seek,
  sift,
  siftedPage,
  SIFT_BUDGET,
  type SiftBudget,
  type Sifted,
} from "./sifted-list.js";
import { withFeedback } from "./decision-list-row.js";
import type { DecisionList, DecisionListRow } from "./wire/decision-log-schema.js";
import {
  type TenantConnection,
  type TenantDb,
  type TenantTransaction,
  SNAPSHOT,
  firstReadableMs,
} from "../../platform/postgres/tenant-db.js";

/** The query of GET /v1/decisions after validation. */
export interface DecisionListQuery {
  pageSize: number;
  /** The page number, from 1. It has no effect with a cursor. */
  page: number;
  /** The decision before or after which the page lies. Its id is well-formed. */
  cursor: { kind: "older_than" | "newer_than"; decisionId: string } | null;
  /** REV-13: only for a page by number, not with a cursor. */
  isOldestFirst?: boolean;
  filter: DecisionFilter;
  sieve?: DecisionSieve;
  /** LOG-26: an id, or the beginning of one. */
  search?: string | null;
}

export type ListDecisions = (scope: DecisionScope, query: DecisionListQuery) => Promise<Json<DecisionList>>;

/**
 * The rows of one page with their feedback, all from one database snapshot. Documents never change, so they are read
 * later.
 */
interface Found {
  rows: PageRow[];
  hasMore: boolean;
  total: number | null;
  searchedTo?: string | null;
}

/** LOG-1: GET /v1/decisions */
export function createDecisionList(
  tenants: TenantDb,
  { rowHeads, rowReasonCodes }: DocumentReaders = createDocumentReaders(tenants),
  budget: SiftBudget = SIFT_BUDGET,
): ListDecisions {
  return async (scope, query) => {
    const found = await tenants
      .of(scope.workspaceId)
      .transaction((client) => findRows(client, scope, query, budget), SNAPSHOT);
    const {
      rows,
      hasMore,
      total,
      searchedTo = null,
    }: Found = !("passed" in found)
      ? found
      : await siftedPage(found, query, (sifted) => rowReasonCodes(scope.workspaceId, sifted));
    const head: Omit<DecisionList, "decisions"> = {
      page: query.page,
      page_size: query.pageSize,
      ...(total === null ? {} : { total }),
      has_more: hasMore,
      ...(searchedTo === null ? {} : { searched_to: searchedTo }),
    };
    const decisions = await listRows(rowHeads, scope, rows);
    return `${JSON.stringify(head).slice(0, -1)},"decisions":${decisions}}` as Json<DecisionList>;
  };
}

/** Builds the list rows of a page. */
export async function listRows(
  rowHeads: ReadRowTexts,
  scope: DecisionScope,
  rows: readonly PageRow[],
): Promise<Json<DecisionListRow[]>> {
  const heads = await rowHeads(scope.workspaceId, rows);
  const listed = heads.map((head, at) => withFeedback(head, rows[at] as PageRow));
  return `[${listed.join(",")}]` as Json<DecisionListRow[]>;
}

/** LIST-3: a cursor that is unknown or another tenant's gets an empty page. */
async function findRows(
  client: TenantTransaction,
  scope: DecisionScope,
  asked: DecisionListQuery,
  budget: SiftBudget,
): Promise<Found | Sifted> {
  const query = { ...asked, filter: amongKept(asked.filter, firstReadableMs(client)) };
  const { cursor } = query;
  const within = scopeWithin(scope, query.filter);
  const isKnown = cursor === null || (await isInScope(client, scope, cursor.decisionId));
  if (within === null || !isKnown) return { rows: [], hasMore: false, total: cursor === null ? 0 : null };
  const sought = await seek(client, within, query);
  if (!isFoundByCounts(sought)) return sift(client, within, sought, query, budget);
  const found = { ...query, filter: sought.filter };
  return cursor === null ? byOffset(client, within, found) : byCursor(client, within, found, cursor);
}

async function byOffset(
  client: TenantConnection,
  within: DecisionScope,
  query: DecisionListQuery,
): Promise<Found> {
  const { filter, page, pageSize, isOldestFirst = false } = query;
  const { total, newestHours } = await countDecisions(client, within, filter);
  const reachable = Math.min(total, LIMITS.offsetRowsMax);
  const offset = (page - 1) * pageSize;
  const limit = Math.min(pageSize, reachable - offset);
  if (limit <= 0) return { rows: [], hasMore: false, total };
  const start = { kind: "offset", rows: offset, isOldestFirst } as const;
  const rows = await findPage(client, within, filter, start, limit, isOldestFirst ? null : newestHours);
  return { rows, hasMore: offset + rows.length < reachable, total };
}

async function byCursor(
  client: TenantConnection,
  within: DecisionScope,
  { filter, pageSize }: DecisionListQuery,
  cursor: { kind: "older_than" | "newer_than"; decisionId: string },
): Promise<Found> {
  const found = await findPage(client, within, filter, cursor, pageSize + 1);
  const hasMore = found.length > pageSize;
  // The query asked for one row more than the page has. The extra row is the one farthest from the cursor.
  const rows = cursor.kind === "older_than" ? found.slice(0, pageSize) : found.slice(-pageSize);
  return { rows, hasMore, total: null };
}
