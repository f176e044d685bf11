import type { ChangedMemberBody } from "../wire/team-response-schema.js";
import { roleChangeValidator } from "../wire/team-schema.js";
import type { Team } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { memberBody } from "../team-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { TEAM_ERRORS } from "../team-errors.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** PATCH /v1/team/:userId: 200 `{member}`. Only an owner may make or unmake an owner. */
export function changeMemberRoleRoute(changeRole: Team["changeRole"]): SessionRoute {
  return {
    method: "PATCH",
    path: "/v1/team/:userId",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, [userId = ""], text) {
      const parsed = roleChangeValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await changeRole(principal, userId, parsed.value.role);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (typeof result === "string") return exchange.fail(TEAM_ERRORS[result]);
      exchange.send(200, JSON.stringify({ member: memberBody(result) } satisfies ChangedMemberBody));
    },
  };
}
