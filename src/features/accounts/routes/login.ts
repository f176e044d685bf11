import { loginValidator } from "../wire/account-schema.js";
import type { Accounts } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { sendSignedIn, type AccountSettings } from "../account-response.js";
import { deviceOf } from "../device.js";
import { PASSWORDS_FULL, TOO_MANY_FAILURES } from "../password-check.js";
import type { AttemptRoute } from "../../../path/front/route.js";
import { presentedSession } from "../../../path/front/session-credentials.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/auth/login: a new session replaces the one that the request presents. */
export function loginRoute(login: Accounts["login"], settings: AccountSettings): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/login",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text, source) {
      const parsed = loginValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { email, password, code, workspace_id } = parsed.value;
      const result = await login(
        {
          email,
          password,
          ...(code === undefined ? {} : { code }),
          ...(workspace_id === undefined ? {} : { workspaceId: workspace_id }),
        },
        {
          source,
          presentedToken: presentedSession(exchange.head)?.token ?? null,
          device: deviceOf(exchange.head.userAgent),
        },
      );
      switch (result) {
        case "full":
          return exchange.fail(PASSWORDS_FULL);
        case "too_many_failures":
          return exchange.fail(TOO_MANY_FAILURES);
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "wrong_password":
        case "code_required":
        case "wrong_code":
        case "no_membership":
        case "inactive_tenant":
          return exchange.fail({ kind: result });
        default:
          return sendSignedIn(exchange, 200, result, settings);
      }
    },
  };
}
