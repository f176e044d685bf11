import type { RevokedApiKeyBody } from "../wire/api-key-response-schema.js";
import type { ApiKeys } from "../service.js";
import { apiKeyBody } from "../api-key-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** DELETE /v1/api-keys/:id: 200 with `revoked_at`; again, the same. */
export function revokeApiKeyRoute(revoke: ApiKeys["revoke"]): SessionRoute {
  return {
    method: "DELETE",
    path: "/v1/api-keys/:id",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    async handle(exchange, principal, [keyId = ""]) {
      const key = await revoke(principal, keyId);
      if (key === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (key === null) return exchange.fail({ kind: "not_found", message: "API key not found" });
      exchange.send(200, JSON.stringify({ api_key: apiKeyBody(key) } satisfies RevokedApiKeyBody));
    },
  };
}
