import type { DecisionAggregate } from "../../../client/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatCount, formatRate } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { reasonSentence } from "../../explain/reason-sentences.js";

const ROWS = 6;
const HEIGHT_PX = 270;

/** Shows the most frequent reason codes of the newest decisions. */
export function ReasonsPanel({ aggregate }: { aggregate: DecisionAggregate | undefined }) {
  const sample = Math.min(aggregate?.total ?? 0, aggregate?.reason_code_sample ?? 0);
  return (
    <Panel
      title="Most frequent reasons"
      note={sample === 0 ? undefined : `newest ${formatCount(sample)} decisions`}
    >
      <div style={{ minHeight: HEIGHT_PX }}>
        {aggregate === undefined ? (
          <Skeleton heightPx={HEIGHT_PX - 20} />
        ) : sample === 0 ? (
          <EmptyState icon="decisions" title="No reasons yet" />
        ) : (
          <ol>
            {aggregate.top_reason_codes.slice(0, ROWS).map(({ code, count }) => (
              <li key={code} className="frequent">
                <div className="frequent-what">
                  <span className="frequent-text">
                    {reasonSentence(code) ?? "Set by a policy rule of yours."}
                  </span>
                  <code className="frequent-code">{code}</code>
                </div>
                <span className="frequent-share">{formatRate(count / sample)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
