import type { DecisionDetail } from "../../../client/wire-types.js";
import { Badge, type Tone } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { ChartLegend } from "../../design/charts/time-chart.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { ScoreBar } from "./score-bar.js";
import { SCORE_PARTS } from "./score-parts.js";
import { standingsOf, type Standing } from "./standing.js";
import { Foreign } from "../../design/base/foreign.js";

const PLACES = {
  primary: { label: "Primary", tone: "accent" },
  fallback: { label: "Fallback", tone: "info" },
  lost: { label: "Not chosen", tone: "neutral" },
  excluded: { label: "Ruled out", tone: "critical" },
} as const satisfies Record<Standing["place"], { label: string; tone: Tone }>;

const POINTS_MAX = 100;

/** Shows the offered providers with their scores, and why each was or was not chosen. */
export function ProvidersPanel({ decision }: { decision: DecisionDetail }) {
  const standings = standingsOf(decision);
  // The score is capped at 100, but with a boost the gains can add up to more.
  const pointsMax = Math.max(
    POINTS_MAX,
    ...standings.map(({ evaluation }) => gainsOf(evaluation.components)),
  );
  return (
    <Panel
      title="Providers"
      note={`${standings.length} offered`}
      actions={<ChartLegend entries={SCORE_PARTS} />}
      isFlush
    >
      {standings.length === 0 ? (
        <EmptyState icon="overview" title="No provider was evaluated" />
      ) : (
        <ol className="standings">
          {standings.map(({ evaluation, place, text }) => (
            <li key={evaluation.provider} className={`standing standing-${place}`}>
              <div className="standing-head">
                <h3>
                  <Foreign text={evaluation.provider} />
                </h3>
                <Badge tone={PLACES[place].tone} isPlain>
                  {PLACES[place].label}
                </Badge>
                <Badge tone={HEALTH_TONES[evaluation.health_state]}>
                  {formatName(evaluation.health_state)} {Math.round(evaluation.health_score)}
                </Badge>
                <p className="standing-text">{text}</p>
              </div>
              <p className="standing-score">
                <strong>{evaluation.route_score.toFixed(2)}</strong> <span className="muted">points</span>
              </p>
              <div className="standing-bar">
                <ScoreBar evaluation={evaluation} pointsMax={pointsMax} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function gainsOf(components: Standing["evaluation"]["components"]): number {
  if (components === null) return 0;
  return SCORE_PARTS.reduce((sum, { name }) => sum + Math.max(components[name], 0), 0);
}
