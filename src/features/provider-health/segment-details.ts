import type { LiveDetail } from "../../domain/health/monitor/live-level.js";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import { toWire } from "../../domain/health/view.js";
import { roundTo2, roundTo6 } from "../../domain/vocabulary/rounding.js";
import type { ProviderHealthListBody } from "./wire.js";

type DetailRow = ProviderHealthListBody["providers"][number];
type Measured = NonNullable<DetailRow["live"]>;

const NOTHING_MEASURED: Measured = { n: 0, approval_rate: null, technical_rate: null, p95_latency_ms: null };
/** The parts of a segment's key: provider, payment method and currency. */
const SEGMENT_PARTS = 3;
const NOBODY = { provider: 0, customer: 0, issuer: 0 };

/**
 * HLTH-33: `shown` are the segments in the workspace's view, and `probed` those in everybody's view. `live` summarizes
 * the workspace's outcomes. A segment is followed by its levels.
 */
export function toDetailRows(
  shown: readonly HealthSnapshot[],
  probed: readonly HealthSnapshot[],
  live: readonly LiveDetail[],
): DetailRow[] {
  const probes = new Map(probed.map((snapshot) => [snapshot.segment_key, snapshot]));
  const details = new Map(live.map((detail) => [detail.segmentKey, detail]));
  const levels = groupLevels(live);
  return shown.flatMap((snapshot) => {
    const key = snapshot.segment_key;
    const top = toRow(snapshot, details.get(key), probes.get(key));
    const below = (levels.get(key) ?? []).flatMap((detail) =>
      detail.snapshot === null ? [] : [toRow(detail.snapshot, detail, undefined)],
    );
    return [top, ...below];
  });
}

function groupLevels(live: readonly LiveDetail[]): Map<string, LiveDetail[]> {
  const groups = new Map<string, LiveDetail[]>();
  for (const detail of live) {
    const parts = detail.segmentKey.split(":");
    const segment = parts.slice(0, SEGMENT_PARTS).join(":");
    if (parts.length === SEGMENT_PARTS) continue;
    const group = groups.get(segment);
    if (group === undefined) groups.set(segment, [detail]);
    else group.push(detail);
  }
  for (const group of groups.values()) group.sort((a, b) => (a.segmentKey < b.segmentKey ? -1 : 1));
  return groups;
}

function toRow(
  snapshot: HealthSnapshot,
  detail: LiveDetail | undefined,
  probed: HealthSnapshot | undefined,
): DetailRow {
  return {
    ...toWire(snapshot),
    live: detail === undefined ? NOTHING_MEASURED : liveOf(detail),
    probe: probed === undefined || probed.sample_size === 0 ? null : probeOf(probed),
    n: roundTo2(detail?.judged ?? 0),
    rate: rounded(detail?.rate ?? null),
    parent_rate: rounded(detail?.parentRate ?? null),
    blame:
      detail === undefined
        ? NOBODY
        : {
            provider: roundTo2(detail.blamed.provider),
            customer: roundTo2(detail.blamed.customer),
            issuer: roundTo2(detail.blamed.issuer),
          },
  };
}

function liveOf({ samples, approvalRate, technicalRate, p95LatencyMs }: LiveDetail): Measured {
  return {
    n: roundTo2(samples),
    approval_rate: rounded(approvalRate),
    technical_rate: rounded(technicalRate),
    p95_latency_ms: p95LatencyMs,
  };
}

function probeOf(probed: HealthSnapshot): Measured {
  const { timeout_rate, error_5xx_rate, throttle_429_rate } = probed;
  return {
    n: probed.sample_size,
    approval_rate: probed.approval_rate,
    technical_rate: roundTo6(timeout_rate + error_5xx_rate + throttle_429_rate),
    p95_latency_ms: probed.p95_latency_ms,
  };
}

function rounded(rate: number | null): number | null {
  return rate === null ? null : roundTo6(Math.min(1, Math.max(0, rate)));
}
