import type { ShadowReport } from "../../../client/wire-types.js";
import { ACTIONS } from "../../../domain/vocabulary/vocabulary.js";
import { useShadowReport } from "../../api/decisions.js";
import { Time } from "../../design/base/age.js";
import { RANGE_LABELS } from "../../design/base/ranges.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { formatCount, formatName, formatRate } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Select } from "../../design/forms/select.js";
import { ShareList } from "../../design/charts/share-list.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { ACTION_TOKENS } from "../../design/base/tones.js";
import { useChoice } from "../../shell/address.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { ApprovalComparison } from "./approval-comparison.js";
import "./shadow-report.css";

/** AGG-6: GET /v1/decisions/shadow-report takes at most 90 days. Its default is 30. */
const WINDOWS = [
  { value: "7", label: RANGE_LABELS["7d"] },
  { value: "30", label: RANGE_LABELS["30d"] },
  { value: "90", label: RANGE_LABELS["90d"] },
] as const;
const DAYS = WINDOWS.map(({ value }) => value);
const DEFAULT_WINDOW = "30";
const HEIGHT_PX = 226;

/** Shows what following the advice would have changed, for a merchant whose backend does not follow it yet. */
export default function ShadowReportPage() {
  const { mode } = useMode();
  const [days, setDays] = useChoice("days", DAYS, DEFAULT_WINDOW);
  const report = useShadowReport(mode, Number(days));
  const { data } = report;
  return (
    <div className="shadow">
      <div className="shadow-bar">
        <p className="muted">
          {data === undefined ? (
            "Shadow decisions"
          ) : (
            <>
              Since <Time at={data.since} />, in {mode} mode
            </>
          )}
        </p>
        <Select label="Window" value={days} options={WINDOWS} onChange={setDays} />
      </div>
      {report.error !== null && data === undefined ? (
        <Panel title="Shadow report">
          <ErrorState error={report.error} onRetry={report.refetch} />
        </Panel>
      ) : data?.total_shadow_decisions === 0 ? (
        <Panel title="Shadow report">
          <EmptyState icon="shadow" title="No shadow decision in this window">
            Send <code>decision_mode: &quot;shadow&quot;</code> with your decisions: they are computed and
            recorded as usual, while your backend keeps running its own logic. Report outcomes, and this page
            compares the two.
          </EmptyState>
        </Panel>
      ) : (
        <Report report={data} />
      )}
    </div>
  );
}

function Report({ report }: { report: ShadowReport | undefined }) {
  const comparison = report?.route_comparison;
  return (
    <>
      <Figures>
        <Figure
          title="Shadow decisions"
          value={report && formatCount(report.total_shadow_decisions)}
          note={report && `${formatCount(report.decisions_with_outcome)} with an outcome`}
        />
        <Figure
          title="Agreement"
          value={comparison && formatRate(comparison.agreement_rate)}
          note={comparison && `of ${formatCount(comparison.comparable)} that can be compared`}
        />
        <Figure
          title="Approval when followed"
          value={comparison && formatRate(comparison.approval_rate_when_followed)}
          note="advised or fallback provider"
        />
        <Figure
          title="Approval when diverged"
          value={comparison && formatRate(comparison.approval_rate_when_diverged)}
          note="another provider"
        />
      </Figures>
      <div className="shadow-pair">
        <Panel title="Where payments went" note="compared with the advice">
          <div style={{ minHeight: HEIGHT_PX }}>
            {comparison === undefined ? (
              <Skeleton heightPx={HEIGHT_PX} />
            ) : (
              <>
                <ShareList
                  total={comparison.comparable}
                  shares={[
                    {
                      key: "recommended",
                      label: "Recommended provider",
                      token: "--series-2",
                      count: comparison.merchant_used_recommended,
                    },
                    {
                      key: "fallback",
                      label: "Approved fallback",
                      token: "--series-5",
                      count: comparison.merchant_used_fallback,
                    },
                    {
                      key: "diverged",
                      label: "Another provider",
                      token: "--series-3",
                      count: comparison.merchant_diverged,
                    },
                  ]}
                />
                <p className="shadow-note">
                  Compared are decisions that named a route and have an outcome.{" "}
                  <PlaceLink to="/decisions?decision_mode=shadow">See the shadow decisions</PlaceLink>
                </p>
              </>
            )}
          </div>
        </Panel>
        <Panel title="Instructions" note="that would have been given">
          {report === undefined ? (
            <Skeleton heightPx={HEIGHT_PX} />
          ) : (
            <ShareList
              total={report.total_shadow_decisions}
              shares={ACTIONS.map((action) => ({
                key: action,
                label: formatName(action),
                token: ACTION_TOKENS[action],
                count: report.actions[action] ?? 0,
              }))}
            />
          )}
        </Panel>
      </div>
      <Panel title="Did following pay off?">
        {comparison === undefined ? (
          <Skeleton heightPx={120} />
        ) : (
          <ApprovalComparison comparison={comparison} />
        )}
      </Panel>
    </>
  );
}
