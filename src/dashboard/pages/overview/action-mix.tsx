import { ACTIONS } from "../../../domain/vocabulary/vocabulary.js";
import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatName } from "../../design/base/format.js";
import { ShareList } from "../../design/charts/share-list.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { ACTION_TOKENS } from "../../design/base/tones.js";

/** Shows the share of every instruction, in the vocabulary's order. */
export function ActionMix({ summary }: { summary: AnalyticsSummary | undefined }) {
  if (summary === undefined) return <Skeleton heightPx={226} />;
  const counts = new Map(summary.by_action.map(({ action, count }) => [action, count]));
  const shares = ACTIONS.map((action) => ({
    key: action,
    label: formatName(action),
    token: ACTION_TOKENS[action],
    count: counts.get(action) ?? 0,
  }));
  return <ShareList shares={shares} total={summary.total} />;
}
