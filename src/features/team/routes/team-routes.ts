import type { Route } from "../../../path/front/route.js";
import type { AccountSettings } from "../../accounts/service.js";
import { createInvitations, type InvitationsOptions } from "../invitations.js";
import { acceptInvitationRoute } from "./accept-invitation.js";
import { changeMemberRoleRoute } from "./change-member-role.js";
import { inviteMemberRoute } from "./invite-member.js";
import { listInvitationsRoute, listTeamRoute } from "./list-team.js";
import { createPasswordResets, type PasswordResets } from "../password-resets.js";
import { createCodeReset } from "../code-resets.js";
import { resetMemberCodesRoute } from "./reset-member-codes.js";
import { resetMemberPasswordRoute } from "./reset-member-password.js";
import { resetPasswordRoute } from "./reset-password.js";
import { removeMemberRoute } from "./remove-member.js";
import { createTeam } from "../service.js";

export interface TeamRoutesParts extends InvitationsOptions {
  accountSettings: AccountSettings;
  /** ACC-30: resets with the token of a letter that a person requested for themselves. */
  redeemOwn: PasswordResets["redeem"];
}

/** The routes for a workspace's members and for joining it. */
export function teamRoutes(parts: TeamRoutesParts): { joining: Route[]; members: Route[] } {
  const invitations = createInvitations(parts);
  const team = createTeam(parts);
  const resets = createPasswordResets(parts);
  return {
    joining: [
      acceptInvitationRoute(invitations.accept, parts.accountSettings),
      resetPasswordRoute(async (token, newPassword, showing) => {
        const reset = await resets.redeem(token, newPassword, showing);
        return reset === "unknown" ? parts.redeemOwn(token, newPassword, showing) : reset;
      }),
    ],
    members: [
      listTeamRoute(team),
      listInvitationsRoute(team.invitations),
      inviteMemberRoute(invitations.invite),
      changeMemberRoleRoute(team.changeRole),
      removeMemberRoute(team.remove),
      resetMemberPasswordRoute(resets.request),
      resetMemberCodesRoute(createCodeReset(parts)),
    ],
  };
}
