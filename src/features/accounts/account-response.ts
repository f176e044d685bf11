import type { TenantBody } from "../workspaces/wire/administration-response-schema.js";
import type {
  AccountBody,
  ApiKeyBody,
  InvitationBody,
  MemberBody,
  SignedInBody,
  UserBody,
  WorkspaceBody,
} from "./wire/account-response-schema.js";
import type { SignedIn } from "./accounts.js";
import type { Account, User } from "./queries.js";
import type { ApiKey, Workspace } from "../../path/access/catalog-queries.js";
import type { Invitation } from "../team/queries/invitation.js";
import type { Member } from "../team/queries/team.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import {
  isPlainHttpDevelopment,
  sessionCookie,
  type CookieSettings,
} from "../../path/front/session-cookie.js";

export const ACCOUNTS_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Accounts cannot be read or changed right now",
};
export const PASSWORDS_FULL: ApiError = {
  kind: "unavailable",
  message: "Too many passwords are being checked right now",
};

function userBody({ userId, email, name }: User): UserBody {
  return { user_id: userId, email, name };
}

/** What answers about accounts depend on besides the account. */
export interface AccountSettings extends CookieSettings {
  /** RISK_BLOCK_THRESHOLD: in force where a workspace has set none. */
  riskBlockThreshold: number;
}

/** As GET /v1/admin/workspace has it: the threshold is the one in force (ADM-2). */
export function workspaceBody(
  workspace: Workspace,
  { riskBlockThreshold }: Pick<AccountSettings, "riskBlockThreshold">,
): WorkspaceBody {
  const own = workspace.riskBlockThreshold;
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    status: workspace.status,
    default_decision_mode: workspace.defaultDecisionMode,
    risk_block_threshold: own ?? riskBlockThreshold,
    risk_block_threshold_source: own === null ? "default" : "workspace",
    created_at: workspace.createdAt.toISOString(),
  };
}

/** ACC-4: GET /v1/auth/me; `platform_admin: true` is there for the platform's administrator alone. */
export function accountBody(
  { user, workspace, role }: Account,
  isPlatformAdmin: boolean,
  settings: AccountSettings,
): AccountBody {
  return {
    user: userBody(user),
    workspace: workspaceBody(workspace, settings),
    role,
    ...(isPlatformAdmin ? { platform_admin: true } : {}),
  };
}

/** ACC-1: register, login and accept-invitation: who it is, the session, and its cookie. */
export function sendSignedIn(
  exchange: Exchange,
  status: 200 | 201,
  { account, session }: SignedIn,
  settings: AccountSettings,
): void {
  const body: SignedInBody = {
    user: userBody(account.user),
    workspace: workspaceBody(account.workspace, settings),
    session: { token: session.token, expires_at: session.expiresAt.toISOString() },
  };
  const isSecure = !isPlainHttpDevelopment(settings, exchange.head);
  exchange.send(status, JSON.stringify(body), [["set-cookie", sessionCookie(session.token, isSecure)]]);
}

export function apiKeyBody(key: ApiKey): ApiKeyBody {
  return {
    id: key.keyId,
    name: key.name,
    mode: key.mode,
    prefix: `pi_${key.mode}_${key.publicId}`,
    scopes: key.scopes,
    merchant_id: key.merchantId,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function memberBody({ userId, email, name, role, createdAt, lastLoginAt }: Member): MemberBody {
  return {
    user_id: userId,
    email,
    name,
    role,
    created_at: createdAt.toISOString(),
    last_login_at: lastLoginAt?.toISOString() ?? null,
  };
}

export function invitationBody({
  invitationId,
  email,
  role,
  createdAt,
  expiresAt,
}: Invitation): InvitationBody {
  return {
    invitation_id: invitationId,
    email,
    role,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

/** ADM-7: /v1/admin/workspaces */
export function tenantBody({ workspaceId, name, status, createdAt }: Workspace): TenantBody {
  return { id: workspaceId, name, status, created_at: createdAt.toISOString() };
}
