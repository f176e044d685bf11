import type { ResetCodes } from "../code-resets.js";
import { TEAM_ERRORS } from "../team-errors.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE, type ApiError } from "../../../platform/http/api-error.js";

const CONFLICTS = {
  own: "Your own one-time codes are turned off with the password and a code",
  elsewhere: "These one-time codes open more than this workspace",
  no_codes: "The member has no one-time codes",
} as const;

/** POST /v1/team/:userId/reset-one-time-codes: 204. */
export function resetMemberCodesRoute(reset: ResetCodes): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/team/:userId/reset-one-time-codes",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    async handle(exchange, principal, [userId = ""]) {
      const result = await reset(principal, userId);
      if (result === "reset") return exchange.sendNoContent();
      exchange.fail(errorOf(result));
    },
  };
}

function errorOf(result: Exclude<Awaited<ReturnType<ResetCodes>>, "reset">): ApiError {
  if (result === "unavailable") return ACCOUNTS_UNAVAILABLE;
  if (result === "not_found" || result === "forbidden") return TEAM_ERRORS[result];
  return { kind: "conflict", message: CONFLICTS[result] };
}
