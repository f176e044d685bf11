import type { HealthSnapshot } from "../../../client/wire-types.js";
import type { PaymentMethod } from "../../../domain/vocabulary/vocabulary.js";
import { formatName } from "../../design/base/format.js";
import { Sparkline } from "../../design/charts/sparkline.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { SCORES_MAX, type ScoreHistory } from "./use-score-history.js";

/** A cell has room for the longest state and a score. If the grid is wider than the page, it scrolls. */
const CELL_WIDTH_PX = 118;
const CORNER_WIDTH_PX = 100;

interface HealthGridProps {
  snapshots: readonly HealthSnapshot[];
  method: PaymentMethod;
  history: ScoreHistory;
  onOpen(segmentKey: string): void;
}

/**
 * Shows a grid of providers and currencies. Each cell has the state, the score, and the scores since the page was
 * opened.
 */
export function HealthGrid({ snapshots, method, history, onOpen }: HealthGridProps) {
  const rows = new Map<string, Map<string, HealthSnapshot>>();
  const currencies = new Set<string>();
  for (const snapshot of snapshots) {
    const [provider = "", segmentMethod, currency = ""] = snapshot.segment_key.split(":");
    if (segmentMethod !== method) continue;
    currencies.add(currency);
    rows.set(provider, (rows.get(provider) ?? new Map<string, HealthSnapshot>()).set(currency, snapshot));
  }
  return (
    <section className="grid-frame" aria-label={`Health of ${formatName(method)}`} tabIndex={0}>
      <table className="grid" style={{ minWidth: CORNER_WIDTH_PX + currencies.size * CELL_WIDTH_PX }}>
        <thead>
          <tr>
            <th scope="col" className="grid-corner">
              Provider
            </th>
            {Array.from(currencies, (currency) => (
              <th key={currency} scope="col">
                {currency}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows, ([provider, segments]) => (
            <tr key={provider}>
              <th scope="row" className="grid-provider">
                {provider}
              </th>
              {Array.from(currencies, (currency) => {
                const snapshot = segments.get(currency);
                return (
                  <td key={currency}>
                    {snapshot === undefined ? null : (
                      <SegmentCell
                        snapshot={snapshot}
                        currency={currency}
                        scores={history.get(snapshot.segment_key) ?? []}
                        onOpen={onOpen}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SegmentCellProps {
  snapshot: HealthSnapshot;
  currency: string;
  scores: readonly number[];
  onOpen(segmentKey: string): void;
}

function SegmentCell({ snapshot, currency, scores, onOpen }: SegmentCellProps) {
  const { provider, segment_key, state, score } = snapshot;
  return (
    <button
      type="button"
      className={`segment tone-${HEALTH_TONES[state]}`}
      onClick={() => onOpen(segment_key)}
    >
      <span className="visually-hidden">{`${provider} ${currency}: `}</span>
      <span className="segment-head">
        <span className="segment-score">{Math.round(score)}</span>{" "}
        <span className="segment-state">{state}</span>
      </span>
      <Sparkline values={scores} capacity={SCORES_MAX} min={0} max={100} />
    </button>
  );
}
