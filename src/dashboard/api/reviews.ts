import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import type { DecisionPage, Review } from "../../client/wire-types.js";
import type { Mode, ReviewResolution } from "../../domain/vocabulary/vocabulary.js";
import { useAction } from "./transport/action.js";
import { statusOf } from "./transport/problem.js";
import { request } from "./transport/request.js";

/** REV-3: the roles that may resolve a held decision. */
export const REVIEWER_ROLES = ["owner", "admin", "analyst"] as const;

/** REV-1: POST /v1/decisions/:decisionId/review. A rejection may have a note of at most 500 characters. */
export interface Resolution {
  decisionId: string;
  resolution: ReviewResolution;
  note: string;
}

type Remembered = [QueryKey, DecisionPage | undefined][];

/**
 * Resolves a held decision. The decision leaves every list at once and comes back when the request fails. After a 409
 * it stays out, because somebody else resolved it or its outcome has arrived.
 */
export function useResolveReview(mode: Mode) {
  const queries = useQueryClient();
  const queueKey = ["decisions", mode, { action: "hold", unresolved: true }];
  return useAction({
    mutationFn: ({ decisionId, resolution, note }: Resolution) =>
      request<{ decision_id: string; review: Review }>(
        "POST",
        `/v1/decisions/${encodeURIComponent(decisionId)}/review`,
        {
          query: { mode },
          body: resolution === "approve" || note === "" ? { resolution } : { resolution, note },
        },
      ),
    onMutate: async ({ decisionId }): Promise<Remembered> => {
      await queries.cancelQueries({ queryKey: queueKey });
      const before = queries.getQueriesData<DecisionPage>({ queryKey: queueKey });
      queries.setQueriesData<DecisionPage>(
        { queryKey: queueKey },
        (page) => page && without(page, decisionId),
      );
      return before;
    },
    onError: (error, _resolution, before) => {
      if (statusOf(error) === 409) return;
      for (const [key, page] of before ?? []) queries.setQueryData(key, page);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["decisions", mode] }),
        queries.invalidateQueries({ queryKey: ["decision", mode] }),
      ]),
  });
}

function without(page: DecisionPage, decisionId: string): DecisionPage {
  const decisions = page.decisions.filter(({ decision_id }) => decision_id !== decisionId);
  const removed = page.decisions.length - decisions.length;
  return { ...page, decisions, ...(page.total === undefined ? {} : { total: page.total - removed }) };
}
