import { pageQuery, type ListCursor } from "./transport/list-cursor.js";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { SetAsideDetail, SetAsideList } from "./wire-types.js";

const PATH = "/v1/admin/set-aside";
const KEY = "set-aside";
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/**
 * GET /v1/admin/set-aside, newest first, for the platform's administrator. A null cursor begins at the newest record.
 */
export function useSetAsidePage(cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: [KEY, "page", cursor, pageSize],
    queryFn: ({ signal }) =>
      request<SetAsideList>("GET", PATH, {
        query: pageQuery(cursor, pageSize),
        signal,
      }),
    placeholderData: (before) => before,
  });
}

/** GET /v1/admin/set-aside/:id */
export function useSetAside(id: string) {
  return useRead({
    queryKey: [KEY, "record", id],
    queryFn: ({ signal }) => request<SetAsideDetail>("GET", pathOf(id), { signal }),
  });
}

/** POST /v1/admin/set-aside/:id/retry. A refusal stores its error message with the record. */
export function useRetrySetAside() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (id: string) => request<unknown>("POST", `${pathOf(id)}/retry`),
    // A stored record can no longer be read here, so only the pages are read again.
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY, "page"] }),
    onError: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** POST /v1/admin/set-aside/:id/discard */
export function useDiscardSetAside() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      request<void>("POST", `${pathOf(id)}/discard`, { body: { reason } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY, "page"] }),
  });
}
