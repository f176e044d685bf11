import type { ApiKeyGrant, Authentication } from "../auth/api-key-cache.js";
import type { FixedWindow } from "../rate-limit/fixed-window.js";
import { decodeUtf8 } from "../api/json-text.js";
import type { ApiError } from "./api-error.js";
import { collectBody, readBody } from "./body-reader.js";
import type { Exchange } from "./exchange.js";
import { isJsonContentType } from "./request-head.js";
import type { KeyRoute, PathParameters } from "./route.js";

export interface AdmissionDependencies {
  authenticate(presented: string, nowMs: number): Authentication | Promise<Authentication>;
  rateWindow: FixedWindow;
  /** Unix milliseconds. */
  now(): number;
  onRateLimited(): void;
}

/**
 * contract §2 "Order of checks", for a route that asks for a key: credentials → workspace, scope → rate limit →
 * body. A cached key goes through without a promise.
 */
export function createAdmission({ authenticate, rateWindow, now, onRateLimited }: AdmissionDependencies) {
  const check = (route: KeyRoute, result: Authentication): ApiError | null => {
    if (result === "invalid_api_key") return { kind: "invalid_api_key" };
    if (result === "unavailable")
      return { kind: "unavailable", message: "Credentials cannot be checked right now" };
    if (result.workspaceStatus !== "active") return { kind: "inactive_tenant" };
    const { scope } = route.access;
    if (!result.scopes.has(scope)) return { kind: "missing_scope", scope };
    if (!rateWindow.take(result.keyId, now())) {
      onRateLimited();
      return { kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute };
    }
    return null;
  };

  const handleBytes = (
    route: KeyRoute,
    exchange: Exchange,
    grant: ApiKeyGrant,
    params: PathParameters,
    bytes: Uint8Array,
  ): void | Promise<void> => {
    const body = decodeUtf8(bytes);
    if (body === null) {
      const issues = [{ path: "", code: "invalid_json", message: "The body is not valid UTF-8" }] as const;
      return exchange.fail({ kind: "invalid", issues });
    }
    return route.handle(exchange, grant, params, body);
  };

  const admitLater = async (
    route: KeyRoute,
    exchange: Exchange,
    params: PathParameters,
    authenticating: Promise<Authentication>,
  ): Promise<void> => {
    // The body arrives while the key is looked up; its bytes must be taken now.
    const collecting =
      route.bodyBytesMax === null
        ? Promise.resolve(new Uint8Array())
        : collectBody(exchange, route.bodyBytesMax);
    const result = await authenticating;
    const error = check(route, result);
    if (error !== null || typeof result === "string")
      return error === null ? undefined : exchange.fail(error);
    if (route.bodyBytesMax !== null && !isJsonContentType(exchange.head.contentType)) {
      return exchange.fail({ kind: "unsupported_media_type" });
    }
    const bytes = await collecting;
    if (bytes === null) return exchange.fail({ kind: "body_too_large" });
    await handleBytes(route, exchange, result, params, bytes);
  };

  /** Takes a request through to its route's handler. `guard` runs what may throw or reject. */
  return function admit(
    route: KeyRoute,
    exchange: Exchange,
    params: PathParameters,
    guard: (run: () => void | Promise<void>) => void,
  ): void {
    const presented = exchange.head.apiKey;
    if (presented === undefined) return exchange.fail({ kind: "no_credentials" });
    const result = authenticate(presented, now());
    if (result instanceof Promise) return guard(() => admitLater(route, exchange, params, result));
    const error = check(route, result);
    if (error !== null || typeof result === "string")
      return error === null ? undefined : exchange.fail(error);
    if (route.bodyBytesMax === null) return guard(() => route.handle(exchange, result, params, ""));
    if (!isJsonContentType(exchange.head.contentType))
      return exchange.fail({ kind: "unsupported_media_type" });
    readBody(
      exchange,
      route.bodyBytesMax,
      (bytes) => guard(() => handleBytes(route, exchange, result, params, bytes)),
      () => exchange.fail({ kind: "body_too_large" }),
    );
  };
}

export type Admit = ReturnType<typeof createAdmission>;
