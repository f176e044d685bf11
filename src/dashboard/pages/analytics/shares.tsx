import { ACTIONS, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatName } from "../../design/base/format.js";
import { ShareList } from "../../design/charts/share-list.js";
import { ACTION_TOKENS } from "../../design/base/tones.js";
import { Foreign } from "../../design/base/foreign.js";

const PROVIDER_TOKENS = [
  "--series-1",
  "--series-2",
  "--series-3",
  "--series-4",
  "--series-5",
  "--series-6",
  "--series-7",
] as const;

const OUTCOME_TOKENS = {
  approved: "--good",
  soft_declined: "--watch",
  hard_declined: "--critical",
  technical_failed: "--degraded",
  timeout: "--series-4",
  rate_limited: "--series-6",
  blocked: "--down",
  step_up_completed: "--info",
  step_up_failed: "--series-3",
} as const satisfies Record<Outcome, string>;

interface SharesProps {
  summary: AnalyticsSummary;
}

export function ActionShares({ summary }: SharesProps) {
  const counts = new Map(summary.by_action.map(({ action, count }) => [action, count]));
  const shares = ACTIONS.map((action) => ({
    key: action,
    label: formatName(action),
    token: ACTION_TOKENS[action],
    count: counts.get(action) ?? 0,
  }));
  return <ShareList shares={shares} total={summary.total} />;
}

/** Shows the share of each primary provider. The order is alphabetical, so that a provider keeps its colour. */
export function ProviderShares({ summary }: SharesProps) {
  const shares = summary.by_provider
    .toSorted((one, other) => one.provider.localeCompare(other.provider))
    .map(({ provider, count }, at) => ({
      key: provider,
      label: <Foreign text={provider} />,
      token: PROVIDER_TOKENS[at % PROVIDER_TOKENS.length] ?? PROVIDER_TOKENS[0],
      count,
    }));
  const routed = shares.reduce((sum, { count }) => sum + count, 0);
  const unrouted = { key: "", label: "None", token: "--neutral" as const, count: summary.total - routed };
  return <ShareList shares={[...shares, unrouted]} total={summary.total} />;
}

export function OutcomeShares({ summary }: SharesProps) {
  const shares = summary.outcome_counts.map(({ outcome, count }) => ({
    key: outcome,
    label: formatName(outcome),
    token: OUTCOME_TOKENS[outcome],
    count,
  }));
  return <ShareList shares={shares} total={summary.with_outcome} />;
}
