import { acceptanceValidator } from "../../accounts/wire/account-schema.js";
import type { Invitations } from "../invitations.js";
import { TEAM_FULL } from "../team-errors.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  deviceOf,
  PASSWORDS_FULL,
  sendSignedIn,
  TOO_MANY_FAILURES,
  type AccountSettings,
} from "../../accounts/service.js";
import { presentedSession } from "../../../path/front/session-credentials.js";
import type { AttemptRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/auth/accept-invitation makes a new or known user a member, with a session in the inviting workspace. */
export function acceptInvitationRoute(
  accept: Invitations["accept"],
  settings: AccountSettings,
): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/accept-invitation",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text, source) {
      const parsed = acceptanceValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { code, ...known } = parsed.value;
      const acceptance = { ...known, ...(code === undefined ? {} : { code }) };
      const presentedToken = presentedSession(exchange.head)?.token ?? null;
      const result = await accept(acceptance, {
        source,
        presentedToken,
        device: deviceOf(exchange.head.userAgent),
      });
      switch (result) {
        case "full":
          return exchange.fail(PASSWORDS_FULL);
        case "too_many_failures":
          return exchange.fail(TOO_MANY_FAILURES);
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "unknown_invitation":
          return exchange.fail({ kind: "not_found", message: "Invitation not found" });
        case "already_member":
          return exchange.fail({ kind: "conflict", message: "You are a member of this workspace already" });
        case "team_full":
          return exchange.fail(TEAM_FULL);
        case "email_taken":
          return exchange.fail({ kind: "conflict", message: "This e-mail address cannot be registered" });
        case "wrong_password":
        case "code_required":
        case "wrong_code":
        case "inactive_tenant":
          return exchange.fail({ kind: result });
        default:
          return sendSignedIn(exchange, 201, result, settings);
      }
    },
  };
}
