import { useQuery } from "@tanstack/react-query";
import { request } from "./request.js";
import type { TeamList } from "./wire-account.js";

/** GET /v1/team: the members, and the invitations that can still be accepted. */
export function useTeam() {
  return useQuery({
    queryKey: ["team"],
    queryFn: ({ signal }) => request<TeamList>("GET", "/v1/team", { signal }),
    staleTime: 60_000,
  });
}
