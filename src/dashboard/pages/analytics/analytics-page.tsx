import { useAnalyticsSummary } from "../../api/figures.js";
import { RANGES } from "../../../domain/vocabulary/range.js";
import type { AnalyticsSummary } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { RANGE_LABELS, RANGE_OPTIONS } from "../../design/base/ranges.js";
import { Select } from "../../design/forms/select.js";
import { Stack, StackBar, StackPair } from "../../design/layout/stack.js";
import { ChartLegend } from "../../design/charts/time-chart.js";
import { useChoice } from "../../shell/address.js";
import { FacetChips, useFacets } from "../../shell/facets.js";
import { IntervalFields } from "../../shell/interval/interval-fields.js";
import { useMode } from "../../shell/mode.js";
import { SavedViews } from "../../shell/saved-views/saved-views.js";
import { VOLUME_LEGEND, VolumeChart } from "../overview/volume-chart.js";
import { stepNote } from "../../explain/step-note.js";
import { AnalyticsFigures } from "./analytics-figures.js";
import { CostTable } from "./cost-table.js";
import { GroupTable } from "./group-table.js";
import { useGroupBy } from "./use-group-by.js";
import { RetryTable } from "./retry-table.js";
import { ActionShares, OutcomeShares, ProviderShares } from "./shares.js";
import { StepTable } from "./step-table.js";

const CHART_HEIGHT_PX = 210;
const SHARES_HEIGHT_PX = 240;
/** Shows the figures of a range: volume, instructions, providers, outcomes and costs. */
export default function AnalyticsPage() {
  const { mode } = useMode();
  const [range, setRange] = useChoice("range", RANGES, "7d", "page", "groups_page", "from", "to");
  const { facets, hasInterval, remove } = useFacets();
  const { groupBy, setGroupBy } = useGroupBy();
  const interval = hasInterval ? {} : { range };
  const summary = useAnalyticsSummary(mode, {
    ...facets,
    ...interval,
    group_by: groupBy.join(","),
    group_series: "true",
  });
  const { data } = summary;
  const period = hasInterval ? "The chosen interval" : RANGE_LABELS[range];
  return (
    <Stack>
      <StackBar text={`${period}, in ${mode} mode. Enforced and shadow decisions alike.`}>
        <Select label="Range" value={range} options={RANGE_OPTIONS} onChange={setRange} />
        <IntervalFields />
        <SavedViews page="analytics" />
      </StackBar>
      <FacetChips facets={facets} onRemove={remove} />
      {data === undefined && summary.error !== null ? null : <AnalyticsFigures summary={data} />}
      <Panel
        title="Volume and approval"
        note={stepNote(data)}
        actions={<ChartLegend entries={VOLUME_LEGEND} />}
      >
        <Loaded query={summary} heightPx={CHART_HEIGHT_PX}>
          {(found) => <VolumeChart summary={found} />}
        </Loaded>
      </Panel>
      <GroupTable query={summary} groupBy={groupBy} log={{ ...facets, ...interval }} onGroupBy={setGroupBy} />
      {data === undefined ? null : <Breakdown summary={data} />}
    </Stack>
  );
}

function Breakdown({ summary }: { summary: AnalyticsSummary }) {
  return (
    <>
      <StackPair>
        <Panel title="Instructions" note="of all decisions">
          <div style={{ minHeight: SHARES_HEIGHT_PX }}>
            <ActionShares summary={summary} />
          </div>
        </Panel>
        <Panel title="Providers" note="of all decisions; a block has none">
          <div style={{ minHeight: SHARES_HEIGHT_PX }}>
            <ProviderShares summary={summary} />
          </div>
        </Panel>
      </StackPair>
      <StackPair>
        <Panel title="Outcomes" note="of those reported">
          {summary.with_outcome === 0 ? (
            <EmptyState icon="reviews" title="No outcome was reported">
              Backends report them with <code>POST /v1/outcomes</code>.
            </EmptyState>
          ) : (
            <OutcomeShares summary={summary} />
          )}
        </Panel>
        <Panel
          title={`By ${summary.series_interval}`}
          note={["newest first", stepNote(summary)].filter(Boolean).join("; ")}
          isFlush
        >
          <StepTable summary={summary} />
        </Panel>
      </StackPair>
      {summary.cost === null ? null : <CostTable report={summary.cost} />}
      {summary.retries === null ? null : <RetryTable report={summary.retries} />}
    </>
  );
}
