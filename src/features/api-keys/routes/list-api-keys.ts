import type { ApiKeyListBody } from "../wire/api-key-response-schema.js";
import type { ApiKeys } from "../service.js";
import { apiKeyBody } from "../api-key-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** GET /v1/api-keys: never a secret. */
export function listApiKeysRoute(list: ApiKeys["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/api-keys",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const keys = await list(principal);
      if (keys === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      exchange.send(200, JSON.stringify({ api_keys: keys.map(apiKeyBody) } satisfies ApiKeyListBody));
    },
  };
}
