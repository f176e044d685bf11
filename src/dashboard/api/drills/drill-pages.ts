import { pageQuery, type ListCursor } from "../transport/list-cursor.js";
import type { Mode } from "../../../domain/vocabulary/vocabulary.js";
import { useRead } from "../transport/read.js";
import { request } from "../transport/request.js";
import type { DrillHistory } from "../wire-types.js";

/** Every change of a drill invalidates the queries under this key. */
export const DRILLS_KEY = "drills";

/** GET /v1/admin/provider-overrides/history, newest first. A null cursor begins at the newest drill. */
export function useDrillPage(mode: Mode, cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: [DRILLS_KEY, mode, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<DrillHistory>("GET", "/v1/admin/provider-overrides/history", {
        query: {
          mode,
          ...pageQuery(cursor, pageSize),
        },
        signal,
      }),
    // The page of one mode must not stay visible while the other mode's page loads.
    placeholderData: (before, query) => (query?.queryKey[1] === mode ? before : undefined),
  });
}
