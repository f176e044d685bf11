import { passwordChangeValidator } from "../wire/account-schema.js";
import type { ChangePassword } from "../change-password.js";
import { PASSWORDS_FULL, TOO_MANY_FAILURES } from "../password-check.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { presentedSession } from "../../../path/front/session-credentials.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/auth/change-password: 204. The requesting session continues, and the person's other sessions end. */
export function changePasswordRoute(change: ChangePassword): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/auth/change-password",
    access: { roles: ROLES },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = passwordChangeValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { current_password: currentPassword, new_password: newPassword } = parsed.value;
      const presentedToken = presentedSession(exchange.head)?.token ?? null;
      const result = await change(principal, { currentPassword, newPassword, presentedToken });
      switch (result) {
        case "full":
          return exchange.fail(PASSWORDS_FULL);
        case "too_many_failures":
          return exchange.fail(TOO_MANY_FAILURES);
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "wrong_password":
          return exchange.fail({ kind: "wrong_current_password" });
        case "changed":
          return exchange.sendNoContent();
      }
    },
  };
}
