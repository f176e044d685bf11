import type { Accounts } from "../service.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";
import type { SessionRoute } from "../../../path/front/route.js";
import {
  isPlainHttpDevelopment,
  sessionCookie,
  type CookieSettings,
} from "../../../path/front/session-cookie.js";

/** POST /v1/auth/logout: 204. The session ends and the browser drops its cookie. */
export function logoutRoute(logout: Accounts["logout"], settings: CookieSettings): SessionRoute {
  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/auth/logout",
    access: { roles: ROLES },
    opensBeforeCodes: true,
    bodyBytesMax: null,
    async handle(exchange, principal) {
      if ((await logout(principal)) === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const isSecure = !isPlainHttpDevelopment(settings, exchange.head);
      exchange.sendNoContent([["set-cookie", sessionCookie(null, isSecure)]]);
    },
  };
}
