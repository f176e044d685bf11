import { modeParameter } from "../../platform/wire/query-schema.js";
import type { CheckKey } from "../access/api-key-cache.js";
import { roleHasScope } from "../access/role-scopes.js";
import type { Principal } from "../access/session.js";
import type { SessionAuthentication } from "../access/sessions.js";
import type { RateWindow } from "../access/rate-window.js";
import { CREDENTIALS_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { refusalOfHead } from "./head-refusal.js";
import { refusalOfStatus } from "./status-refusal.js";
import type { MayBeginChange } from "./keyed-change.js";
import { keyRefusal } from "./key-refusal.js";
import { Query } from "../../platform/http/query.js";
import { isScopedRoute, type PathParameters, type ScopedRoute, type SessionRoute } from "./route.js";
import { isSameOrigin, presentedSession } from "./session-credentials.js";
import { beginWholeBody } from "./whole-body.js";

export interface SessionAdmissionDependencies {
  authenticateKey: CheckKey;
  /** The source of a request, as limits count it. */
  sourceOf(exchange: Exchange): string;
  authenticateSession(token: string, nowMs: number): Promise<SessionAuthentication>;
  rateWindow: RateWindow;
  mayBeginChange: MayBeginChange;
  /** Unix milliseconds. */
  now(): number;
  onRateLimited(): void;
}

/**
 * HTTP-2: admission of a dashboard session. It handles routes for certain roles. It also handles routes for a scope, if
 * the request presents no key.
 */
export function createSessionAdmission(dependencies: SessionAdmissionDependencies) {
  const { authenticateKey, authenticateSession, sourceOf, rateWindow, mayBeginChange, now, onRateLimited } =
    dependencies;

  /** The refusal of an API key on a route that needs a session. An invalid key gets its own refusal. */
  const refuseKey = async (presented: string, exchange: Exchange): Promise<ApiError> => {
    const result = await authenticateKey(presented, now(), () => sourceOf(exchange));
    if (typeof result === "string") return keyRefusal(result);
    exchange.caller = result;
    const { workspaceStatus: status } = result;
    return status === "active" ? { kind: "session_required" } : refusalOfStatus(status);
  };

  const check = async (
    route: SessionRoute | ScopedRoute,
    exchange: Exchange,
  ): Promise<{ principal: Principal } | { error: ApiError }> => {
    const { head } = exchange;
    if (head.apiKey !== undefined) return { error: await refuseKey(head.apiKey, exchange) };
    const presented = presentedSession(head);
    if (presented === null) return { error: { kind: "no_credentials" } };
    const principal = await authenticateSession(presented.token, now());
    if (principal === "invalid_session") return { error: { kind: "invalid_session" } };
    if (principal === "unavailable") return { error: CREDENTIALS_UNAVAILABLE };
    if (presented.isCookie && route.method !== "GET" && !isSameOrigin(head)) {
      return { error: { kind: "cross_origin" } };
    }
    const { workspaceStatus: status } = principal;
    if (status !== "active") return { error: refusalOfStatus(status) };
    const refusal = refuseUncoded(route, principal) ?? refuseRole(route, principal);
    if (refusal !== null) return { error: refusal };
    if (!(await rateWindow.take(principal.sessionKey, now()))) {
      onRateLimited();
      return { error: { kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute } };
    }
    return { principal };
  };

  return async function admitSession(
    route: SessionRoute | ScopedRoute,
    exchange: Exchange,
    params: PathParameters,
  ): Promise<void> {
    const wholeBody = beginWholeBody(exchange, route);
    const checked = await check(route, exchange);
    if ("error" in checked) return exchange.fail(checked.error);
    const refusal = refusalOfHead(route, exchange);
    if (refusal !== null) return exchange.fail(refusal);
    const body = await wholeBody();
    if ("error" in body) return exchange.fail(body.error);
    const { principal } = checked;
    if (!(await mayBeginChange(route, exchange, principal, params, body.text))) return;
    if (!isScopedRoute(route)) return route.handle(exchange, principal, params, body.text);
    // A mode that does not exist was refused with the head.
    const mode = new Query(exchange.head.query).oneOf("mode", modeParameter) ?? "live";
    const { userId: actor, workspaceId } = principal;
    return route.handle(exchange, { actor, workspaceId, mode, merchantScope: null }, params, body.text);
  };
}

export type AdmitSession = ReturnType<typeof createSessionAdmission>;

/** AUTH-36: a person without the one-time codes that the workspace requires may only enrol. */
function refuseUncoded(route: SessionRoute | ScopedRoute, { mustEnrolCodes }: Principal): ApiError | null {
  if (!mustEnrolCodes || (!isScopedRoute(route) && route.opensBeforeCodes === true)) return null;
  return { kind: "must_enrol_codes" };
}

function refuseRole({ access }: SessionRoute | ScopedRoute, principal: Principal): ApiError | null {
  if ("scope" in access) {
    if (roleHasScope(principal.role, access.scope)) return null;
    return { kind: "missing_scope", credential: "Session", scope: access.scope };
  }
  const allowed =
    "platformAdmin" in access ? principal.isPlatformAdmin : access.roles.includes(principal.role);
  return allowed ? null : { kind: "missing_role" };
}
