import type { Pool } from "pg";
import { createAccounts } from "../features/accounts/service.js";
import { createApiKeys } from "../features/api-keys/service.js";
import type { Attempt } from "../path/access/attempt.js";
import { createInvitations } from "../features/team/invitations.js";
import { createPasswordQueue, type PasswordWork } from "../features/accounts/password-queue.js";
import { createPlatform } from "../features/platform-admin/service.js";
import { createSetAside } from "../features/set-aside/service.js";
import { ACCESS_LIMITS } from "../domain/vocabulary/access-limits.js";
import { createPasswordCheck } from "../features/accounts/password-check.js";
import { createSignInFailures } from "../features/accounts/sign-in-failures.js";
import { createSessionCheck } from "../path/access/sessions.js";
import { createTeam } from "../features/team/service.js";
import type { Settings } from "../platform/settings/settings.js";
import type { ApplyChangesNow } from "../path/changes/change-queries.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import type { AccountSettings } from "../features/accounts/account-response.js";
import type { Route } from "../path/front/route.js";
import { acceptInvitationRoute } from "../features/team/routes/accept-invitation.js";
import { changeMemberRoleRoute } from "../features/team/routes/change-member-role.js";
import { createApiKeyRoute } from "../features/api-keys/routes/create-api-key.js";
import { inviteMemberRoute } from "../features/team/routes/invite-member.js";
import { listApiKeysRoute } from "../features/api-keys/routes/list-api-keys.js";
import { listTeamRoute } from "../features/team/routes/list-team.js";
import { listWorkspacesRoute } from "../features/platform-admin/routes/list-workspaces.js";
import { loginRoute } from "../features/accounts/routes/login.js";
import { logoutRoute } from "../features/accounts/routes/logout.js";
import { meRoute } from "../features/accounts/routes/me.js";
import { registerRoute } from "../features/accounts/routes/register.js";
import { releaseAccountRoute } from "../features/platform-admin/routes/release-account.js";
import { removeMemberRoute } from "../features/team/routes/remove-member.js";
import { revokeApiKeyRoute } from "../features/api-keys/routes/revoke-api-key.js";
import { setWorkspaceStatusRoute } from "../features/platform-admin/routes/set-workspace-status.js";
import {
  discardSetAsideRoute,
  listSetAsideRoute,
  retrySetAsideRoute,
  setAsideRoute,
} from "../features/set-aside/routes.js";

export interface AccountRoutesOptions {
  /** Who people are is asked over all tenants. */
  pool: Pool;
  tenants: TenantDb;
  attempt: Attempt;
  passwordWork: PasswordWork;
  /** A count that rises while this node makes decisions. */
  decisionsMade(): number;
  settings: Settings;
  onRateLimited(): void;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  /** This node forgets a key, in memory and on its disk. */
  forgetKey(publicId: string): void;
  applyChangesNow: ApplyChangesNow;
}

/** Users, sessions, API keys, team and the platform's administrator. */
export function accountRoutes(options: AccountRoutesOptions): Route[] {
  const { now } = options;
  const { host, riskBlockThreshold, trustProxyHops, authRateLimitPerMinute } = options.settings;
  const { kept, registrationIsOpen } = options.settings;
  const settings: AccountSettings = { listenHost: host, riskBlockThreshold, trustProxyHops };
  const passwords = createPasswordCheck({
    passwords: createPasswordQueue({ work: options.passwordWork, decisionsMade: options.decisionsMade }),
    // RATE-5: 0 turns off what limits signing in.
    failures: createSignInFailures(authRateLimitPerMinute === 0 ? 0 : ACCESS_LIMITS.signInFailuresPerMinute),
    checkSession: createSessionCheck(options.pool, options.attempt),
    onRateLimited: options.onRateLimited,
    now,
  });
  const accounts = createAccounts({ ...options, registrationIsOpen, passwords });
  const invitations = createInvitations({ ...options, kept, passwords, signIn: accounts.signIn });
  const keys = createApiKeys({ ...options, kept, forget: options.forgetKey });
  const team = createTeam(options);
  const platform = createPlatform(options);
  const setAside = createSetAside(options);
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
    releaseAccountRoute(platform.releaseAccount),
    listSetAsideRoute(setAside.list),
    setAsideRoute(setAside.find),
    retrySetAsideRoute(setAside.retry),
    discardSetAsideRoute(setAside.discard),
  ];
}
