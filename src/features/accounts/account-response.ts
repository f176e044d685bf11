import type { AccountBody, SignedInBody, UserBody } from "./wire/account-response-schema.js";
import type { SignedIn } from "./service.js";
import type { Account, User } from "./queries.js";
import type { Principal } from "../../path/access/session.js";
import type { Exchange } from "../../platform/http/exchange.js";
import type { ExtraHeaders } from "../../platform/http/api-error.js";
import {
  isPlainHttpDevelopment,
  sessionCookie,
  type CookieSettings,
} from "../../path/front/session-cookie.js";
import { workspaceBody, type WorkspaceDefaults } from "../workspaces/service.js";

function userBody({ userId, email, name }: User): UserBody {
  return { user_id: userId, email, name };
}

/** The settings that affect answers about accounts. */
export type AccountSettings = CookieSettings & WorkspaceDefaults;

/** ACC-4: GET /v1/auth/me. `platform_admin` and `must_enrol_codes` are present only when they are true. */
export function accountBody(
  { user, workspace, role }: Account,
  { isPlatformAdmin, mustEnrolCodes }: Pick<Principal, "isPlatformAdmin" | "mustEnrolCodes">,
  settings: AccountSettings,
): AccountBody {
  return {
    user: userBody(user),
    workspace: workspaceBody(workspace, settings),
    role,
    ...(isPlatformAdmin ? { platform_admin: true } : {}),
    ...(mustEnrolCodes ? { must_enrol_codes: true } : {}),
  };
}

/** ACC-1: the answer of register, login and accept-invitation: the account, its session and the session's cookie. */
export function sendSignedIn(
  exchange: Exchange,
  status: 200 | 201,
  { account, session }: SignedIn,
  settings: AccountSettings,
  headers: ExtraHeaders = [],
): void {
  const body: SignedInBody = {
    user: userBody(account.user),
    workspace: workspaceBody(account.workspace, settings),
    session: { token: session.token, expires_at: session.expiresAt.toISOString() },
  };
  const isSecure = !isPlainHttpDevelopment(settings, exchange.head);
  const cookie = ["set-cookie", sessionCookie(session.token, isSecure)] as const;
  exchange.send(status, JSON.stringify(body), [cookie, ...headers]);
}
