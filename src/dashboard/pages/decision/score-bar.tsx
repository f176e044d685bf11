import type { ProviderEvaluation } from "../../../client/wire-types.js";
import { drawnParts, SCORE_PARTS } from "./score-parts.js";

interface ScoreBarProps {
  evaluation: ProviderEvaluation;
  /** The number of points that fill the whole width. It is the same for all providers of a decision. */
  pointsMax: number;
}

/**
 * Draws the parts of a route score: the gains stacked, the losses subtracted from their end, and a mark at the score.
 */
export function ScoreBar({ evaluation, pointsMax }: ScoreBarProps) {
  const { components, route_score } = evaluation;
  const percent = (points: number): string => `${(points / pointsMax) * 100}%`;
  return (
    <>
      <div className="score-bar" aria-hidden="true">
        {drawnParts(components).map(({ name, token, points, from, length }) => (
          <span
            key={name}
            className={points < 0 ? "score-part score-loss" : "score-part"}
            style={{ left: percent(from), width: percent(length), color: `var(${token})` }}
          />
        ))}
        <span className="score-mark" style={{ left: percent(route_score) }} />
      </div>
      {components === null ? (
        <p className="score-terms muted">Its components were not recorded.</p>
      ) : (
        <ul className="score-terms" aria-label="Components of the score">
          {SCORE_PARTS.filter(({ name }) => components[name] !== 0).map(({ name, label, token }) => (
            <li key={name}>
              <span className="score-swatch" style={{ background: `var(${token})` }} />
              <span className="muted">{label}</span> {signed(components[name])}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(2)}`;
}
