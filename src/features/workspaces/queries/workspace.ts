import { idToHex, idFromHex } from "../../../domain/ids/ids.js";
import {
  DECISION_MODES,
  type DecisionMode,
  WORKSPACE_STATUSES,
  type WorkspaceStatus,
} from "../../../domain/vocabulary/vocabulary.js";
import { insertAuditEntry, type AuditAuthor } from "../../audit/service.js";

import type { Tenant, TenantConnection } from "../../../platform/postgres/tenant-db.js";
import type { Pool } from "pg";
import { columnsAfter, type RecordKey } from "../../../path/changes/copied-records.js";
import type { Queryable } from "../../../platform/postgres/pool.js";

/** Returns null when no workspace has the id. */
export async function findWorkspace(db: TenantConnection, workspaceId: string): Promise<Workspace | null> {
  const { rows } = await db.query<WorkspaceRow>(
    `select ${WORKSPACE_COLUMNS} from workspaces where workspace_id = $1`,
    [idToHex(workspaceId)],
  );
  return rows[0] === undefined ? null : workspaceOf(rows[0]);
}

/** An undefined setting stays unchanged. */
export interface WorkspaceSettings {
  name: string | undefined;
  defaultDecisionMode: DecisionMode | null | undefined;
  riskBlockThreshold: number | null | undefined;
  retentionDays: number | null | undefined;
  requiresOneTimeCodes: boolean | undefined;
}

/**
 * Changes settings, with an audit entry. Returns null when there is no such workspace. Without a setting it writes
 * nothing.
 */
export async function updateWorkspace(
  tenant: Tenant,
  workspaceId: string,
  settings: WorkspaceSettings,
  author: AuditAuthor,
): Promise<Workspace | null> {
  const { name, defaultDecisionMode, riskBlockThreshold, retentionDays, requiresOneTimeCodes } = settings;
  const isGiven = [name, defaultDecisionMode, riskBlockThreshold, retentionDays, requiresOneTimeCodes].map(
    (value) => value !== undefined,
  );
  if (!isGiven.includes(true)) return findWorkspace(tenant, workspaceId);
  return tenant.transaction(async (client) => {
    const { rows } = await client.query<WorkspaceRow>(
      `update workspaces set
         name = case when $2 then $3 else name end,
         default_decision_mode = case when $4 then $5::smallint else default_decision_mode end,
         risk_block_threshold = case when $6 then $7::smallint else risk_block_threshold end,
         retention_days = case when $8 then $9::integer else retention_days end,
         require_one_time_codes = coalesce($10, require_one_time_codes)
       where workspace_id = $1
       returning ${WORKSPACE_COLUMNS}`,
      [
        idToHex(workspaceId),
        isGiven[0],
        name ?? null,
        isGiven[1],
        typeof defaultDecisionMode === "string" ? DECISION_MODES.indexOf(defaultDecisionMode) : null,
        isGiven[2],
        riskBlockThreshold ?? null,
        isGiven[3],
        retentionDays ?? null,
        requiresOneTimeCodes ?? null,
      ],
    );
    if (rows[0] === undefined) return null;
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: "workspace.updated",
      resource: workspaceId,
      // The entry says only that the name changed, because a name is free text.
      metadata: {
        ...(name === undefined ? {} : { name: "changed" }),
        ...(defaultDecisionMode === undefined ? {} : { default_decision_mode: defaultDecisionMode }),
        ...(riskBlockThreshold === undefined ? {} : { risk_block_threshold: riskBlockThreshold }),
        ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
        ...(requiresOneTimeCodes === undefined
          ? {}
          : { require_one_time_codes: requiresOneTimeCodes ? "on" : "off" }),
      },
    });
    return workspaceOf(rows[0]);
  });
}

/** Loads the workspaces that exist, in any order. */
export async function loadWorkspaces(pool: Pool, workspaceIds: readonly string[]): Promise<Workspace[]> {
  const { rows } = await pool.query<WorkspaceRow>({
    name: "load_workspaces",
    text: `select ${WORKSPACE_COLUMNS} from workspaces where workspace_id = any($1::uuid[])`,
    values: [workspaceIds.map(idToHex)],
  });
  return rows.map(workspaceOf);
}

/** Lists the next workspaces after the given one, by id. */
export async function listWorkspaceKeys(
  pool: Pool,
  after: RecordKey | null,
  limit: number,
): Promise<RecordKey[]> {
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "list_workspace_keys",
    text: `select workspace_id from workspaces where workspace_id > $1::uuid order by workspace_id limit $2`,
    values: [columnsAfter(after)[0], limit],
  });
  return rows.map(({ workspace_id }) => ({ workspaceId: idFromHex("ws", workspace_id), key: "" }));
}

export interface Workspace {
  /** `ws_…` */
  workspaceId: string;
  name: string;
  status: WorkspaceStatus;
  /** Null means enforce. */
  defaultDecisionMode: DecisionMode | null;
  /** From 0 to 100. Null means the RISK_BLOCK_THRESHOLD setting. */
  riskBlockThreshold: number | null;
  /** Null means the RETENTION_DAYS setting. */
  retentionDays: number | null;
  /** ACC-35 */
  requiresOneTimeCodes: boolean;
  createdAt: Date;
}

export interface NewWorkspace {
  workspaceId: string;
  name: string;
  defaultDecisionMode?: DecisionMode;
  riskBlockThreshold?: number;
}

export async function insertWorkspace(db: Queryable, workspace: NewWorkspace): Promise<void> {
  const { workspaceId, name, defaultDecisionMode, riskBlockThreshold } = workspace;
  await db.query(
    `insert into workspaces (workspace_id, name, default_decision_mode, risk_block_threshold) values ($1, $2, $3, $4)`,
    [
      idToHex(workspaceId),
      name,
      defaultDecisionMode === undefined ? null : DECISION_MODES.indexOf(defaultDecisionMode),
      riskBlockThreshold ?? null,
    ],
  );
}

/** Until the commit, nobody else can count or add the workspace's limited records. */
export async function lockWorkspace(client: TenantConnection, workspaceId: string): Promise<void> {
  await client.query("select from workspaces where workspace_id = $1 for no key update", [
    idToHex(workspaceId),
  ]);
}

export const WORKSPACE_COLUMNS =
  "workspace_id, name, status, default_decision_mode, risk_block_threshold, retention_days, require_one_time_codes, created_at";

export interface WorkspaceRow {
  workspace_id: string;
  name: string;
  status: number;
  default_decision_mode: number | null;
  risk_block_threshold: number | null;
  retention_days: number | null;
  require_one_time_codes: boolean;
  created_at: Date;
}

export function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    workspaceId: idFromHex("ws", row.workspace_id),
    name: row.name,
    status: WORKSPACE_STATUSES[row.status] as WorkspaceStatus,
    defaultDecisionMode:
      row.default_decision_mode === null ? null : (DECISION_MODES[row.default_decision_mode] as DecisionMode),
    riskBlockThreshold: row.risk_block_threshold,
    retentionDays: row.retention_days,
    requiresOneTimeCodes: row.require_one_time_codes,
    createdAt: row.created_at,
  };
}
