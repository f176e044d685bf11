import type { DecisionDetail, DecisionListRow } from "../../../client/wire-types.js";
import { useOrderDecisions } from "../../api/decisions.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Table, type Column } from "../../design/layout/table.js";
import { ACTION_TONES, OUTCOME_TONES } from "../../design/base/tones.js";
import { useMode } from "../../shell/mode.js";
import { RowLink } from "../../shell/row-link.js";
import { Foreign } from "../../design/base/foreign.js";

const HEIGHT_PX = 132;

function columnsFor(decisionId: string): readonly Column<DecisionListRow>[] {
  return [
    {
      key: "made",
      title: "Made",
      cell: ({ decision_id, created_at }) =>
        decision_id === decisionId ? (
          <>
            <Age at={created_at} /> <strong>this one</strong>
          </>
        ) : (
          <RowLink to={`/decisions/${decision_id}`}>
            <Age at={created_at} />
          </RowLink>
        ),
    },
    {
      key: "action",
      title: "Instruction",
      cell: ({ action }) => <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge>,
    },
    { key: "mode", title: "Decision mode", cell: ({ decision_mode }) => formatName(decision_mode) },
    {
      key: "provider",
      title: "Provider",
      cell: ({ primary_provider }) =>
        primary_provider === null ? <span className="muted">none</span> : <Foreign text={primary_provider} />,
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
  ];
}

/** Shows this decision among all decisions for its order: retries and repeated requests. */
export function OrderPanel({ decision }: { decision: DecisionDetail }) {
  const { order_id, decision_id } = decision;
  const { mode } = useMode();
  const { data, error, refetch } = useOrderDecisions(mode, order_id);
  return (
    <Panel
      title="Decisions for this order"
      note={data === undefined ? undefined : `${data.total ?? 0}`}
      isFlush
    >
      <div style={{ minHeight: HEIGHT_PX }}>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <div className="panel-body">
            <Skeleton heightPx={HEIGHT_PX - 20} />
          </div>
        ) : (
          <Table
            caption="Decisions for this order"
            columns={columnsFor(decision_id)}
            rows={data.decisions}
            keyOf={(row) => row.decision_id}
          />
        )}
      </div>
    </Panel>
  );
}
