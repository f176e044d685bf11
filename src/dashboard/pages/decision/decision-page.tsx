import { useParams } from "wouter";
import { useDecision } from "../../api/decisions.js";
import { statusOf } from "../../api/transport/problem.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Icon } from "../../design/base/icon.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { CostPanel } from "./cost-panel.js";
import { InstructionPanel } from "./instruction-panel.js";
import { OrderPanel } from "./order-panel.js";
import { OutcomePanel } from "./outcome-panel.js";
import { ProvidersPanel } from "./providers-panel.js";
import { ReplayPanel } from "./replay-panel.js";
import { RequestPanel } from "./request-panel.js";
import { RetryPanel } from "./retry-panel.js";
import { RiskPanel } from "./risk-panel.js";
import { RulesPanel } from "./rules-panel.js";
import "./decision.css";

/** Explains one decision. */
export default function DecisionPage() {
  const { decisionId } = useParams<{ decisionId: string }>();
  const { mode } = useMode();
  // The key resets the component's state, so that nothing of one decision is shown for another.
  return (
    <div className="decision">
      <p>
        <PlaceLink to="/decisions" className="decision-back">
          <Icon name="previous" /> All decisions
        </PlaceLink>
      </p>
      <Decision key={`${mode} ${decisionId}`} decisionId={decisionId} />
    </div>
  );
}

/** The parts of a decision. The decision log shows them too, in the panel beside its list. */
export function Decision({ decisionId }: { decisionId: string }) {
  const { mode } = useMode();
  const { data, error, refetch } = useDecision(mode, decisionId);
  if (data === undefined && statusOf(error) === 404) return <NoSuchDecision />;
  if (data === undefined && error !== null) {
    return (
      <Panel title="Decision">
        <ErrorState error={error} onRetry={refetch} />
      </Panel>
    );
  }
  if (data === undefined) return <DecisionSkeleton />;
  return (
    <>
      <InstructionPanel decision={data} />
      <ProvidersPanel decision={data} />
      <div className="decision-pair">
        <RulesPanel decision={data} />
        <div className="decision-column">
          <OutcomePanel decision={data} />
          {data.retry === undefined ? null : (
            <RetryPanel retry={data.retry} currency={data.transaction.currency} />
          )}
          <RiskPanel risk={data.risk} />
        </div>
      </div>
      <CostPanel decision={data} />
      <RequestPanel decision={data} />
      <div className="decision-pair">
        <OrderPanel decision={data} />
        <ReplayPanel decisionId={decisionId} />
      </div>
    </>
  );
}

/** A placeholder of the same size as the loaded page. */
function DecisionSkeleton() {
  return (
    <>
      <Skeleton heightPx={388} />
      <Skeleton heightPx={420} />
      <div className="decision-pair">
        <Skeleton heightPx={380} />
        <Skeleton heightPx={380} />
      </div>
    </>
  );
}

function NoSuchDecision() {
  const { mode, setMode } = useMode();
  const other = mode === "live" ? "test" : "live";
  return (
    <Panel title="Decision not found">
      <EmptyState icon="decisions" title={`There is no such decision in ${mode} mode`}>
        <p>Live and test decisions are kept apart. Perhaps it was made with a {other} key.</p>
        <p className="decision-action">
          <Button onClick={() => setMode(other)}>Look in {other} mode</Button>
        </p>
      </EmptyState>
    </Panel>
  );
}
