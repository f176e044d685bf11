import { countDecisions } from "./queries/decision-counts.js";
import { findPage, isInScope, type PageRow } from "./queries/decision-page.js";
import {
  scopeWithin,
  type DecisionFilter,
  type DecisionScope,
} from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Json } from "../../platform/wire/json.js";
import { createDocumentReaders, type DocumentReaders } from "./document-readers.js";
import type { ReadRowTexts } from "./row-texts.js";
import { withFeedback } from "./decision-list-row.js";
import type { DecisionList, DecisionListRow } from "./wire/decision-log-schema.js";
import { type TenantConnection, type TenantDb, SNAPSHOT } from "../../platform/postgres/tenant-db.js";

/** The query of GET /v1/decisions after validation. */
export interface DecisionListQuery {
  pageSize: number;
  /** Counts from 1. It has no effect beside a cursor. */
  page: number;
  /** The decision next to which the page is. The id is well-formed. */
  cursor: { kind: "older_than" | "newer_than"; decisionId: string } | null;
  /** REV-13: by offset alone. */
  isOldestFirst?: boolean;
  filter: DecisionFilter;
}

export type ListDecisions = (scope: DecisionScope, query: DecisionListQuery) => Promise<Json<DecisionList>>;

/**
 * The rows of one page with their feedback, all as of one moment. Documents never change, so they are read afterwards.
 */
interface Found {
  rows: PageRow[];
  hasMore: boolean;
  total: number | null;
}

/** LOG-1: GET /v1/decisions */
export function createDecisionList(
  tenants: TenantDb,
  { rowHeads }: DocumentReaders = createDocumentReaders(tenants),
): ListDecisions {
  return async (scope, query) => {
    const { rows, hasMore, total } = await tenants
      .of(scope.workspaceId)
      .transaction(
        (client) =>
          query.cursor === null
            ? byOffset(client, scope, query)
            : byCursor(client, scope, query, query.cursor),
        SNAPSHOT,
      );
    const head: Omit<DecisionList, "decisions"> = {
      page: query.page,
      page_size: query.pageSize,
      ...(total === null ? {} : { total }),
      has_more: hasMore,
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

async function byOffset(
  client: TenantConnection,
  scope: DecisionScope,
  query: DecisionListQuery,
): Promise<Found> {
  const { filter, page, pageSize, isOldestFirst = false } = query;
  const within = scopeWithin(scope, filter);
  if (within === null) return { rows: [], hasMore: false, total: 0 };
  const { total, newestHours } = await countDecisions(client, within, filter);
  const reachable = Math.min(total, LIMITS.offsetRowsMax);
  const offset = (page - 1) * pageSize;
  const limit = Math.min(pageSize, reachable - offset);
  if (limit <= 0) return { rows: [], hasMore: false, total };
  const start = { kind: "offset", rows: offset, isOldestFirst } as const;
  const rows = await findPage(client, within, filter, start, limit, isOldestFirst ? null : newestHours);
  return { rows, hasMore: offset + rows.length < reachable, total };
}

/** LIST-3: a cursor that is unknown or another tenant's gets an empty page. */
async function byCursor(
  client: TenantConnection,
  scope: DecisionScope,
  { filter, pageSize }: DecisionListQuery,
  cursor: { kind: "older_than" | "newer_than"; decisionId: string },
): Promise<Found> {
  const within = scopeWithin(scope, filter);
  if (within === null || !(await isInScope(client, scope, cursor.decisionId))) {
    return { rows: [], hasMore: false, total: null };
  }
  const found = await findPage(client, within, filter, cursor, pageSize + 1);
  const hasMore = found.length > pageSize;
  // The extra row is the one farthest from the cursor.
  const rows = cursor.kind === "older_than" ? found.slice(0, pageSize) : found.slice(-pageSize);
  return { rows, hasMore, total: null };
}
