import { registrationValidator } from "../wire/account-schema.js";
import type { Accounts } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { sendSignedIn, type AccountSettings } from "../account-response.js";
import { deviceOf } from "../device.js";
import { PASSWORDS_FULL } from "../password-check.js";
import type { AttemptRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/auth/register: creates a user, their workspace, and a session in it. */
export function registerRoute(register: Accounts["register"], settings: AccountSettings): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/register",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text, source) {
      const parsed = registrationValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { email, password, name, workspace_name, merchant_id } = parsed.value;
      const registration = {
        email,
        password,
        workspaceName: workspace_name,
        ...(name === undefined ? {} : { name }),
        ...(merchant_id === undefined ? {} : { merchantId: merchant_id }),
      };
      const result = await register(registration, {
        source,
        presentedToken: null,
        device: deviceOf(exchange.head.userAgent),
      });
      if (result === "full") return exchange.fail(PASSWORDS_FULL);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === "closed") return exchange.fail({ kind: "registration_closed" });
      if (result === "email_taken") {
        return exchange.fail({ kind: "conflict", message: "This e-mail address cannot be registered" });
      }
      sendSignedIn(exchange, 201, result, settings);
    },
  };
}
