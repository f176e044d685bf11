import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Tenant } from "./wire-types.js";

const WORKSPACES = ["platform-workspaces"];

/** GET /v1/admin/workspaces, newest first, for the platform's administrator. */
export function useWorkspaces() {
  return useRead({
    queryKey: WORKSPACES,
    queryFn: ({ signal }) => request<{ workspaces: Tenant[] }>("GET", "/v1/admin/workspaces", { signal }),
  });
}

/** POST /v1/admin/accounts/release */
export function useReleaseAccount() {
  return useAction({
    mutationFn: (release: { email: string; reason: string }) =>
      request<void>("POST", "/v1/admin/accounts/release", { body: release }),
  });
}

/** POST /v1/admin/workspaces/:id/suspend and /activate */
export function useSetWorkspaceStatus() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ id, verb }: { id: string; verb: "suspend" | "activate" }) =>
      request<{ workspace: Tenant }>("POST", `/v1/admin/workspaces/${encodeURIComponent(id)}/${verb}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: WORKSPACES }),
  });
}
