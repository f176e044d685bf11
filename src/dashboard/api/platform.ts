import { pageQuery, type ListCursor } from "./transport/list-cursor.js";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Erasure, Tenant } from "./wire-types.js";

const WORKSPACES = ["platform-workspaces"];
const ERASURES = "platform-erasures";
const FOLLOW_EVERY_MS = 2000;

export interface ErasurePage {
  erasures: Erasure[];
  has_more: boolean;
}

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

export function isUnfinished({ status }: Pick<Erasure, "status">): boolean {
  return status === "queued" || status === "running";
}

/** GET /v1/admin/erasures, newest first. The page is polled while one of its erasures is unfinished. */
export function useErasurePage(cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: [ERASURES, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<ErasurePage>("GET", "/v1/admin/erasures", {
        query: pageQuery(cursor, pageSize),
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.erasures.some(isUnfinished) === true ? FOLLOW_EVERY_MS : false,
    placeholderData: (before) => before,
  });
}

/** POST /v1/admin/erasures */
export function useErase() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: { workspace_id: string; merchant_id?: string }) =>
      request<{ erasure: Erasure }>("POST", "/v1/admin/erasures", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [ERASURES] }),
  });
}
