import { pageParameters } from "../../platform/wire/parameters.js";
import { idSchema } from "../../platform/wire/scalars.js";
import type { Operations } from "../../platform/wire/operation.js";
import { acceptanceSchema } from "../accounts/wire/account-schema.js";
import { ACCOUNTS_UNAVAILABLE, signedIn } from "../accounts/wire/signed-in.js";
import {
  changedMemberSchema,
  invitedSchema,
  passwordResetSchema,
  invitationListSchema,
  teamSchema,
} from "./wire/team-response-schema.js";
import { invitationSchema, redemptionSchema, roleChangeSchema } from "./wire/team-schema.js";

const userId = { userId: { schema: { type: "string" }, description: "Of a member." } } as const;

export const TEAM_OPERATIONS: Operations = {
  "POST /v1/auth/accept-invitation": {
    operationId: "acceptInvitation",
    tag: "Accounts",
    summary: "Accept an invitation, with an account new or known",
    body: acceptanceSchema,
    answers: { 201: signedIn("A member, and signed in.") },
    refuses: {
      401: "The password is not that of the known account; or, by its code, a one-time code is missing or wrong.",
      403: "The workspace is suspended.",
      404: "Unknown, used or expired invitation.",
      409: "A member already, the team is full, or the e-mail address cannot be registered.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/auth/reset-password": {
    operationId: "resetPassword",
    tag: "Accounts",
    summary: "Set a new password with a token",
    description: "All of the person's sessions end.",
    body: redemptionSchema,
    answers: { 204: { description: "Set." } },
    refuses: {
      404: "Unknown, used or expired token.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/team/:userId/reset-password": {
    operationId: "resetMemberPassword",
    tag: "Team",
    summary: "Let a member set a new password",
    description: "The token works once, for an hour. An owner's password is reset by an owner.",
    path: userId,
    answers: { 201: { description: "With the token, for the only time.", schema: passwordResetSchema } },
    refuses: {
      404: "Not a member.",
      409: "One's own password, or one that opens more than this workspace.",
    },
  },
  "POST /v1/team/:userId/reset-one-time-codes": {
    operationId: "resetMemberOneTimeCodes",
    tag: "Team",
    summary: "Turn off a member's one-time codes",
    description: "For who has lost them. An owner's are reset by an owner.",
    path: userId,
    answers: { 204: { description: "Off." } },
    refuses: {
      404: "Not a member.",
      409: "One's own, of who has none, or of who is a member elsewhere too.",
    },
  },
  "GET /v1/team": {
    operationId: "getTeam",
    tag: "Team",
    summary: "Members, and invitations that can still be accepted",
    query: pageParameters(idSchema("usr"), "member", "Members"),
    answers: {
      200: { description: "One page of the members, the newest first.", schema: teamSchema },
    },
  },
  "GET /v1/team/invitations": {
    operationId: "listInvitations",
    tag: "Team",
    summary: "Invitations that can still be accepted",
    description: "Never a token.",
    query: pageParameters(idSchema("inv"), "invitation", "Invitations"),
    answers: { 200: { description: "One page, newest first.", schema: invitationListSchema } },
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
      "An owner is made, and unmade, by an owner. The member's sessions live on, and have the new role's rights from their next request.",
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
