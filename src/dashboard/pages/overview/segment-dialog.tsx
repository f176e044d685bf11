import type { HealthSnapshot } from "../../../client/wire-types.js";
import { useProviderHealthDetails } from "../../api/figures.js";
import { Time } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { formatCount, formatLatency, formatName, formatRate } from "../../design/base/format.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { Sparkline } from "../../design/charts/sparkline.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Table, type Column } from "../../design/layout/table.js";
import { useMode } from "../../shell/mode.js";
import { SCORES_MAX } from "./use-score-history.js";

interface SegmentDialogProps {
  snapshot: HealthSnapshot;
  scores: readonly number[];
  onClose(): void;
}

type Measured = NonNullable<HealthSnapshot["live"]>;

/** A source of a segment's figures. */
interface Source {
  name: string;
  measured: Measured;
}

const rateOrNone = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? "–" : formatRate(rate);

const SOURCE_COLUMNS: readonly Column<Source>[] = [
  { key: "name", title: "Measured by", cell: ({ name }) => name },
  {
    key: "n",
    title: "Attempts",
    isNumeric: true,
    cell: ({ measured }) => formatCount(Math.round(measured.n)),
  },
  {
    key: "approved",
    title: "Approved",
    isNumeric: true,
    cell: ({ measured }) => rateOrNone(measured.approval_rate),
  },
  {
    key: "failed",
    title: "Failed technically",
    isNumeric: true,
    cell: ({ measured }) => rateOrNone(measured.technical_rate),
  },
  {
    key: "p95",
    title: "p95",
    isNumeric: true,
    cell: ({ measured: { p95_latency_ms: p95 } }) => (p95 === null ? "–" : formatLatency(p95)),
  },
];

const LEVEL_COLUMNS: readonly Column<HealthSnapshot>[] = [
  { key: "place", title: "Payments of", cell: ({ segment_key: key }) => placeOf(key) },
  { key: "n", title: "Attempts", isNumeric: true, cell: ({ live }) => formatCount(Math.round(live?.n ?? 0)) },
  { key: "rate", title: "Approval", isNumeric: true, cell: ({ rate }) => rateOrNone(rate) },
  { key: "parent", title: "Expected", isNumeric: true, cell: ({ parent_rate: rate }) => rateOrNone(rate) },
  {
    key: "excused",
    title: "Not its fault",
    isNumeric: true,
    cell: ({ blame }) => formatCount(Math.round((blame?.customer ?? 0) + (blame?.issuer ?? 0))),
  },
  { key: "score", title: "Score", isNumeric: true, cell: ({ score }) => score.toFixed(1) },
  {
    key: "state",
    title: "State",
    cell: ({ state }) => <Badge tone={HEALTH_TONES[state]}>{formatName(state)}</Badge>,
  },
  // HLTH-32: a level with too little evidence takes the state of the level above it.
  {
    key: "routes",
    title: "Routed by",
    cell: ({ state }) => (state === "unknown" ? "the level above" : "itself"),
  },
];

/** Formats as `NG` or `NG · Visa`. */
function placeOf(segmentKey: string): string {
  const [, , , country = "", network] = segmentKey.split(":");
  return network === undefined ? country : `${country} · ${formatName(network)}`;
}

/** Shows all figures of one segment: payments and probes separately, and the levels below it. */
export function SegmentDialog({ snapshot, scores, onClose }: SegmentDialogProps) {
  const { mode } = useMode();
  const details = useProviderHealthDetails(mode);
  const rows = details.data?.providers ?? [];
  const own = rows.find(({ segment_key: key }) => key === snapshot.segment_key);
  const levels = rows.filter(({ segment_key: key }) => key.startsWith(`${snapshot.segment_key}:`));
  const sources: Source[] = [
    ...(own?.live === undefined ? [] : [{ name: "Your payments", measured: own.live }]),
    ...(own?.probe === undefined || own.probe === null ? [] : [{ name: "Probes", measured: own.probe }]),
  ];
  const [provider, method = "", currency] = snapshot.segment_key.split(":");
  const facts = [
    ["Confidence", `${snapshot.confidence.toFixed(0)} of 100`],
    ["Expected approval rate", formatRate(snapshot.approval_rate)],
    ["Usual approval rate", formatRate(snapshot.approval_rate_baseline)],
    ["Expected timeouts", formatRate(snapshot.timeout_rate)],
    ["Expected server errors", formatRate(snapshot.error_5xx_rate)],
    ["Expected throttling", formatRate(snapshot.throttle_429_rate)],
    ["Webhook lag", `${snapshot.webhook_lag_seconds} s`],
    ["Updated", <Time key="updated" at={snapshot.updated_at} />],
  ] as const;
  return (
    <Dialog title={`${provider} · ${formatName(method)} · ${currency}`} isWide onClose={onClose}>
      <div className={`segment-summary tone-${HEALTH_TONES[snapshot.state]}`}>
        <span className="segment-figure">{snapshot.score.toFixed(1)}</span>
        <span>{formatName(snapshot.state)}</span>
        <Sparkline values={scores} capacity={SCORES_MAX} min={0} max={100} />
      </div>
      <Table caption="Sources" columns={SOURCE_COLUMNS} rows={sources} keyOf={({ name }) => name} />
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt className="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {levels.length === 0 ? null : (
        <>
          <p className="muted">A payment is routed by the deepest of these levels that it names.</p>
          <Table
            caption="Levels"
            columns={LEVEL_COLUMNS}
            rows={levels}
            keyOf={({ segment_key: key }) => key}
          />
        </>
      )}
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
