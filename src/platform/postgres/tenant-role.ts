import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientBase } from "pg";

/**
 * The role that tenants' queries run as. It has no login, is no superuser, and has rights to guarded tables only
 * (migrations/0012_row_level_security.sql).
 */
export const TENANT_ROLE = "payinference_tenant";

/** The database's user lacks a right. The message says in one line what a superuser must do. */
export class TenantRoleError extends Error {}

/** The SQLSTATE of a missing right. */
const INSUFFICIENT_PRIVILEGE = "42501";
/**
 * Another node creates or grants the role at the same moment: duplicate_object, unique_violation, or internal_error.
 * The lock of the migrations does not prevent this. It covers one database, and a role belongs to the whole server.
 */
const RACED = new Set(["42710", "23505", "XX000"]);
const ATTEMPTS_MAX = 10;
const RACED_PAUSE_MS = 20;

/** The state of the role of tenants, and of the user who is to assume it. */
interface RoleState {
  exists: boolean;
  /** True if row-level security would not apply to the role. */
  is_unguarded: boolean;
  is_granted: boolean;
  user_name: string;
  may_make_roles: boolean;
}

/**
 * Creates the role of tenant queries and allows `user` to assume it. By default `user` is the connected user. The call
 * is idempotent. Any number of nodes may run it at once, on any databases of one server. Rejects with TenantRoleError
 * if the user lacks a right.
 */
export async function ensureTenantRole(client: ClientBase, user: string | null = null): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const state = await roleState(client, user);
    const [missing] = missingStatements(state);
    if (missing === undefined) return;
    if (attempt > ATTEMPTS_MAX) throw new TenantRoleError(`the role ${TENANT_ROLE} could not be made`);
    try {
      await client.query(missing);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (error.code === INSUFFICIENT_PRIVILEGE) throw lackingRight(state, error);
      if (!RACED.has(error.code ?? "")) throw error;
      // The pause grows with each attempt. Otherwise nodes that start at the same time would collide again and again.
      await sleep(attempt * RACED_PAUSE_MS);
    }
  }
}

/**
 * Examines the role and changes nothing. Resolves to "to be made" if the role is missing or incomplete and the next
 * start can complete it. Rejects with TenantRoleError as `ensureTenantRole` would.
 */
export async function lookAtTenantRole(client: ClientBase): Promise<"there" | "to be made"> {
  const state = await roleState(client, null);
  if (missingStatements(state).length === 0) return "there";
  if (!state.may_make_roles) throw lackingRight(state);
  return "to be made";
}

/**
 * Returns the statements that must still run before tenants' queries can. Throws TenantRoleError if the existing role
 * has too many rights.
 */
function missingStatements({ exists, is_granted, is_unguarded, user_name }: RoleState): string[] {
  if (is_unguarded) {
    throw new TenantRoleError(
      `the role ${TENANT_ROLE} must not be a member of the database's user, a superuser or a role with BYPASSRLS`,
    );
  }
  const create = `create role ${TENANT_ROLE} nologin nosuperuser nobypassrls noinherit`;
  const grant = `grant ${TENANT_ROLE} to ${pg.escapeIdentifier(user_name)}`;
  if (!exists) return [create, grant];
  return is_granted ? [] : [grant];
}

function lackingRight(state: RoleState, cause?: unknown): TenantRoleError {
  const all = missingStatements(state).join("; ");
  return new TenantRoleError(`the user of DATABASE_URL lacks CREATEROLE; have a superuser run: ${all}`, {
    cause,
  });
}

async function roleState(client: ClientBase, user: string | null): Promise<RoleState> {
  // Since PostgreSQL 16 a member may lack the right to SET ROLE. Before 16, each member has it.
  const { rows } = await client.query<RoleState>(
    `select r.oid is not null as exists,
            exists (select from pg_roles s where (s.rolsuper or s.rolbypassrls or s.oid = u.oid) and pg_has_role(r.oid, s.oid, 'MEMBER'))
              as is_unguarded,
            coalesce(pg_has_role(u.oid, r.oid,
              case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end), false)
              as is_granted,
            u.rolname as user_name,
            u.rolcreaterole or u.rolsuper as may_make_roles
     from pg_roles u left join pg_roles r on r.rolname = $1
     where u.rolname = coalesce($2, current_user)`,
    [TENANT_ROLE, user],
  );
  return rows[0] as RoleState;
}
