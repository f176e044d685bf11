import type { Pool } from "pg";
import { createAccounts } from "../auth/accounts.js";
import { createApiKeys } from "../auth/api-keys.js";
import type { Attempt } from "../auth/attempt.js";
import { createInvitations } from "../auth/invitations.js";
import { createPasswordQueue, type PasswordWork } from "../auth/password-queue.js";
import { createPlatform } from "../auth/platform.js";
import { createTeam } from "../auth/team.js";
import type { GoByNow } from "../persistence/change-queries.js";
import type { TenantDb } from "../persistence/tenant-db.js";
import type { AccountSettings } from "../http/account-response.js";
import type { Route } from "../http/route.js";
import { acceptInvitationRoute } from "../http/routes/accept-invitation.js";
import { changeMemberRoleRoute } from "../http/routes/change-member-role.js";
import { createApiKeyRoute } from "../http/routes/create-api-key.js";
import { inviteMemberRoute } from "../http/routes/invite-member.js";
import { listApiKeysRoute } from "../http/routes/list-api-keys.js";
import { listTeamRoute } from "../http/routes/list-team.js";
import { listWorkspacesRoute } from "../http/routes/list-workspaces.js";
import { loginRoute } from "../http/routes/login.js";
import { logoutRoute } from "../http/routes/logout.js";
import { meRoute } from "../http/routes/me.js";
import { registerRoute } from "../http/routes/register.js";
import { removeMemberRoute } from "../http/routes/remove-member.js";
import { revokeApiKeyRoute } from "../http/routes/revoke-api-key.js";
import { setWorkspaceStatusRoute } from "../http/routes/set-workspace-status.js";

export interface AccountRoutesOptions {
  /** Who people are is asked over all tenants. */
  pool: Pool;
  tenants: TenantDb;
  attempt: Attempt;
  passwordWork: PasswordWork;
  /** A count that rises while this node makes decisions. */
  decisionsMade(): number;
  settings: AccountSettings;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  /** This node forgets a key, in memory and on its disk. */
  forgetKey(publicId: string): void;
  goByNow: GoByNow;
}

/** Users, sessions, API keys, team and the platform's administrator. */
export function accountRoutes(options: AccountRoutesOptions): Route[] {
  const { settings, now } = options;
  const passwords = createPasswordQueue({ work: options.passwordWork, decisionsMade: options.decisionsMade });
  const accounts = createAccounts({ ...options, passwords });
  const invitations = createInvitations({ ...options, passwords, signIn: accounts.signIn });
  const keys = createApiKeys({ ...options, forget: options.forgetKey });
  const team = createTeam(options);
  const platform = createPlatform(options);
  return [
    registerRoute(accounts.register, settings),
    loginRoute(accounts.login, settings),
    logoutRoute(accounts.logout, settings),
    meRoute(accounts.me, settings),
    acceptInvitationRoute(invitations.accept, settings),
    listApiKeysRoute(keys.list),
    createApiKeyRoute(keys.create, now),
    revokeApiKeyRoute(keys.revoke),
    listTeamRoute(team.list),
    inviteMemberRoute(invitations.invite),
    changeMemberRoleRoute(team.changeRole),
    removeMemberRoute(team.remove),
    listWorkspacesRoute(platform.list),
    setWorkspaceStatusRoute("suspend", platform.setStatus),
    setWorkspaceStatusRoute("activate", platform.setStatus),
  ];
}
