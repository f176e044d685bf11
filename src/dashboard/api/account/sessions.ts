import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "../transport/action.js";
import { useRead } from "../transport/read.js";
import { requestAll } from "../transport/request-all.js";
import { request } from "../transport/request.js";
import type { SessionList } from "../wire-types.js";

const SESSIONS = ["sessions"];

/**
 * GET /v1/auth/sessions: all sessions of the person. The current one is first, and the others follow by their last
 * use.
 */
export function useSessions() {
  return useRead({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => {
      const sessions = await requestAll<SessionList["sessions"][number]>("/v1/auth/sessions", {
        rows: "sessions",
        cursorOf: ({ session_id }) => session_id,
        signal,
      });
      const rank = ({ current, last_seen_at }: (typeof sessions)[number]): string =>
        `${current ? 1 : 0}${last_seen_at}`;
      return { sessions: sessions.toSorted((a, b) => rank(b).localeCompare(rank(a))) };
    },
  });
}

/** DELETE /v1/auth/sessions/:sessionId */
export function useEndSession() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (sessionId: string) =>
      request<undefined>("DELETE", `/v1/auth/sessions/${encodeURIComponent(sessionId)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** DELETE /v1/auth/sessions ends all sessions except the requesting one. */
export function useEndOtherSessions() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: () => request<undefined>("DELETE", "/v1/auth/sessions"),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** POST /v1/auth/change-password. The person's other sessions end (ACC-11). */
export function useChangePassword() {
  const queries = useQueryClient();
  return useAction({
    // The variables contain passwords, so they are dropped when the page closes.
    gcTime: 0,
    mutationFn: (body: { current_password: string; new_password: string }) =>
      request<undefined>("POST", "/v1/auth/change-password", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}
