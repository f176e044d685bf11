import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { ViewedPage } from "../../domain/vocabulary/vocabulary.js";
import type { Cursor } from "../../platform/http/page-query.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

export interface SavedViewContent {
  name: string;
  page: ViewedPage;
  query: string;
  isShared: boolean;
}

export interface SavedView extends SavedViewContent {
  /** `svw_…` */
  viewId: string;
  /** `usr_…` */
  owner: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface SavedViewPage {
  pageSize: number;
  /**
   * The row before or after which the page lies. The page does not include it. Null: the page begins at the newest row.
   */
  cursor: Cursor | null;
  /** Null lists the views of all pages of the dashboard. */
  page: ViewedPage | null;
}

/** The person who reads, and the workspace. */
export interface Reader {
  workspaceId: string;
  userId: string;
}

const COLUMNS = "view_id, owner, name, page, query, is_shared, created_at, updated_at";
/** ANA-10: the views that the reader may see. $1 is the workspace and $2 the reader. */
const SEEN = "workspace_id = $1 and (owner = $2 or is_shared)";

/** The page is empty when the reader sees no view with the cursor's id (LIST-3). */
export async function listSavedViews(
  db: TenantConnection,
  { workspaceId, userId }: Reader,
  { pageSize, cursor, page }: SavedViewPage,
): Promise<{ views: SavedView[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<SavedViewRow>(
    `select ${COLUMNS} from saved_views
     where ${SEEN} and ($5::text is null or page = $5)
       and ($3::uuid is null or (
         view_id ${newer ? ">" : "<"} $3
         and exists (select from saved_views where ${SEEN} and view_id = $3)
       ))
     order by view_id ${newer ? "asc" : "desc"} limit $4`,
    [idToHex(workspaceId), idToHex(userId), cursor === null ? null : idToHex(cursor.id), pageSize + 1, page],
  );
  const views = rows.slice(0, pageSize).map(viewOf);
  return { views: newer ? views.toReversed() : views, hasMore: rows.length > pageSize };
}

/**
 * Finds and locks a view for a change. Null for an id that is unknown, another workspace's, or a colleague's unshared
 * view.
 */
export async function lockSavedView(
  db: TenantConnection,
  { workspaceId, userId }: Reader,
  viewId: string,
): Promise<SavedView | null> {
  const { rows } = await db.query<SavedViewRow>(
    `select ${COLUMNS} from saved_views where ${SEEN} and view_id = $3 for update`,
    [idToHex(workspaceId), idToHex(userId), idToHex(viewId)],
  );
  return rows[0] === undefined ? null : viewOf(rows[0]);
}

export async function countSavedViews(
  db: TenantConnection,
  { workspaceId, userId }: Reader,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from saved_views where workspace_id = $1 and owner = $2",
    [idToHex(workspaceId), idToHex(userId)],
  );
  return rows[0]?.count ?? 0;
}

export async function insertSavedView(
  db: TenantConnection,
  { workspaceId, userId }: Reader,
  viewId: string,
  view: SavedViewContent,
): Promise<SavedView> {
  const { rows } = await db.query<SavedViewRow>(
    `insert into saved_views (workspace_id, view_id, owner, name, page, query, is_shared)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [idToHex(workspaceId), idToHex(viewId), idToHex(userId), view.name, view.page, view.query, view.isShared],
  );
  return viewOf(rows[0] as SavedViewRow);
}

export async function updateSavedView(
  db: TenantConnection,
  workspaceId: string,
  viewId: string,
  view: SavedViewContent,
): Promise<SavedView> {
  const { rows } = await db.query<SavedViewRow>(
    `update saved_views set name = $3, page = $4, query = $5, is_shared = $6, updated_at = now()
     where workspace_id = $1 and view_id = $2 returning ${COLUMNS}`,
    [idToHex(workspaceId), idToHex(viewId), view.name, view.page, view.query, view.isShared],
  );
  return viewOf(rows[0] as SavedViewRow);
}

export async function deleteSavedView(
  db: TenantConnection,
  workspaceId: string,
  viewId: string,
): Promise<void> {
  await db.query("delete from saved_views where workspace_id = $1 and view_id = $2", [
    idToHex(workspaceId),
    idToHex(viewId),
  ]);
}

interface SavedViewRow {
  view_id: string;
  owner: string;
  name: string;
  page: ViewedPage;
  query: string;
  is_shared: boolean;
  created_at: Date;
  updated_at: Date;
}

function viewOf(row: SavedViewRow): SavedView {
  return {
    viewId: idFromHex("svw", row.view_id),
    owner: idFromHex("usr", row.owner),
    name: row.name,
    page: row.page,
    query: row.query,
    isShared: row.is_shared,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
