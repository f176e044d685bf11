import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import type { DecisionPage, Review } from "../../client/wire-types.js";
import type { Mode, ReviewResolution } from "../../domain/vocabulary/vocabulary.js";
import { useAction } from "./transport/action.js";
import { statusOf } from "./transport/problem.js";
import { request } from "./transport/request.js";
import type { ReviewResults } from "./wire-types.js";

/** REV-3: the roles that may resolve a held decision. */
export const REVIEWER_ROLES = ["owner", "admin", "analyst"] as const;

/** REV-1: POST /v1/decisions/:decisionId/review. A rejection may have a note of at most 500 characters. */
export interface Resolution {
  decisionId: string;
  resolution: ReviewResolution;
  note: string;
}

/**
 * Resolves a held decision. The decision leaves every list of held decisions at once, and returns if the request fails.
 * After a 409 it stays out, because somebody else resolved it or its outcome has arrived.
 */
export function useResolveReview(mode: Mode) {
  return useAction({
    ...useQueue(mode, ({ decisionId }: Resolution) => [decisionId]),
    mutationFn: ({ decisionId, resolution, note }: Resolution) =>
      request<{ decision_id: string; review: Review }>(
        "POST",
        `/v1/decisions/${encodeURIComponent(decisionId)}/review`,
        { query: { mode }, body: bodyOf(resolution, note) },
      ),
  });
}

/** REV-9: POST /v1/decisions/reviews. `decisionIds` are at most 100. */
export interface Resolutions {
  decisionIds: readonly string[];
  resolution: ReviewResolution;
  note: string;
}

/** Resolves many held decisions in one request. A refused review does not affect the others. */
export function useResolveReviews(mode: Mode) {
  return useAction({
    ...useQueue(mode, ({ decisionIds }: Resolutions) => decisionIds),
    mutationFn: ({ decisionIds, resolution, note }: Resolutions) =>
      request<ReviewResults>("POST", "/v1/decisions/reviews", {
        query: { mode },
        body: { decision_ids: decisionIds, ...bodyOf(resolution, note) },
      }),
  });
}

function bodyOf(resolution: ReviewResolution, note: string): object {
  return resolution === "approve" || note === "" ? { resolution } : { resolution, note };
}

type Remembered = [QueryKey, DecisionPage | undefined][];

/** Updates the lists of held decisions when decisions are resolved. */
function useQueue<Variables>(mode: Mode, idsOf: (variables: Variables) => readonly string[]) {
  const queries = useQueryClient();
  const queueKey = ["decisions", mode, { action: "hold", unresolved: true }];
  return {
    onMutate: async (variables: Variables): Promise<Remembered> => {
      await queries.cancelQueries({ queryKey: queueKey });
      const before = queries.getQueriesData<DecisionPage>({ queryKey: queueKey });
      const ids = new Set(idsOf(variables));
      queries.setQueriesData<DecisionPage>({ queryKey: queueKey }, (page) => page && without(page, ids));
      return before;
    },
    onError: (error: Error, _variables: Variables, before: Remembered | undefined) => {
      if (statusOf(error) === 409) return;
      for (const [key, page] of before ?? []) queries.setQueryData(key, page);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["decisions", mode] }),
        queries.invalidateQueries({ queryKey: ["decision", mode] }),
      ]),
  };
}

function without(page: DecisionPage, ids: ReadonlySet<string>): DecisionPage {
  const decisions = page.decisions.filter(({ decision_id }) => !ids.has(decision_id));
  const removed = page.decisions.length - decisions.length;
  return { ...page, decisions, ...(page.total === undefined ? {} : { total: page.total - removed }) };
}
