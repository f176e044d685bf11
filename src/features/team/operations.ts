import type { Operations } from "../../platform/wire/operation.js";
import { acceptanceSchema } from "../accounts/wire/account-schema.js";
import { ACCOUNTS_UNAVAILABLE, signedIn } from "../accounts/wire/signed-in.js";
import { changedMemberSchema, invitedSchema, teamSchema } from "./wire/team-response-schema.js";
import { invitationSchema, roleChangeSchema } from "./wire/team-schema.js";

const userId = { userId: { schema: { type: "string" }, description: "Of a member." } } as const;

export const TEAM_OPERATIONS: Operations = {
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
      503: ACCOUNTS_UNAVAILABLE,
    },
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
    refuses: { 409: "A member already, the team is full, or as many invitations are pending as may." },
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
