import type { CreatedApiKeyBody } from "../wire/api-key-response-schema.js";
import { parseNewApiKey } from "../wire/api-key-schema.js";
import type { ApiKeys } from "../service.js";
import { isLimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { apiKeyBody } from "../api-key-response.js";
import type { SessionRoute } from "../../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE } from "../../../platform/http/api-error.js";

/** POST /v1/api-keys: 201, with the secret for the only time. `now`: Unix milliseconds. */
export function createApiKeyRoute(create: ApiKeys["create"], now: () => number): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/api-keys",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = parseNewApiKey(text, now());
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { name, mode, scopes, merchant_id = null, expires_at } = parsed.value;
      const result = await create(principal, {
        name,
        mode,
        scopes: [...scopes],
        merchantId: merchant_id,
        expiresAt: expires_at === undefined ? null : new Date(expires_at),
      });
      switch (result) {
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "unknown_merchant":
          return exchange.fail({ kind: "unknown_merchant" });
        default: {
          if (isLimitReached(result)) return exchange.fail(result);
          const { key, secret } = result;
          return exchange.send(
            201,
            JSON.stringify({ api_key: apiKeyBody(key), secret } satisfies CreatedApiKeyBody),
          );
        }
      }
    },
  };
}
