import { RANGES } from "../../../domain/vocabulary/range.js";
import { useAnalyticsSummary } from "../../api/figures.js";
import { RANGE_LABELS, RANGE_OPTIONS } from "../../design/base/ranges.js";
import { formatCount, formatRate } from "../../design/base/format.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { ChartLegend } from "../../design/charts/time-chart.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Select } from "../../design/forms/select.js";
import { Panel } from "../../design/layout/panel.js";
import { StackBar } from "../../design/layout/stack.js";
import { useChoice } from "../../shell/address.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { VOLUME_LEGEND, VolumeChart } from "../overview/volume-chart.js";
import { stepNote } from "../../explain/step-note.js";

const CHART_HEIGHT_PX = 210;

/** Shows the merchant's decisions and approvals over the chosen range. */
export function TrafficPanels({ merchantId }: { merchantId: string }) {
  const { mode } = useMode();
  const [range, setRange] = useChoice("range", RANGES, "7d");
  const slice = { merchant_id: merchantId, range };
  const summary = useAnalyticsSummary(mode, slice);
  const { data } = summary;
  const query = new URLSearchParams(slice).toString();
  return (
    <>
      <StackBar
        text={
          <>
            {RANGE_LABELS[range]}, in {mode} mode. <PlaceLink to={`/decisions?${query}`}>Decisions</PlaceLink>{" "}
            · <PlaceLink to={`/analytics?${query}`}>Analytics</PlaceLink>
          </>
        }
      >
        <Select label="Range" value={range} options={RANGE_OPTIONS} onChange={setRange} />
      </StackBar>
      {data === undefined && summary.error !== null ? null : (
        <Figures>
          <Figure
            title="Decisions"
            value={data && formatCount(data.total)}
            note={data && `${formatCount(data.with_outcome)} reported`}
          />
          <Figure
            title="Approval rate"
            value={data && formatRate(data.approval_rate)}
            note={data && `${formatCount(data.approved)} approved`}
          />
        </Figures>
      )}
      <Panel
        title="Volume and approval"
        note={stepNote(data)}
        actions={<ChartLegend entries={VOLUME_LEGEND} />}
      >
        <Loaded query={summary} heightPx={CHART_HEIGHT_PX}>
          {(found) => <VolumeChart summary={found} />}
        </Loaded>
      </Panel>
    </>
  );
}
