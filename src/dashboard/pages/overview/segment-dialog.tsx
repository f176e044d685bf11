import type { HealthSnapshot } from "../../../client/wire-types.js";
import { Badge } from "../../design/base/badge.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { formatCount, formatLatency, formatName, formatRate, formatTime } from "../../design/base/format.js";
import { Sparkline } from "../../design/charts/sparkline.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { SCORES_MAX } from "./use-score-history.js";

interface SegmentDialogProps {
  snapshot: HealthSnapshot;
  scores: readonly number[];
  onClose(): void;
}

/** Shows everything that is known about one segment. */
export function SegmentDialog({ snapshot, scores, onClose }: SegmentDialogProps) {
  const [provider, method = "", currency] = snapshot.segment_key.split(":");
  const facts = [
    ["Confidence", `${snapshot.confidence.toFixed(0)} of 100`],
    ["Samples", `${formatCount(snapshot.sample_size)} in ${snapshot.window_seconds} s`],
    ["Approval rate", formatRate(snapshot.approval_rate)],
    ["Usual approval rate", formatRate(snapshot.approval_rate_baseline)],
    ["Latency p95", formatLatency(snapshot.p95_latency_ms)],
    ["Timeouts", formatRate(snapshot.timeout_rate)],
    ["Server errors", formatRate(snapshot.error_5xx_rate)],
    ["Throttled", formatRate(snapshot.throttle_429_rate)],
    ["Webhook lag", `${snapshot.webhook_lag_seconds} s`],
    ["Updated", formatTime(snapshot.updated_at)],
  ] as const;
  return (
    <Dialog title={`${provider} · ${formatName(method)} · ${currency}`} onClose={onClose}>
      <div className={`segment-summary tone-${HEALTH_TONES[snapshot.state]}`}>
        <span className="segment-figure">{snapshot.score.toFixed(1)}</span>
        <span>{formatName(snapshot.state)}</span>
        <Sparkline values={scores} capacity={SCORES_MAX} min={0} max={100} />
      </div>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt className="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="reason-codes">
        {snapshot.reason_codes.map((code) => (
          <Badge key={code} tone="neutral" isPlain>
            <code>{code}</code>
          </Badge>
        ))}
      </p>
    </Dialog>
  );
}
