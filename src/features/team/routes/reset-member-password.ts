import type { PasswordResetBody } from "../wire/team-response-schema.js";
import type { PasswordResets } from "../password-resets.js";
import { TEAM_ERRORS } from "../team-errors.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/team/:userId/reset-password: 201. Only this answer contains the token, unless the token goes by mail. */
export function resetMemberPasswordRoute(request: PasswordResets["request"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/team/:userId/reset-password",
    access: { roles: ["owner", "admin"] },
    bodyBytesMax: null,
    async handle(exchange, principal, [userId = ""]) {
      const result = await request(principal, userId);
      switch (result) {
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "not_found":
        case "forbidden":
          return exchange.fail(TEAM_ERRORS[result]);
        case "own":
          return exchange.fail({
            kind: "conflict",
            message: "Your own password is changed with the current one",
          });
        case "elsewhere":
          return exchange.fail({ kind: "conflict", message: "This password opens more than this workspace" });
        default: {
          const { token, expiresAt } = result;
          return exchange.send(
            201,
            JSON.stringify({
              ...(token === null ? {} : { token }),
              expires_at: expiresAt.toISOString(),
            } satisfies PasswordResetBody),
          );
        }
      }
    },
  };
}
