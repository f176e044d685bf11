import { ACTIONS, type Action } from "../../../shared/vocabulary.js";
import type { AnalyticsSummary } from "../../api/wire-figures.js";
import { formatCount, formatName, formatRate } from "../../design/format.js";
import { Skeleton } from "../../design/skeleton.js";

const TOKENS = {
  route: "--series-1",
  use_default_route: "--series-5",
  step_up: "--series-3",
  hold: "--series-4",
  retry: "--series-6",
  failover: "--series-2",
  block: "--series-7",
} as const satisfies Record<Action, string>;

/** Every instruction's share, most of all first in the bar's own order: the vocabulary's. */
export function ActionMix({ summary }: { summary: AnalyticsSummary | undefined }) {
  if (summary === undefined) return <Skeleton heightPx={226} />;
  const counts = new Map(summary.by_action.map(({ action, count }) => [action, count]));
  return (
    <div className="mix">
      <div className="mix-bar" aria-hidden="true">
        {ACTIONS.map((action) => {
          const share = (counts.get(action) ?? 0) / Math.max(summary.total, 1);
          if (share === 0) return null;
          return (
            <span
              key={action}
              className="mix-part"
              style={{ flexGrow: share, background: `var(${TOKENS[action]})` }}
            />
          );
        })}
      </div>
      <dl className="mix-list">
        {ACTIONS.map((action) => {
          const count = counts.get(action) ?? 0;
          return (
            <div key={action} className={count === 0 ? "mix-row muted" : "mix-row"}>
              <dt>
                <span className="chart-swatch" style={{ background: `var(${TOKENS[action]})` }} />
                {formatName(action)}
              </dt>
              <dd className="muted">{formatCount(count)}</dd>
              <dd className="mix-share">{formatRate(summary.total === 0 ? null : count / summary.total)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
