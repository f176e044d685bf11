import type { Accounts } from "../service.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { accountBody, type AccountSettings } from "../account-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** GET /v1/auth/me */
export function meRoute(me: Accounts["me"], settings: AccountSettings): SessionRoute {
  return {
    method: "GET",
    path: "/v1/auth/me",
    access: { roles: ROLES },
    opensBeforeCodes: true,
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const account = await me(principal);
      if (account === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (account === null) return exchange.fail({ kind: "invalid_session" });
      exchange.send(200, JSON.stringify(accountBody(account, principal, settings)));
    },
  };
}
