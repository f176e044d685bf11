import { idFloorHex, idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { AuditAction } from "../../domain/vocabulary/audit-actions.js";
import type { Cursor } from "../../platform/http/page-query.js";
import type { AuditSearch } from "./audit-search.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** Metadata holds only ids, enums, numbers and versions. */
export type AuditMetadata = Readonly<Record<string, string | number | null>>;

/** An audit entry, as reads return it. The id contains the time. */
export interface StoredAuditEntry {
  /** `aud_…` */
  auditId: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditMetadata;
}

export interface AuditPage {
  pageSize: number;
  /**
   * The entry before or after which the page lies. The page does not include it. Null: the page begins at the newest
   * entry.
   */
  cursor: Cursor | null;
}

/** ADM-12: a null field does not filter. */
export interface AuditFilter {
  action: AuditAction | null;
  /** `usr_…` or `key_…` */
  actor: string | null;
  resource: string | null;
  /** Null: entries of all merchants, and entries without a merchant. */
  merchantId: string | null;
  search: AuditSearch | null;
  /** Unix milliseconds, included. */
  sinceMs: number | null;
  /** Unix milliseconds, excluded. */
  untilMs: number | null;
}

/**
 * Returns one page, newest first, and whether there are more entries in the direction walked. The page is empty when
 * the workspace has no entry with the cursor's id (LIST-3).
 */
export async function listAuditEntries(
  db: TenantConnection,
  workspaceId: string,
  filter: AuditFilter,
  { pageSize, cursor }: AuditPage,
): Promise<{ entries: StoredAuditEntry[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { text, values } = pageQuery(workspaceId, filter, cursor, pageSize + 1);
  const { rows } = await db.query<AuditRow>(text, values);
  const entries = rows.slice(0, pageSize).map(entryOf);
  return { entries: newer ? entries.toReversed() : entries, hasMore: rows.length > pageSize };
}

/**
 * Builds the query of a page from the given filters only, so that the planner finds the index of each filter. Pass
 * values of a request as parameters, never in the text. The indexes order by `audit_id`, so a page with one filter
 * reads only its own rows.
 */
function pageQuery(
  workspaceId: string,
  { action, actor, resource, merchantId, search, sinceMs, untilMs }: AuditFilter,
  cursor: Cursor | null,
  limit: number,
): { text: string; values: unknown[] } {
  const values: unknown[] = [idToHex(workspaceId)];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ["workspace_id = $1"];
  if (action !== null) conditions.push(`action = ${parameter(action)}`);
  if (actor !== null) conditions.push(`actor = ${parameter(actor)}`);
  if (resource !== null) conditions.push(`${RESOURCE} = ${parameter(resource)}`);
  if (merchantId !== null) conditions.push(`merchant_id = ${parameter(merchantId)}`);
  if (sinceMs !== null) conditions.push(`audit_id >= ${parameter(idFloorHex(sinceMs))}`);
  if (untilMs !== null) conditions.push(`audit_id < ${parameter(idFloorHex(untilMs))}`);
  const newer = cursor?.kind === "newer_than";
  if (cursor !== null) {
    const id = parameter(idToHex(cursor.id));
    conditions.push(`audit_id ${newer ? ">" : "<"} ${id}`);
    conditions.push(`exists (select from audit_log where workspace_id = $1 and audit_id = ${id})`);
  }
  const end = `order by audit_id ${newer ? "asc" : "desc"} limit ${parameter(limit)}`;
  const entries = (...more: string[]): string =>
    `select audit_id, actor, action, resource, metadata from audit_log
     where ${[...conditions, ...more].join(" and ")} ${end}`;
  if (search === null) return { text: entries(), values };
  // Each action is read through its index, in the order of the page. Resource ids with the same beginning are one range
  // of the index.
  const actions = `${parameter(search.actions)}::text[]`;
  const [first, past] = [search.resourcePrefix, search.resourcePrefix + LAST_CHARACTER].map(parameter);
  const text = `select * from (
     select found.* from unnest(${actions}) as meant (action)
     cross join lateral (${entries("action = meant.action")}) found
     union all
     (${entries(`${RESOURCE} >= ${first}`, `${RESOURCE} < ${past}`, `action <> all (${actions})`)})
   ) found ${end}`;
  return { text, values };
}

/**
 * The index compares bytes, so resources with the same beginning are one range. Equality is the same in every collation
 * in use.
 */
const RESOURCE = 'resource collate "C"';
const LAST_CHARACTER = "\u{10FFFF}";

function entryOf(row: AuditRow): StoredAuditEntry {
  return {
    auditId: idFromHex("aud", row.audit_id),
    actor: row.actor,
    action: row.action,
    resource: row.resource,
    metadata: row.metadata,
  };
}

interface AuditRow {
  audit_id: string;
  actor: string;
  action: string;
  resource: string;
  metadata: AuditMetadata;
}
