import { acceptanceSchema, loginSchema, registrationSchema } from "../../accounts/wire/account-schema.js";
import { newApiKeySchema } from "../../api-keys/wire/api-key-schema.js";
import { accountSchema, signedInSchema } from "../../accounts/wire/account-response-schema.js";
import { invitationSchema, roleChangeSchema } from "../../team/wire/team-schema.js";
import type { Answer, Operations } from "../../../platform/wire/operation.js";
import {
  apiKeyListSchema,
  createdApiKeySchema,
  revokedApiKeySchema,
} from "../../api-keys/wire/api-key-response-schema.js";
import { changedMemberSchema, invitedSchema, teamSchema } from "../../team/wire/team-response-schema.js";

const signedIn = (description: string): Answer => ({
  description,
  schema: signedInSchema,
  headers: {
    "set-cookie": {
      schema: { type: "string" },
      description: "The session, as payinference_session: HttpOnly, SameSite=Strict.",
    },
  },
});
const UNAVAILABLE = "Accounts cannot be read or changed, or too many passwords are being checked.";
const userId = { userId: { schema: { type: "string" }, description: "Of a member." } } as const;
const keyId = { id: { schema: { type: "string" }, description: "Of a key; not its secret." } } as const;

/** Sign-in, API keys and team. */
export const ACCOUNT_OPERATIONS: Operations = {
  "POST /v1/auth/register": {
    operationId: "register",
    tag: "Accounts",
    summary: "Register, with a workspace of one's own",
    description: "With merchant_id that merchant is registered in it too.",
    body: registrationSchema,
    answers: { 201: signedIn("Registered and signed in.") },
    refuses: { 409: "The e-mail address cannot be registered.", 503: UNAVAILABLE },
  },
  "POST /v1/auth/login": {
    operationId: "login",
    tag: "Accounts",
    summary: "Sign in",
    description: "workspace_id chooses among several workspaces.",
    body: loginSchema,
    answers: { 200: signedIn("Signed in.") },
    refuses: {
      401: "Wrong e-mail address or password.",
      403: "Not a member of that workspace, or the workspace is suspended.",
      503: UNAVAILABLE,
    },
  },
  "POST /v1/auth/accept-invitation": {
    operationId: "acceptInvitation",
    tag: "Accounts",
    summary: "Accept an invitation, with an account new or known",
    body: acceptanceSchema,
    answers: { 201: signedIn("A member, and signed in.") },
    refuses: {
      401: "The password is not that of the known account.",
      403: "The workspace is suspended.",
      404: "Unknown, used or expired invitation.",
      409: "A member already, or the e-mail address cannot be registered.",
      503: UNAVAILABLE,
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
  "GET /v1/auth/me": {
    operationId: "getAccount",
    tag: "Accounts",
    summary: "Who is signed in, where and as what",
    answers: { 200: { description: "User, workspace and role.", schema: accountSchema } },
  },
  "GET /v1/api-keys": {
    operationId: "listApiKeys",
    tag: "API keys",
    summary: "The workspace's keys",
    description: "Never a secret.",
    answers: { 200: { description: "Newest first, revoked ones included.", schema: apiKeyListSchema } },
  },
  "POST /v1/api-keys": {
    operationId: "createApiKey",
    tag: "API keys",
    summary: "Create a key",
    body: newApiKeySchema,
    answers: { 201: { description: "With its secret, for the only time.", schema: createdApiKeySchema } },
    refuses: { 403: "The workspace has no such merchant.", 409: "The workspace has as many keys as it can." },
  },
  "DELETE /v1/api-keys/:id": {
    operationId: "revokeApiKey",
    tag: "API keys",
    summary: "Revoke a key",
    description: "At once on this node, within 60 seconds on every other. Again answers the same.",
    path: keyId,
    answers: { 200: { description: "Revoked.", schema: revokedApiKeySchema } },
    refuses: { 404: "Unknown, or of another workspace." },
  },
  "GET /v1/team": {
    operationId: "getTeam",
    tag: "Team",
    summary: "Members, and invitations that can still be accepted",
    answers: { 200: { description: "The team.", schema: teamSchema } },
  },
  "POST /v1/team/invitations": {
    operationId: "inviteMember",
    tag: "Team",
    summary: "Invite somebody",
    body: invitationSchema,
    answers: { 201: { description: "With the token, for the only time.", schema: invitedSchema } },
    refuses: { 409: "A member already, or the team is full." },
  },
  "PATCH /v1/team/:userId": {
    operationId: "changeMemberRole",
    tag: "Team",
    summary: "Change a member's role",
    description:
      "An owner is made, and unmade, by an owner. The member's sessions end, but for the one that asks.",
    path: userId,
    body: roleChangeSchema,
    answers: { 200: { description: "Changed.", schema: changedMemberSchema } },
    refuses: { 404: "Not a member.", 409: "The last owner stays." },
  },
  "DELETE /v1/team/:userId": {
    operationId: "removeMember",
    tag: "Team",
    summary: "Remove a member",
    description: "Their sessions in the workspace end.",
    path: userId,
    answers: { 204: { description: "Removed." } },
    refuses: { 404: "Not a member.", 409: "The last owner stays." },
  },
};
