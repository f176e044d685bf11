import { Fragment, useState } from "react";
import type { BacktestResult, ChangedDecision } from "../../../api/wire-types.js";
import { Badge } from "../../../design/base/badge.js";
import { formatCount, formatName } from "../../../design/base/format.js";
import { Pagination } from "../../../design/layout/pagination.js";
import { ACTION_TONES } from "../../../design/base/tones.js";
import { PlaceLink } from "../../../shell/mode.js";
import { Foreign } from "../../../design/base/foreign.js";

const PAGE_ROWS = 8;

/** Lists the newest decisions that would change. Each links to its page. */
export function ChangedDecisions({ result }: { result: BacktestResult }) {
  const { changed_decisions: listed, changed } = result;
  const [page, setPage] = useState(0);
  if (listed.length === 0) return <p className="muted">No decision would be another one.</p>;
  const first = page * PAGE_ROWS;
  const rows = listed.slice(first, first + PAGE_ROWS);
  return (
    <div>
      <h3>Changed decisions</h3>
      <ul className="changes">
        {rows.map((decision) => (
          <Change key={decision.decision_id} decision={decision} />
        ))}
      </ul>
      <Pagination
        of="changed decisions"
        text={`${first + 1}–${first + rows.length} of ${listed.length}${changed > listed.length ? ` listed, ${formatCount(changed)} in all` : ""}`}
        onPrevious={page === 0 ? null : () => setPage(page - 1)}
        onNext={first + PAGE_ROWS >= listed.length ? null : () => setPage(page + 1)}
      />
    </div>
  );
}

function Change({ decision }: { decision: ChangedDecision }) {
  const { decision_id, before, after, provider_before, provider_after, matched_rules } = decision;
  return (
    <li className="change">
      <PlaceLink to={`/decisions/${decision_id}`} className="mono change-id">
        {decision_id}
      </PlaceLink>
      <span className="change-step">
        <Badge tone={ACTION_TONES[before]}>{formatName(before)}</Badge>
        <span className="muted">{provider_before ?? "no route"}</span>
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">becomes</span>
        <Badge tone={ACTION_TONES[after]}>{formatName(after)}</Badge>
        <span className="muted">{provider_after ?? "no route"}</span>
      </span>
      {matched_rules.length === 0 ? null : (
        <span className="muted">
          by{" "}
          {matched_rules.map((name, at) => (
            <Fragment key={name}>
              {at === 0 ? "" : ", "}
              <Foreign text={name} />
            </Fragment>
          ))}
        </span>
      )}
    </li>
  );
}
