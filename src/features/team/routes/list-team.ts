import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";
import { hasMoreOf, PAGE_PARAMETERS, readCursor, readPage } from "../../../platform/http/page-query.js";
import type { Team } from "../service.js";
import { invitationBody, memberBody } from "../team-response.js";
import type { InvitationListBody, TeamBody } from "../wire/team-response-schema.js";

/** GET /v1/team: a page of the members, and beside it the newest invitations that can still be accepted. */
export function listTeamRoute({ members, invitations }: Pick<Team, "members" | "invitations">): SessionRoute {
  return {
    method: "GET",
    path: "/v1/team",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange, principal) {
      const page = readPage(exchange, (query) => readCursor(query, "usr"), LIMITS.wholeListRowsMax);
      if (page === null) return;
      const [found, invited] = await Promise.all([
        members(principal, page),
        invitations(principal, { pageSize: page.pageSize, cursor: null }),
      ]);
      if (found === "unavailable" || invited === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body: TeamBody = {
        members: found.rows.map(memberBody),
        invitations: invited.rows.map(invitationBody),
        ...hasMoreOf(page, found.hasMore),
        ...(page.isWhole ? {} : { has_more_invitations: invited.hasMore }),
      };
      exchange.send(200, JSON.stringify(body));
    },
  };
}

/** GET /v1/team/invitations lists the invitations that can still be accepted. */
export function listInvitationsRoute(list: Team["invitations"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/team/invitations",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange, principal) {
      const page = readPage(exchange, (query) => readCursor(query, "inv"));
      if (page === null) return;
      const found = await list(principal, page);
      if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body: InvitationListBody = {
        invitations: found.rows.map(invitationBody),
        has_more: found.hasMore,
      };
      exchange.send(200, JSON.stringify(body));
    },
  };
}
