import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { RequestLog } from "./wire-types.js";

export interface RequestQuestion {
  mode: Mode;
  /** A class of statuses, or null for all. */
  status: string | null;
  /** The page begins after this request. Null begins at the newest one. */
  below: string | null;
}

const TAIL_EVERY_MS = 2000;

/** GET /v1/request-log, newest first. It is polled while `isFollowed`. */
export function useRequestLog(
  { mode, status, below }: RequestQuestion,
  pageSize: number,
  isFollowed: boolean,
) {
  return useRead({
    queryKey: ["request-log", mode, status, below, pageSize],
    queryFn: ({ signal }) =>
      request<RequestLog>("GET", "/v1/request-log", {
        query: {
          mode,
          page_size: pageSize,
          ...(status === null ? {} : { status }),
          ...(below === null ? {} : { starting_after: below }),
        },
        signal,
      }),
    ...(isFollowed ? { refetchInterval: TAIL_EVERY_MS } : {}),
  });
}
