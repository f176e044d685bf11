import { useQueryClient } from "@tanstack/react-query";
import type { ViewedPage } from "../../../domain/vocabulary/vocabulary.js";
import { useAction } from "../transport/action.js";
import { useRead } from "../transport/read.js";
import { request } from "../transport/request.js";
import type { NewSavedView, SavedView, SavedViewChanges, SavedViewList } from "../wire-types.js";

const VIEWS = ["saved-views"];
/** The largest page that the service answers. */
const LISTED_MAX = 100;

/** GET /v1/saved-views lists the person's own views of a page and the shared ones, newest first. */
export function useSavedViews(page: ViewedPage) {
  return useRead({
    queryKey: [...VIEWS, page],
    queryFn: ({ signal }) =>
      request<SavedViewList>("GET", "/v1/saved-views", {
        query: { page, page_size: LISTED_MAX },
        signal,
      }),
  });
}

/** POST /v1/saved-views */
export function useSaveView() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: NewSavedView) =>
      request<{ saved_view: SavedView }>("POST", "/v1/saved-views", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: VIEWS }),
  });
}

/** PATCH /v1/saved-views/:id */
export function useChangeView() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ id, ...body }: SavedViewChanges & { id: string }) =>
      request<{ saved_view: SavedView }>("PATCH", `/v1/saved-views/${encodeURIComponent(id)}`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: VIEWS }),
  });
}

/** DELETE /v1/saved-views/:id */
export function useDeleteView() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (id: string) => request<undefined>("DELETE", `/v1/saved-views/${encodeURIComponent(id)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: VIEWS }),
  });
}
