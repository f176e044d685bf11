import { accountReleaseValidator } from "../wire.js";
import type { Platform } from "../service.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/admin/accounts/release, ADM-9, for the platform's administrator: 204; the address is free again. */
export function releaseAccountRoute(release: Platform["releaseAccount"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/admin/accounts/release",
    access: { platformAdmin: true },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = accountReleaseValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await release(principal, parsed.value);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === "unknown") return exchange.fail({ kind: "not_found", message: "Account not found" });
      if (result === "own") {
        const message = "The platform admin's own address cannot be released";
        return exchange.fail({ kind: "conflict", message });
      }
      exchange.sendNoContent();
    },
  };
}
