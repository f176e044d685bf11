import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { ACCOUNT } from "./transport/query-client.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Merchant, Workspace, WorkspaceChanges } from "./wire-types.js";

const WORKSPACE = ["workspace"];
const MERCHANTS = ["merchants"];

/** GET /v1/admin/workspace */
export function useWorkspace() {
  return useRead({
    queryKey: WORKSPACE,
    queryFn: ({ signal }) => request<{ workspace: Workspace }>("GET", "/v1/admin/workspace", { signal }),
  });
}

/** PATCH /v1/admin/workspace */
export function useUpdateWorkspace() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: WorkspaceChanges) =>
      request<{ workspace: Workspace }>("PATCH", "/v1/admin/workspace", { body }),
    onSuccess(answer) {
      queries.setQueryData(WORKSPACE, answer);
      // The workspace's name is also shown beside the navigation.
      return queries.invalidateQueries({ queryKey: ACCOUNT });
    },
  });
}

/** GET /v1/admin/merchants, ordered by merchant id. */
export function useMerchants() {
  return useRead({
    queryKey: MERCHANTS,
    queryFn: ({ signal }) => request<{ merchants: Merchant[] }>("GET", "/v1/admin/merchants", { signal }),
  });
}

/** POST /v1/admin/merchants */
export function useAddMerchant() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: { merchant_id: string; name?: string }) =>
      request<{ merchant: Merchant }>("POST", "/v1/admin/merchants", { body }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: MERCHANTS }),
        queries.invalidateQueries({ queryKey: ["integrations"] }),
      ]),
  });
}
