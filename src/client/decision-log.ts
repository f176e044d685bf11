import { CLIENT_LIMITS } from "./client-limits.js";
import { PayInferenceError, type Answer } from "./problem.js";
import type { DecisionListQuery, DecisionListRow, DecisionPage } from "./wire-types.js";

/** The filters of the log; where it starts and how it is cut into pages is the iterator's. */
export type DecisionLogQuery = Omit<DecisionListQuery, "page" | "ending_before">;

/**
 * Every decision that passes the filters, newest first, fetched page by page as it is asked for. Each page starts after
 * the last row of the one before, so decisions made meanwhile neither repeat nor hide a row. Throws PayInferenceError
 * when a page cannot be had.
 */
export async function* walkDecisionLog(
  list: (query: DecisionListQuery) => Promise<Answer<DecisionPage>>,
  query: DecisionLogQuery,
): AsyncGenerator<DecisionListRow, void, undefined> {
  let position = query;
  for (;;) {
    const answer = await list({ page_size: CLIENT_LIMITS.logPageRows, ...position });
    if (!answer.ok) throw new PayInferenceError(answer.problem);
    const { decisions, has_more } = answer.value;
    yield* decisions;
    const last = decisions.at(-1);
    if (!has_more || last === undefined) return;
    position = { ...query, starting_after: last.decision_id };
  }
}
