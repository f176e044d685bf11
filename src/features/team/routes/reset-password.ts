import { redemptionValidator } from "../wire/team-schema.js";
import type { PasswordResets } from "../password-resets.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { PASSWORDS_FULL } from "../../accounts/service.js";
import type { AttemptRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/auth/reset-password: 204. The person then signs in with the new password. */
export function resetPasswordRoute(redeem: PasswordResets["redeem"]): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/reset-password",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text, source) {
      const parsed = redemptionValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { token, new_password: newPassword } = parsed.value;
      const result = await redeem(token, newPassword, { source, presentedToken: null, device: null });
      switch (result) {
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "full":
          return exchange.fail(PASSWORDS_FULL);
        case "unknown":
          return exchange.fail({ kind: "not_found", message: "Password reset not found" });
        case "reset":
          return exchange.sendNoContent();
      }
    },
  };
}
