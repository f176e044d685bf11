import type { ProviderId } from "../vocabulary/decision-request.js";
import { aggregateSegments } from "./segment-aggregate.js";
import {
  ANY_CURRENCY,
  parseSegmentKey,
  segmentKey,
  unknownSnapshot,
  type HealthSnapshot,
  type HealthView,
} from "./snapshot.js";

/** HLTH-2: the fields of GET /v1/provider-health, in the specification's order. */
type WireHealthSnapshot = Omit<HealthSnapshot, "source">;

const UNIX_EPOCH = "1970-01-01T00:00:00.000Z";

/**
 * The view of one workspace and mode: `overlays` (its live outcomes and pins) over `snapshots` (every probed segment).
 * A currency without a snapshot is answered by the overlay's `ANY_CURRENCY`, which a pin leaves there, else by
 * `aggregateSegments` over what this view shows for the probed ones. Either is made once and kept: at most one for each
 * ISO currency, method and provider.
 */
export function createHealthView(
  version: string,
  snapshots: readonly HealthSnapshot[],
  overlays: readonly HealthSnapshot[] = [],
): HealthView {
  const bySegment = new Map<string, HealthSnapshot>();
  for (const snapshot of snapshots) bySegment.set(snapshot.segment_key, snapshot);
  for (const overlay of overlays) bySegment.set(overlay.segment_key, overlay);

  let byMethod: Map<string, HealthSnapshot[]> | null = null;
  const aggregate = (provider: ProviderId, paymentMethod: string, key: string): HealthSnapshot => {
    byMethod ??= groupByMethod(snapshots, bySegment);
    const siblings = byMethod.get(`${provider}:${paymentMethod}`) ?? [];
    const updatedAt = siblings[0]?.updated_at ?? snapshots[0]?.updated_at ?? UNIX_EPOCH;
    return siblings.length === 0
      ? unknownSnapshot(provider, key, updatedAt)
      : aggregateSegments(provider, key, siblings, updatedAt);
  };

  const findByKey = (provider: ProviderId, paymentMethod: string, currency: string): HealthSnapshot => {
    const key = segmentKey(provider, paymentMethod, currency);
    let snapshot = bySegment.get(key);
    if (snapshot === undefined) {
      const pinned = bySegment.get(segmentKey(provider, paymentMethod, ANY_CURRENCY));
      snapshot =
        pinned === undefined ? aggregate(provider, paymentMethod, key) : { ...pinned, segment_key: key };
      bySegment.set(key, snapshot);
    }
    return snapshot;
  };

  /** Currency → provider → method: a decision asks for several providers of one segment, and joining keys costs more. */
  const answered = new Map<string, Map<ProviderId, Map<string, HealthSnapshot>>>();

  return {
    version,
    find(provider, paymentMethod, currency) {
      const known = answered.get(currency)?.get(provider)?.get(paymentMethod);
      if (known !== undefined) return known;
      const snapshot = findByKey(provider, paymentMethod, currency);
      const byProvider = answered.get(currency) ?? new Map<ProviderId, Map<string, HealthSnapshot>>();
      const byMethod = byProvider.get(provider) ?? new Map<string, HealthSnapshot>();
      answered.set(currency, byProvider.set(provider, byMethod.set(paymentMethod, snapshot)));
      return snapshot;
    },
  };
}

/** The rows of GET /v1/provider-health: each probed segment as this workspace and mode see it, then its own others. */
export function mergeOverlays(
  snapshots: readonly HealthSnapshot[],
  overlays: readonly HealthSnapshot[],
): readonly HealthSnapshot[] {
  if (overlays.length === 0) return snapshots;
  const merged = new Map<string, HealthSnapshot>();
  for (const snapshot of snapshots) merged.set(snapshot.segment_key, snapshot);
  for (const overlay of overlays) {
    if (parseSegmentKey(overlay.segment_key).currency !== ANY_CURRENCY)
      merged.set(overlay.segment_key, overlay);
  }
  return [...merged.values()];
}

/** `source` belongs to the decision response and not to the snapshot's field list. */
export function toWire(snapshot: HealthSnapshot): WireHealthSnapshot {
  const { source: _source, ...wire } = snapshot;
  return wire;
}

function groupByMethod(
  snapshots: readonly HealthSnapshot[],
  bySegment: ReadonlyMap<string, HealthSnapshot>,
): Map<string, HealthSnapshot[]> {
  const groups = new Map<string, HealthSnapshot[]>();
  for (const { segment_key: key } of snapshots) {
    const methodKey = key.slice(0, key.lastIndexOf(":"));
    const group = groups.get(methodKey);
    const shown = bySegment.get(key) as HealthSnapshot;
    if (group === undefined) groups.set(methodKey, [shown]);
    else group.push(shown);
  }
  return groups;
}
