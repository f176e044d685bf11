import type {
  ApiKeyListBody,
  CreatedApiKeyBody,
  RevokedApiKeyBody,
  RotatedApiKeyBody,
} from "./wire/api-key-response-schema.js";
import { type ApiKeys, type ApiKeysOptions, createApiKeys } from "./service.js";
import { apiKeyBody } from "./api-key-response.js";
import { createKeyRotation, type RotateApiKey } from "./rotate-api-key.js";
import type { SessionRoute, Route } from "../../path/front/route.js";
import { hasMoreOf, PAGE_PARAMETERS, readCursor, readPage } from "../../platform/http/page-query.js";
import { ACCOUNTS_UNAVAILABLE } from "../../platform/http/api-error.js";
import { parseNewApiKey, rotationValidator } from "./wire/api-key-schema.js";
import { isLimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

/** The routes for a workspace's API keys. */
export function apiKeyRoutes(parts: ApiKeysOptions): Route[] {
  const keys = createApiKeys(parts);
  return [
    listApiKeysRoute(keys.list),
    createApiKeyRoute(keys.create, parts.now),
    rotateApiKeyRoute(createKeyRotation(parts)),
    revokeApiKeyRoute(keys.revoke),
  ];
}

/** GET /v1/api-keys. The answer never contains a secret. */
function listApiKeysRoute(list: ApiKeys["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/api-keys",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange, principal) {
      const page = readPage(exchange, (query) => readCursor(query, "key"), LIMITS.wholeListRowsMax);
      if (page === null) return;
      const keys = await list(principal, page);
      if (keys === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body = { api_keys: keys.rows.map(apiKeyBody), ...hasMoreOf(page, keys.hasMore) };
      exchange.send(200, JSON.stringify(body satisfies ApiKeyListBody));
    },
  };
}

/** POST /v1/api-keys: 201. No other answer contains the secret. `now` returns Unix milliseconds. */
function createApiKeyRoute(create: ApiKeys["create"], now: () => number): SessionRoute {
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

/** POST /v1/api-keys/:id/rotate: 201. No other answer contains the new secret. */
function rotateApiKeyRoute(rotate: RotateApiKey): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/api-keys/:id/rotate",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    bodyIsOptional: true,
    async handle(exchange, principal, [keyId = ""], text) {
      const parsed = rotationValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { overlap_hours: overlapHours = LIMITS.keyOverlapHoursDefault } = parsed.value;
      const result = await rotate(principal, keyId, overlapHours);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === null) return exchange.fail({ kind: "not_found", message: "API key not found" });
      switch (result.kind) {
        case "over":
          return exchange.fail({ kind: "conflict", message: "API key cannot be rotated" });
        case "limit_reached":
          return exchange.fail(result);
        case "rotated": {
          const { key, secret, replaced } = result;
          return exchange.send(
            201,
            JSON.stringify({
              api_key: apiKeyBody(key),
              secret,
              replaced: apiKeyBody(replaced),
            } satisfies RotatedApiKeyBody),
          );
        }
      }
    },
  };
}

/** DELETE /v1/api-keys/:id: 200 with `revoked_at`. A repeated call gets the same answer. */
function revokeApiKeyRoute(revoke: ApiKeys["revoke"]): SessionRoute {
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
