import type { InvitedBody } from "../wire/team-response-schema.js";
import { invitationValidator } from "../wire/team-schema.js";
import type { Invitations } from "../invitations.js";
import { isLimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TEAM_FULL } from "../team-errors.js";
import { invitationBody } from "../team-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/team/invitations: 201. Only this answer contains the token, unless the token goes by mail. */
export function inviteMemberRoute(invite: Invitations["invite"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/team/invitations",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = invitationValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await invite(principal, parsed.value.email, parsed.value.role);
      switch (result) {
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "already_member":
          return exchange.fail({ kind: "conflict", message: "Is a member of this workspace already" });
        case "team_full":
          return exchange.fail(TEAM_FULL);
        default: {
          if (isLimitReached(result)) return exchange.fail(result);
          const { invitation, token } = result;
          return exchange.send(
            201,
            JSON.stringify({
              invitation: invitationBody(invitation),
              ...(token === null ? {} : { token }),
            } satisfies InvitedBody),
          );
        }
      }
    },
  };
}
