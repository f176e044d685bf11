import { isId } from "../../domain/ids/ids.js";
import type { ExportKind, Role } from "../../domain/vocabulary/vocabulary.js";
import type { LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Principal } from "../../path/access/session.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { DatabaseRead } from "../../platform/postgres/database-read.js";
import type { TenantConnection, TenantDb } from "../../platform/postgres/tenant-db.js";
import { insertAuditEntry, type AuditAction, type AuditEntry } from "../audit/service.js";
import { lockWorkspace } from "../workspaces/service.js";
import {
  countExports,
  deleteExport,
  findExport,
  insertExport,
  listExports,
  type Export,
  type ExportPage,
  type ExportRequest,
} from "./queries/export.js";

export interface ExportsOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** Waits until PostgreSQL has every record that this node has acknowledged. */
  read: DatabaseRead;
  /** The 26 characters of a new id. */
  nextId(): string;
}

const KEPT_FULL: LimitReached = { kind: "limit_reached", limit: LIMITS.exportsMax, what: "exports" };
const WAITING_FULL: LimitReached = {
  kind: "limit_reached",
  limit: LIMITS.exportsWaitingMax,
  what: "waiting exports",
};

/** EXP-1: a role may export the kinds that it may list. */
export function kindsOf(role: Role): readonly ExportKind[] {
  return role === "owner" || role === "admin" ? ["decisions", "audit_log", "usage"] : ["decisions"];
}

/** EXP-1 to EXP-4: manages the exports of a workspace. The folder maker/ makes the files, and file/ sends them. */
export function createExports({ tenants, attempt, read, nextId }: ExportsOptions) {
  const note = (
    client: TenantConnection,
    by: Principal,
    action: AuditAction,
    resource: string,
    metadata: AuditEntry["metadata"],
  ): Promise<void> =>
    insertAuditEntry(client, {
      auditId: `aud_${nextId()}`,
      actor: by.userId,
      workspaceId: by.workspaceId,
      action,
      resource,
      metadata,
    });

  return {
    list: ({ workspaceId, role }: Principal, page: Omit<ExportPage, "kinds">) =>
      attempt(() => listExports(tenants.of(workspaceId), workspaceId, { ...page, kinds: kindsOf(role) })),

    /** Returns null for an id that is unknown, of another workspace, or of a kind that the role may not see. */
    async find({ workspaceId, role }: Principal, exportId: string): Promise<Export | null | "unavailable"> {
      if (!isId(exportId, "xpt")) return null;
      return attempt(() => findExport(tenants.of(workspaceId), workspaceId, exportId, kindsOf(role)));
    },

    /** EXP-5: the export includes everything that this node acknowledged before it. */
    create(by: Principal, request: ExportRequest): Promise<Export | LimitReached | "unavailable"> {
      const { workspaceId } = by;
      return read(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          await lockWorkspace(client, workspaceId);
          const { kept, waiting } = await countExports(client, workspaceId);
          if (kept >= LIMITS.exportsMax) return KEPT_FULL;
          if (waiting >= LIMITS.exportsWaitingMax) return WAITING_FULL;
          const exportId = `xpt_${nextId()}`;
          const made = await insertExport(client, workspaceId, {
            ...request,
            exportId,
            createdBy: by.userId,
          });
          const { kind, format, mode } = request;
          await note(client, by, "export.created", exportId, { kind, format, mode });
          return made;
        }),
      );
    },

    /** Returns false for an id that is unknown, of another workspace, or of a kind that the role may not see. */
    async remove(by: Principal, exportId: string): Promise<boolean | "unavailable"> {
      if (!isId(exportId, "xpt")) return false;
      const { workspaceId, role } = by;
      return attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          const found = await findExport(client, workspaceId, exportId, kindsOf(role));
          if (found === null || !(await deleteExport(client, workspaceId, exportId))) return false;
          await note(client, by, "export.deleted", exportId, { kind: found.kind, format: found.format });
          return true;
        }),
      );
    },
  };
}
