import { useEffect } from "react";
import { useAnalyticsSummary, useDecisionAggregate } from "../../api/figures.js";
import { RANGES } from "../../../domain/vocabulary/range.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Panel } from "../../design/layout/panel.js";
import { RANGE_LABELS, RANGE_OPTIONS } from "../../design/base/ranges.js";
import { Select } from "../../design/forms/select.js";
import { ChartLegend } from "../../design/charts/time-chart.js";
import { useChoice } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { ActionMix } from "./action-mix.js";
import { AlertsPanel } from "./alerts-panel.js";
import { FirstSteps } from "./first-steps/first-steps.js";
import { FiguresRow } from "./figures-row.js";
import { HealthPanel } from "./health-panel.js";
import { LatencyBudget } from "./latency-budget.js";
import { LifetimePanel } from "./lifetime-panel.js";
import { RateChart } from "./rate-chart.js";
import { ReasonsPanel } from "./reasons-panel.js";
import { RecentPanel } from "./recent-panel.js";
import { useRateSamples } from "./use-rate-samples.js";
import { VOLUME_LEGEND, VolumeChart } from "./volume-chart.js";
import { stepNote } from "../../explain/step-note.js";
import "./overview.css";

/** Shows the present state and the figures of a range. */
export default function OverviewPage() {
  const { mode } = useMode();
  useFirstMode();
  return (
    <FirstSteps>
      {/* The key discards the measurements when the mode changes. */}
      <Overview key={mode} />
    </FirstSteps>
  );
}

/** DASH-8: shows test mode first if the address names no mode, no decision was made live, and a test key was used. */
function useFirstMode(): void {
  const { isChosen, setMode } = useMode();
  const live = useDecisionAggregate("live", !isChosen);
  const isLiveEmpty = !isChosen && live.data?.total === 0;
  const test = useDecisionAggregate("test", isLiveEmpty);
  const isTestUsed = isLiveEmpty && (test.data?.total ?? 0) > 0;
  useEffect(() => {
    if (isTestUsed) setMode("test", { replace: true });
  }, [isTestUsed, setMode]);
}

function Overview() {
  const { mode } = useMode();
  const [range, setRange] = useChoice("range", RANGES, "24h");
  const summary = useAnalyticsSummary(mode, { range });
  const aggregate = useDecisionAggregate(mode);
  const samples = useRateSamples(aggregate.data);
  const failure = summary.data === undefined ? summary.error : null;
  return (
    <div className="overview">
      <div className="overview-bar">
        <p className="muted">
          {RANGE_LABELS[range]}, in {mode} mode
        </p>
        <Select label="Range" value={range} options={RANGE_OPTIONS} onChange={setRange} />
      </div>
      {failure === null ? (
        <>
          <FiguresRow summary={summary.data} range={range} perSecond={samples.perSecond.at(-1)} />
          <div className="overview-pair">
            <Panel title="Decisions per second" note="live">
              <RateChart samples={samples} />
            </Panel>
            <Panel title="Instructions" note={RANGE_LABELS[range]}>
              <ActionMix summary={summary.data} />
            </Panel>
          </div>
          <div className="overview-pair">
            <Panel
              title="Volume and approval"
              note={stepNote(summary.data)}
              actions={<ChartLegend entries={VOLUME_LEGEND} />}
            >
              <VolumeChart summary={summary.data} />
            </Panel>
            <Panel title="Latency" note="against the 50 ms budget">
              <LatencyBudget summary={summary.data} />
            </Panel>
          </div>
        </>
      ) : (
        <Panel title="Figures">
          <ErrorState error={failure} onRetry={summary.refetch} />
        </Panel>
      )}
      <HealthPanel />
      <div className="overview-pair overview-pair-even">
        <AlertsPanel />
        <RecentPanel decisions={aggregate.data?.recent} />
      </div>
      <div className="overview-pair overview-pair-even">
        <LifetimePanel aggregate={aggregate.data} />
        <ReasonsPanel aggregate={aggregate.data} />
      </div>
    </div>
  );
}
