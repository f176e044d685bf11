import { readListPage, type ListedRows, type ListPage } from "../../../platform/postgres/list-page.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { ROLES, type InvitedRole } from "../../../domain/vocabulary/vocabulary.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

export interface Invitation {
  /** `inv_…` */
  invitationId: string;
  workspaceId: string;
  email: string;
  role: InvitedRole;
  createdAt: Date;
  expiresAt: Date;
}

export interface NewInvitation extends Invitation {
  /** SHA-256, 32 bytes. */
  tokenHash: Buffer;
  /** `usr_…` */
  invitedBy: string;
}

const COLUMNS = "workspace_id, invitation_id, email, role, created_at, expires_at";
const PENDING = "accepted_at is null and expires_at >";

export async function insertInvitation(db: TenantConnection, invitation: NewInvitation): Promise<void> {
  await db.query(
    `insert into invitations (${COLUMNS}, token_hash, invited_by) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      idToHex(invitation.workspaceId),
      idToHex(invitation.invitationId),
      invitation.email,
      ROLES.indexOf(invitation.role),
      invitation.createdAt,
      invitation.expiresAt,
      invitation.tokenHash,
      idToHex(invitation.invitedBy),
    ],
  );
}

/**
 * Deletes the earlier invitations of an address and all expired ones. Only the newest invitation of an address counts.
 */
export async function deleteOutdatedInvitations(
  db: TenantConnection,
  workspaceId: string,
  email: string,
  now: Date,
): Promise<void> {
  await db.query(
    `delete from invitations
     where workspace_id = $1 and accepted_at is null and (lower(email) = lower($2) or expires_at <= $3)`,
    [idToHex(workspaceId), email, now],
  );
}

/** Counts open invitations. Call it after the expired ones are deleted. */
export async function countPendingInvitations(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from invitations where workspace_id = $1 and accepted_at is null",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

/** Lists open invitations, newest first. */
export async function listPendingInvitations(
  db: TenantConnection,
  workspaceId: string,
  now: Date,
  page: ListPage,
): Promise<ListedRows<Invitation>> {
  const { rows, hasMore } = await readListPage<InvitationRow>(
    db,
    {
      select: `select ${COLUMNS} from invitations where workspace_id = $1 and ${PENDING} $2`,
      values: [idToHex(workspaceId), now],
      key: "invitation_id",
    },
    page,
  );
  return { rows: rows.map(invitationOf), hasMore };
}

/** Returns null for a token that is unknown, used or expired. */
export async function findPendingInvitation(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Invitation | null> {
  const { rows } = await db.query<InvitationRow>(
    `select ${COLUMNS} from invitations where token_hash = $1 and ${PENDING} $2`,
    [tokenHash, now],
  );
  return rows[0] === undefined ? null : invitationOf(rows[0]);
}

/** Returns false if somebody else accepted first or the invitation no longer exists. */
export async function markInvitationAccepted(
  db: Queryable,
  { workspaceId, invitationId }: Invitation,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update invitations set accepted_at = $3 where workspace_id = $1 and invitation_id = $2 and ${PENDING} $3`,
    [idToHex(workspaceId), idToHex(invitationId), now],
  );
  return rowCount === 1;
}

interface InvitationRow {
  workspace_id: string;
  invitation_id: string;
  email: string;
  role: number;
  created_at: Date;
  expires_at: Date;
}

function invitationOf(row: InvitationRow): Invitation {
  return {
    invitationId: idFromHex("inv", row.invitation_id),
    workspaceId: idFromHex("ws", row.workspace_id),
    email: row.email,
    role: ROLES[row.role] as InvitedRole,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
