import { useQueryClient } from "@tanstack/react-query";
import type { Role } from "../../domain/vocabulary/vocabulary.js";
import { useAction } from "./transport/action.js";
import { ACCOUNT } from "./transport/query-client.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Invitation, Member, PasswordReset, Team } from "./wire-types.js";

const TEAM = ["team"];

/** GET /v1/team: all members, and all invitations that can still be accepted. */
export function useTeam(isEnabled = true) {
  return useRead({
    queryKey: TEAM,
    queryFn: async ({ signal }) => {
      const { members, invitations } = await request<Team>("GET", "/v1/team", { signal });
      // The service sorts the members by id. The dashboard sorts them by the time at which they joined.
      return { members: members.toSorted((a, b) => a.created_at.localeCompare(b.created_at)), invitations };
    },
    staleTime: 60_000,
    enabled: isEnabled,
  });
}

/** POST /v1/team/invitations. Only this answer contains the token, unless the token goes by mail. */
export function useInviteMember() {
  const queries = useQueryClient();
  return useAction({
    gcTime: 0,
    mutationFn: (body: { email: string; role: Role }) =>
      request<{ invitation: Invitation; token?: string }>("POST", "/v1/team/invitations", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: TEAM }),
  });
}

/** PATCH /v1/team/:userId */
export function useChangeRole() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      request<{ member: Member }>("PATCH", `/v1/team/${encodeURIComponent(userId)}`, { body: { role } }),
    // The changed role may be the signed-in person's own.
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: TEAM }),
        queries.invalidateQueries({ queryKey: ACCOUNT }),
      ]),
  });
}

/** POST /v1/team/:userId/reset-password. No other answer contains the token. */
export function useResetMemberPassword() {
  return useAction({
    // The answer contains a secret, so it is dropped when its dialog closes.
    gcTime: 0,
    mutationFn: (userId: string) =>
      request<PasswordReset>("POST", `/v1/team/${encodeURIComponent(userId)}/reset-password`),
  });
}

/** POST /v1/team/:userId/reset-one-time-codes */
export function useResetMemberCodes() {
  return useAction({
    mutationFn: (userId: string) =>
      request<undefined>("POST", `/v1/team/${encodeURIComponent(userId)}/reset-one-time-codes`),
  });
}

/** DELETE /v1/team/:userId */
export function useRemoveMember() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (userId: string) => request<undefined>("DELETE", `/v1/team/${encodeURIComponent(userId)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: TEAM }),
  });
}
