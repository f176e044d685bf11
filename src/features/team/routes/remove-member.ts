import type { Team } from "../service.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { TEAM_ERRORS } from "../team-errors.js";

/** DELETE /v1/team/:userId: 204. The member's sessions in the workspace end. */
export function removeMemberRoute(remove: Team["remove"]): SessionRoute {
  return {
    method: "DELETE",
    path: "/v1/team/:userId",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    async handle(exchange, principal, [userId = ""]) {
      const result = await remove(principal, userId);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result !== "removed") return exchange.fail(TEAM_ERRORS[result]);
      exchange.sendNoContent();
    },
  };
}
