import pg from "pg";
import { idTimeMs, idToHex } from "../../domain/ids/ids.js";
import type { AuditAction } from "../../domain/vocabulary/audit-actions.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TransactionStep } from "../../platform/postgres/copy-transaction.js";
import type { AnyConnection, TenantDb } from "../../platform/postgres/tenant-db.js";
import {
  listAuditEntries,
  type AuditFilter,
  type AuditMetadata,
  type AuditPage,
  type StoredAuditEntry,
} from "./queries.js";
import type { AuditEntryBody } from "./wire.js";

/** The folder features/exports uses these. */
export { listAuditEntries, type AuditFilter, type AuditPage } from "./queries.js";
export { auditSearchOf } from "./audit-search.js";
export type { AuditAction } from "../../domain/vocabulary/audit-actions.js";

/** A user who changes a workspace, and the workspace. */
export interface Administrator {
  workspaceId: string;
  /** `usr_…`, for the audit trail. */
  actor: string;
}

/** The author of a change, and the id of its audit entry. */
export interface AuditAuthor {
  /** `aud_…`: new for every entry. */
  auditId: string;
  /** `key_…` or `usr_…` */
  actor: string;
}

/** ADM-4: the entry's time is in its id. */
export interface AuditEntry extends AuditAuthor {
  workspaceId: string;
  action: AuditAction;
  /** The id of the changed object. */
  resource: string;
  metadata: AuditMetadata;
}

const INSERT = "insert into audit_log (workspace_id, audit_id, actor, action, resource, metadata)";
const COLUMNS = 6;

/** Inserts the entry in the transaction of the change itself, so that both are stored or neither. */
export async function insertAuditEntry(client: AnyConnection, entry: AuditEntry): Promise<void> {
  await client.query(`${INSERT} values ($1, $2, $3, $4, $5, $6)`, valuesOf(entry));
}

/** Inserts many entries, as `insertAuditEntry` does for one. */
export async function insertAuditEntries(
  client: AnyConnection,
  entries: readonly AuditEntry[],
): Promise<void> {
  const rows = entries.map(valuesOf);
  const columns = Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]));
  await client.query(
    `${INSERT} select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[])`,
    columns,
  );
}

/**
 * Returns an insert of the entry as a step of a transaction that is sent as a whole. Put only ids and enums into the
 * entry, never submitted text.
 */
export function auditStep(entry: AuditEntry): TransactionStep {
  const literals = valuesOf(entry).map((value) => pg.escapeLiteral(value));
  return { name: "audit_log", sql: `${INSERT} values (${literals.join(", ")})` };
}

function valuesOf({ workspaceId, auditId, actor, action, resource, metadata }: AuditEntry): string[] {
  return [idToHex(workspaceId), idToHex(auditId), actor, action, resource, JSON.stringify(metadata)];
}

/** ADM-4: reads the entries that `insertAuditEntry` wrote. */
export function createAuditLog({ tenants, attempt }: { tenants: TenantDb; attempt: BoundedWork }) {
  return {
    list: (
      workspaceId: string,
      filter: AuditFilter,
      page: AuditPage,
    ): Promise<{ entries: StoredAuditEntry[]; hasMore: boolean } | "unavailable"> =>
      attempt(() => listAuditEntries(tenants.of(workspaceId), workspaceId, filter, page)),
  };
}

export type AuditLog = ReturnType<typeof createAuditLog>;

export function auditEntryBody({
  auditId,
  actor,
  action,
  resource,
  metadata,
}: StoredAuditEntry): AuditEntryBody {
  return {
    audit_id: auditId,
    actor,
    action,
    resource,
    metadata,
    created_at: new Date(idTimeMs(auditId)).toISOString(),
  };
}
