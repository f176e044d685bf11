import type { TeamBody } from "../wire/team-response-schema.js";
import type { Team } from "../service.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { invitationBody, memberBody } from "../team-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** GET /v1/team lists the members and the invitations that can still be accepted. */
export function listTeamRoute(list: Team["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/team",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const team = await list(principal);
      if (team === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body: TeamBody = {
        members: team.members.map(memberBody),
        invitations: team.invitations.map(invitationBody),
      };
      exchange.send(200, JSON.stringify(body));
    },
  };
}
