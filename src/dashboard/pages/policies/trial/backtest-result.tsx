import type { BacktestResult } from "../../../api/wire-types.js";
import { EmptyState } from "../../../design/feedback/empty-state.js";
import { formatCount, formatRate } from "../../../design/base/format.js";
import { ActionsPicture } from "./backtest-actions.js";
import { ChangedDecisions } from "./backtest-changes.js";
import { Transitions } from "./backtest-transitions.js";

/** Shows the decisions before and after, and how many cannot be repeated. */
export function BacktestPicture({ result }: { result: BacktestResult }) {
  const { replayed, not_replayable, changed } = result;
  if (replayed + not_replayable === 0) {
    return (
      <EmptyState icon="decisions" title="No decision to make again">
        There is none of this merchant in this time and mode.
      </EmptyState>
    );
  }
  return (
    <section className="backtest-result" aria-label="Backtest result">
      <dl className="backtest-figures">
        <div>
          <dt className="muted">Made again</dt>
          <dd className="backtest-figure">{formatCount(replayed)}</dd>
        </div>
        <div>
          <dt className="muted">Changed</dt>
          <dd className="backtest-figure">{formatCount(changed)}</dd>
          <dd className="muted">{formatRate(replayed === 0 ? null : changed / replayed)}</dd>
        </div>
        <div>
          <dt className="muted">Cannot be known</dt>
          <dd className="backtest-figure">{formatCount(not_replayable)}</dd>
          <dd className="muted">what they saw is not recorded</dd>
        </div>
      </dl>
      <ActionsPicture result={result} />
      <Transitions result={result} />
      <OutcomeEffects outcomes={result.outcomes} />
      <ChangedDecisions result={result} />
    </section>
  );
}

const EFFECTS = [
  ["unchanged", "Same provider"],
  ["provider_changed", "Another provider"],
  ["would_be_blocked", "Would be blocked"],
  ["would_be_held", "Would wait for a review"],
  ["no_longer_held", "Would no longer wait for a review"],
] as const;

/** Counts decisions with a known outcome by how the draft changes them. Their outcome under the draft is unknown. */
function OutcomeEffects({ outcomes }: { outcomes: BacktestResult["outcomes"] }) {
  return (
    <div>
      <h3>Effect on known outcomes</h3>
      <table className="small-table">
        <thead>
          <tr>
            <th scope="col">With the draft</th>
            <th scope="col" className="numeric">
              Decisions
            </th>
            <th scope="col" className="numeric">
              Were approved
            </th>
            <th scope="col" className="numeric">
              Rate
            </th>
          </tr>
        </thead>
        <tbody>
          {EFFECTS.map(([key, title]) => {
            const { decisions, approved } = outcomes[key];
            return (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td className="numeric">{formatCount(decisions)}</td>
                <td className="numeric">{formatCount(approved)}</td>
                <td className="numeric">{formatRate(decisions === 0 ? null : approved / decisions)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="muted">
        {formatCount(outcomes.not_known)} of {formatCount(outcomes.known + outcomes.not_known)} have no
        outcome reported. What another provider would have answered cannot be known.
      </p>
    </div>
  );
}
