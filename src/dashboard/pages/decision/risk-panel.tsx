import type { Risk } from "../../../client/wire-types.js";
import type { RecommendedAction, RiskBand } from "../../../domain/vocabulary/vocabulary.js";
import { Badge } from "../../design/base/badge.js";
import { formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { RISK_TONES } from "../../design/base/tones.js";
import { ReasonList } from "../../explain/reason-list.js";

/** RISK-10: the scores at which each band begins and ends. */
const BANDS = [
  { band: "low", from: 0, to: 40 },
  { band: "medium", from: 40, to: 65 },
  { band: "high", from: 65, to: 85 },
  { band: "extreme", from: 85, to: 100 },
] as const satisfies readonly { band: RiskBand; from: number; to: number }[];

const ADVICE = {
  route: "Advice: send the payment.",
  step_up: "Advice: ask the customer to authenticate.",
  block_review: "Advice: block or review the payment.",
} as const satisfies Record<RecommendedAction, string>;

/** Shows the advisory risk on the scale of bands, with its reasons. */
export function RiskPanel({ risk }: { risk: Risk }) {
  const { score, band, recommended_action, reason_codes } = risk;
  return (
    <Panel
      title="Risk"
      note="advisory"
      actions={
        <Badge tone={RISK_TONES[band]}>
          {score} of 100, {band}
        </Badge>
      }
    >
      <div className="risk-scale" aria-hidden="true">
        {BANDS.map(({ band, from, to }) => (
          <span key={band} className={`risk-band tone-${RISK_TONES[band]}`} style={{ flexGrow: to - from }}>
            {formatName(band)}
          </span>
        ))}
        <span className="risk-mark" style={{ left: `${score}%` }} />
      </div>
      <p className="risk-advice">
        {ADVICE[recommended_action]} By itself it changes no instruction; policy rules may.
      </p>
      <ReasonList codes={reason_codes} />
    </Panel>
  );
}
