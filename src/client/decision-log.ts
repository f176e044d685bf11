import { CLIENT_LIMITS } from "./client-limits.js";
import { PayInferenceError, type Answer } from "./problem.js";
import type { DecisionListQuery, DecisionListRow, DecisionPage } from "./wire-types.js";

/** The filters of the log. The iterator fetches the pages, so the caller names none. */
export type DecisionLogQuery = Omit<DecisionListQuery, "page" | "ending_before">;

/**
 * Yields every decision that passes the filters, the newest first. Pages are fetched as they are needed. Each page
 * starts after the last row of the previous page, so new decisions neither repeat nor hide a row. Throws
 * PayInferenceError if a page cannot be fetched.
 */
export async function* walkDecisionLog(
  list: (query: DecisionListQuery) => Promise<Answer<DecisionPage>>,
  query: DecisionLogQuery,
): AsyncGenerator<DecisionListRow, void, undefined> {
  let position = query;
  for (;;) {
    const answer = await list({ page_size: CLIENT_LIMITS.logPageRows, ...position });
    if (!answer.ok) throw new PayInferenceError(answer.problem);
    const { decisions, has_more, searched_to } = answer.value;
    yield* decisions;
    // LOG-27: `searched_to` is where the search for a short page stopped.
    const last = searched_to ?? decisions.at(-1)?.decision_id;
    if (!has_more || last === undefined) return;
    position = { ...query, starting_after: last };
  }
}
