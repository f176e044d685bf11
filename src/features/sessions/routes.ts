import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import {
  isPlainHttpDevelopment,
  sessionCookie,
  type CookieSettings,
} from "../../path/front/session-cookie.js";
import { PAGE_PARAMETERS, readCursor, readPage } from "../../platform/http/page-query.js";
import { ACCOUNTS_UNAVAILABLE } from "../../platform/http/api-error.js";
import type { ListedSession } from "./queries.js";
import { createSessions, type Sessions, type SessionsOptions } from "./service.js";
import type { SessionBody, SessionListBody } from "./wire.js";

/** The routes by which a person sees and ends their own sessions. */
export function sessionRoutes({
  cookieSettings,
  ...options
}: SessionsOptions & { cookieSettings: CookieSettings }): Route[] {
  const sessions = createSessions(options);
  return [
    listSessionsRoute(sessions.list),
    endSessionRoute(sessions.end, cookieSettings),
    endOtherSessionsRoute(sessions.endOthers),
  ];
}

/** GET /v1/auth/sessions. The answer has neither a token nor its hash. */
function listSessionsRoute(list: Sessions["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/auth/sessions",
    access: { roles: ROLES },
    bodyBytesMax: null,
    query: PAGE_PARAMETERS,
    async handle(exchange, principal) {
      const page = readPage(exchange, (query) => readCursor(query, "ses"));
      if (page === null) return;
      const found = await list(principal, page);
      if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body = { sessions: found.rows.map(sessionBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies SessionListBody));
    },
  };
}

/** DELETE /v1/auth/sessions/:sessionId: 204. If it is the requesting session, the browser drops its cookie. */
function endSessionRoute(end: Sessions["end"], settings: CookieSettings): SessionRoute {
  return {
    method: "DELETE",
    path: "/v1/auth/sessions/:sessionId",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, principal, [sessionId = ""]) {
      const result = await end(principal, sessionId);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === "not_found") return exchange.fail({ kind: "not_found", message: "Session not found" });
      if (!result.isCurrent) return exchange.sendNoContent();
      const isSecure = !isPlainHttpDevelopment(settings, exchange.head);
      exchange.sendNoContent([["set-cookie", sessionCookie(null, isSecure)]]);
    },
  };
}

/** DELETE /v1/auth/sessions: 204. All of the person's sessions except the requesting one end. */
function endOtherSessionsRoute(endOthers: Sessions["endOthers"]): SessionRoute {
  return {
    method: "DELETE",
    path: "/v1/auth/sessions",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, principal) {
      if ((await endOthers(principal)) === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      exchange.sendNoContent();
    },
  };
}

function sessionBody(session: ListedSession): SessionBody {
  const { sessionId, workspaceId, workspaceName, createdAt, lastUsedAt, device, address, isCurrent } =
    session;
  const expiresAtMs = Math.min(
    createdAt.getTime() + LIMITS.sessionAbsoluteMs,
    lastUsedAt.getTime() + LIMITS.sessionIdleMs,
  );
  return {
    session_id: sessionId,
    workspace_id: workspaceId,
    workspace_name: workspaceName,
    created_at: createdAt.toISOString(),
    last_seen_at: lastUsedAt.toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    device,
    address,
    current: isCurrent,
  };
}
