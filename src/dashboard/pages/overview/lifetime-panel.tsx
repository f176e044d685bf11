import type { DecisionAggregate } from "../../../client/wire-types.js";
import { OUTCOMES, RISK_BANDS, type Outcome, type RiskBand } from "../../../domain/vocabulary/vocabulary.js";
import { formatCount, formatName, formatRate } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { ShareList, type Share } from "../../design/charts/share-list.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Tabs } from "../../design/layout/tabs.js";
import { useChoice } from "../../shell/address.js";
import { Foreign } from "../../design/base/foreign.js";

const VIEWS = [
  { value: "providers", label: "Providers" },
  { value: "outcomes", label: "Outcomes" },
  { value: "risk", label: "Risk" },
] as const;
type View = (typeof VIEWS)[number]["value"];
const VIEW_NAMES = VIEWS.map(({ value }) => value);

const HEIGHT_PX = 270;
const PROVIDER_TOKENS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5"] as const;
const REST_TOKEN = "--series-6";

const RISK_TOKENS = {
  low: "--good",
  medium: "--watch",
  high: "--degraded",
  extreme: "--critical",
} as const satisfies Record<RiskBand, Share["token"]>;

const OUTCOME_TOKENS = {
  approved: "--good",
  soft_declined: "--series-3",
  hard_declined: "--series-7",
  technical_failed: "--series-4",
  timeout: "--series-5",
  rate_limited: "--series-6",
  blocked: "--down",
  step_up_completed: "--series-2",
  step_up_failed: "--watch",
} as const satisfies Record<Outcome, Share["token"]>;

/** Shows the exact figures of the whole history, independent of the page's range. */
export function LifetimePanel({ aggregate }: { aggregate: DecisionAggregate | undefined }) {
  const [view, setView] = useChoice("lifetime", VIEW_NAMES, "providers");
  return (
    <Panel title="All time" note={aggregate && noteOf(aggregate)}>
      <div style={{ minHeight: HEIGHT_PX }}>
        {aggregate === undefined ? (
          <Skeleton heightPx={HEIGHT_PX - 20} />
        ) : (
          <Tabs label="Figures of all time" value={view} options={VIEWS} onChange={setView}>
            <div className="lifetime">
              <ShareList
                shares={sharesOf(view, aggregate)}
                total={view === "outcomes" ? aggregate.with_outcome : aggregate.total}
              />
            </div>
          </Tabs>
        )}
      </div>
    </Panel>
  );
}

function noteOf({ total, approval_rate }: DecisionAggregate): string {
  return `${formatCount(total)} decisions, ${formatRate(approval_rate)} approved`;
}

function sharesOf(view: View, aggregate: DecisionAggregate): Share[] {
  switch (view) {
    case "providers": {
      const routed = aggregate.by_provider.reduce((sum, { count }) => sum + count, 0);
      return [
        ...aggregate.by_provider.map(({ provider, count }, at): Share => ({
          key: provider,
          label: <Foreign text={provider} />,
          token: PROVIDER_TOKENS[at] ?? REST_TOKEN,
          count,
        })),
        { key: "none", label: "No provider (blocked)", token: "--series-7", count: aggregate.total - routed },
      ];
    }
    case "outcomes":
      return OUTCOMES.map((outcome): Share => ({
        key: outcome,
        label: formatName(outcome),
        token: OUTCOME_TOKENS[outcome],
        count: aggregate.outcome_counts.find((entry) => entry.outcome === outcome)?.count ?? 0,
      })).filter(({ count }) => count > 0);
    case "risk":
      return RISK_BANDS.map((band): Share => ({
        key: band,
        label: formatName(band),
        token: RISK_TOKENS[band],
        count: aggregate.by_risk_band.find((entry) => entry.band === band)?.count ?? 0,
      }));
  }
}
