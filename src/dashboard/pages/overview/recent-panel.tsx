import type { DecisionListRow } from "../../../client/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatAmount, formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Table, type Column } from "../../design/layout/table.js";
import { PlaceLink } from "../../shell/mode.js";
import { RowLink } from "../../shell/row-link.js";
import { ACTION_TONES, OUTCOME_TONES, RISK_TONES } from "../../design/base/tones.js";
import { Foreign } from "../../design/base/foreign.js";

const HEIGHT_PX = 360;

const COLUMNS: readonly Column<DecisionListRow>[] = [
  {
    key: "action",
    title: "Instruction",
    cell: ({ action, decision_id, order_id }) => (
      <RowLink to={`/decisions/${decision_id}`}>
        <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge>
        <span className="visually-hidden">
          {" "}
          for order <Foreign text={order_id} />
        </span>
      </RowLink>
    ),
  },
  {
    key: "amount",
    title: "Amount",
    isNumeric: true,
    cell: ({ amount, currency }) => formatAmount(amount, currency),
  },
  {
    key: "provider",
    title: "Provider",
    cell: ({ primary_provider }) =>
      primary_provider === null ? <span className="muted">none</span> : <Foreign text={primary_provider} />,
  },
  {
    key: "risk",
    title: "Risk",
    isNumeric: true,
    cell: ({ risk_score, risk_band }) => (
      <Badge tone={RISK_TONES[risk_band]} isPlain>
        {risk_score}
      </Badge>
    ),
  },
  {
    key: "outcome",
    title: "Outcome",
    cell: ({ outcome }) =>
      outcome === null ? (
        <span className="muted">not reported</span>
      ) : (
        <Badge tone={OUTCOME_TONES[outcome.outcome]}>{formatName(outcome.outcome)}</Badge>
      ),
  },
  {
    key: "age",
    title: "Made",
    isNumeric: true,
    cell: ({ created_at }) => <Age at={created_at} />,
  },
];

export function RecentPanel({ decisions }: { decisions: readonly DecisionListRow[] | undefined }) {
  return (
    <Panel title="Newest decisions" actions={<PlaceLink to="/decisions">All decisions</PlaceLink>} isFlush>
      <div style={{ minHeight: HEIGHT_PX }}>
        {decisions === undefined ? (
          <div className="panel-body">
            <Skeleton heightPx={HEIGHT_PX - 20} />
          </div>
        ) : decisions.length === 0 ? (
          <EmptyState icon="decisions" title="No decision yet">
            Your backend asks for one with <code>POST /v1/decision</code> and an API key.
          </EmptyState>
        ) : (
          <Table
            caption="Newest decisions"
            columns={COLUMNS}
            rows={decisions}
            keyOf={({ decision_id }) => decision_id}
          />
        )}
      </div>
    </Panel>
  );
}
