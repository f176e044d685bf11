import { pageQuery, type ListCursor } from "./transport/list-cursor.js";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Export, ExportList, NewExport } from "./wire-types.js";

const PATH = "/v1/exports";
const KEY = "exports";
const FOLLOW_EVERY_MS = 1500;
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** Returns the address of an export's file. The browser sends the session's cookie with it. */
export function fileAddressOf({ id }: Pick<Export, "id">): string {
  return `${pathOf(id)}/file`;
}

export function isUnfinished({ status }: Pick<Export, "status">): boolean {
  return status === "queued" || status === "running";
}

/**
 * GET /v1/exports, newest first. A null cursor begins at the newest export. The query is repeated while an export is
 * in progress.
 */
export function useExportPage(cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: [KEY, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<ExportList>("GET", PATH, {
        query: pageQuery(cursor, pageSize),
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.exports.some(isUnfinished) === true ? FOLLOW_EVERY_MS : false,
    placeholderData: (before) => before,
  });
}

/** POST /v1/exports */
export function useCreateExport() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (body: NewExport) => request<{ export: Export }>("POST", PATH, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** DELETE /v1/exports/:id */
export function useDeleteExport() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (id: string) => request<void>("DELETE", pathOf(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
}
