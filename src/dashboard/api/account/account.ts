import { request } from "../transport/request.js";
import type { Account } from "../wire-types.js";

/** AUTH-3: the dashboard uses none of the tokens in these answers, because the session is in the answer's cookie. */
export const account = {
  me: (signal: AbortSignal) => request<Account>("GET", "/v1/auth/me", { signal }),
  signIn: (body: { email: string; password: string; code?: string }) =>
    request<unknown>("POST", "/v1/auth/login", { body }),
  enterOidcCode: (body: { code: string }) =>
    request<unknown>("POST", "/v1/auth/oidc/one-time-code", { body }),
  register: (body: {
    email: string;
    password: string;
    name?: string;
    workspace_name: string;
    merchant_id?: string;
  }) => request<unknown>("POST", "/v1/auth/register", { body }),
  acceptInvitation: (body: { token: string; name: string; password: string; code?: string }) =>
    request<unknown>("POST", "/v1/auth/accept-invitation", { body }),
  resetPassword: (body: { token: string; new_password: string }) =>
    request<undefined>("POST", "/v1/auth/reset-password", { body }),
  forgotPassword: (body: { email: string }) => request<unknown>("POST", "/v1/auth/forgot-password", { body }),
  proveEmail: (body: { token: string }) => request<undefined>("POST", "/v1/auth/email/prove", { body }),
  signOut: () => request<undefined>("POST", "/v1/auth/logout"),
};
