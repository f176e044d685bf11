import type { Operations } from "../../platform/wire/operation.js";
import { accountSchema } from "./wire/account-response-schema.js";
import { loginSchema, passwordChangeSchema, registrationSchema } from "./wire/account-schema.js";
import { ACCOUNTS_UNAVAILABLE, signedIn } from "./wire/signed-in.js";

/** The operations by which people sign in to the dashboard. */
export const ACCOUNT_OPERATIONS: Operations = {
  "POST /v1/auth/register": {
    operationId: "register",
    tag: "Accounts",
    summary: "Register, with a workspace of one's own",
    description:
      "With merchant_id that merchant is registered in it too. Where REGISTRATION is closed, the first account alone registers; others are invited.",
    body: registrationSchema,
    answers: { 201: signedIn("Registered and signed in.") },
    refuses: {
      403: "Registration is closed.",
      409: "The e-mail address cannot be registered.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/auth/login": {
    operationId: "login",
    tag: "Accounts",
    summary: "Sign in",
    description:
      "workspace_id chooses among several workspaces. code is needed by who has turned one-time codes on.",
    body: loginSchema,
    answers: { 200: signedIn("Signed in.") },
    refuses: {
      401: "Wrong e-mail address or password; or, by its code, a one-time code is missing or wrong.",
      403: "Not a member of that workspace, or the workspace is suspended.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/auth/logout": {
    operationId: "logout",
    tag: "Accounts",
    summary: "End the session",
    answers: {
      204: {
        description: "Ended.",
        headers: {
          "set-cookie": { schema: { type: "string" }, description: "Takes the session's cookie away." },
        },
      },
    },
  },
  "POST /v1/auth/change-password": {
    operationId: "changePassword",
    tag: "Accounts",
    summary: "Change one's own password",
    description: "The session that asks lives on. The person's other sessions end, in all workspaces.",
    body: passwordChangeSchema,
    answers: { 204: { description: "Changed." } },
    refuses: { 403: "The current password is not right.", 503: ACCOUNTS_UNAVAILABLE },
  },
  "GET /v1/auth/me": {
    operationId: "getAccount",
    tag: "Accounts",
    summary: "Who is signed in, where and as what",
    answers: { 200: { description: "User, workspace and role.", schema: accountSchema } },
  },
};
