import type { Authentication } from "../auth/api-key-cache.js";
import type { SessionAuthentication } from "../auth/sessions.js";
import { decodeUtf8 } from "../api/json-text.js";
import type { FixedWindow } from "../rate-limit/fixed-window.js";
import type { ApiError } from "./api-error.js";
import { collectBody } from "./body-reader.js";
import type { Exchange } from "./exchange.js";
import { isJsonContentType, type RequestHead } from "./request-head.js";
import type { PathParameters, SessionRoute } from "./route.js";
import { isSameOrigin, presentedSession } from "./session-credentials.js";

export interface SessionAdmissionDependencies {
  authenticateKey(presented: string, nowMs: number): Authentication | Promise<Authentication>;
  authenticateSession(token: string, nowMs: number): Promise<SessionAuthentication>;
  rateWindow: FixedWindow;
  /** Unix milliseconds. */
  now(): number;
  onRateLimited(): void;
}

/** contract §2 "Order of checks", for a route that asks for a dashboard session and a role. */
export function createSessionAdmission(dependencies: SessionAdmissionDependencies) {
  const { authenticateKey, authenticateSession, rateWindow, now, onRateLimited } = dependencies;

  /** An API key is not enough, but an invalid one is told so first. */
  const refuseKey = async (presented: string): Promise<ApiError> => {
    const result = await authenticateKey(presented, now());
    if (result === "invalid_api_key") return { kind: "invalid_api_key" };
    if (result === "unavailable") return CREDENTIALS_UNAVAILABLE;
    return result.workspaceStatus === "active" ? { kind: "session_required" } : { kind: "inactive_tenant" };
  };

  const check = async (
    route: SessionRoute,
    head: RequestHead,
  ): Promise<{ principal: Exclude<SessionAuthentication, string> } | { error: ApiError }> => {
    if (head.apiKey !== undefined) return { error: await refuseKey(head.apiKey) };
    const presented = presentedSession(head);
    if (presented === null) return { error: { kind: "no_credentials" } };
    const principal = await authenticateSession(presented.token, now());
    if (principal === "invalid_session") return { error: { kind: "invalid_session" } };
    if (principal === "unavailable") return { error: CREDENTIALS_UNAVAILABLE };
    if (presented.isCookie && route.method !== "GET" && !isSameOrigin(head)) {
      return { error: { kind: "cross_origin" } };
    }
    if (principal.workspaceStatus !== "active") return { error: { kind: "inactive_tenant" } };
    if (!route.access.roles.includes(principal.role)) return { error: { kind: "missing_role" } };
    if (!rateWindow.take(principal.sessionKey, now())) {
      onRateLimited();
      return { error: { kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute } };
    }
    return { principal };
  };

  return async function admitSession(
    route: SessionRoute,
    exchange: Exchange,
    params: PathParameters,
  ): Promise<void> {
    // The body arrives while the session is looked up; its bytes must be taken now.
    const collecting =
      route.bodyBytesMax === null
        ? Promise.resolve(new Uint8Array())
        : collectBody(exchange, route.bodyBytesMax);
    const checked = await check(route, exchange.head);
    if ("error" in checked) return exchange.fail(checked.error);
    if (route.bodyBytesMax !== null && !isJsonContentType(exchange.head.contentType)) {
      return exchange.fail({ kind: "unsupported_media_type" });
    }
    const bytes = await collecting;
    if (bytes === null) return exchange.fail({ kind: "body_too_large" });
    const body = decodeUtf8(bytes);
    if (body === null) {
      const issues = [{ path: "", code: "invalid_json", message: "The body is not valid UTF-8" }] as const;
      return exchange.fail({ kind: "invalid", issues });
    }
    return route.handle(exchange, checked.principal, params, body);
  };
}

export type AdmitSession = ReturnType<typeof createSessionAdmission>;

const CREDENTIALS_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "Credentials cannot be checked right now",
};
