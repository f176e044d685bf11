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

/** The fields of GET /v1/provider-health, in the order of HLTH-2. */
type WireHealthSnapshot = Omit<HealthSnapshot, "source">;

const UNIX_EPOCH = "1970-01-01T00:00:00.000Z";

/** Returns one owner's snapshots of levels in a country, or null if it has none there. */
export type LevelsOf = (country: string) => readonly HealthSnapshot[] | null;

const NO_LEVELS: LevelsOf = () => null;

/**
 * The view of one workspace and mode: its `overlays` (live outcomes and pins) over `snapshots` (every probed
 * segment). For a currency without a snapshot, the overlay's `ANY_CURRENCY` answers if a pin set it. Otherwise
 * `aggregateSegments` computes the answer from this view's snapshots of the probed currencies. Each answer is
 * computed once and kept. There is at most one for each ISO currency, method and provider.
 */
export function createHealthView(
  version: string,
  snapshots: readonly HealthSnapshot[],
  overlays: readonly HealthSnapshot[] = [],
  levelsOf: LevelsOf = NO_LEVELS,
): HealthView {
  const bySegment = new Map<string, HealthSnapshot>();
  for (const snapshot of snapshots) bySegment.set(snapshot.segment_key, snapshot);
  for (const overlay of overlays) {
    if (!isLessKnown(overlay, bySegment.get(overlay.segment_key)))
      bySegment.set(overlay.segment_key, overlay);
  }

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

  /**
   * Nested by currency, provider and method. A decision asks for several providers, and joined keys would cost more.
   */
  const answered = new Map<string, Map<ProviderId, Map<string, HealthSnapshot>>>();

  const view: HealthView = {
    version,
    forPayment: (country, cardNetwork) => narrow(country, cardNetwork),
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
  const narrow = levelsOf === NO_LEVELS ? () => view : createNarrowing(view, levelsOf);
  return view;
}

/** Returns a function that narrows `view` to a country and card network. The function makes each view only once. */
function createNarrowing(view: HealthView, levelsOf: LevelsOf): HealthView["forPayment"] {
  const levels = new Map<string, ReadonlyMap<string, HealthSnapshot> | null>();
  const views = new Map<string, HealthView>();
  const levelsIn = (country: string): ReadonlyMap<string, HealthSnapshot> | null => {
    let known = levels.get(country);
    if (known === undefined) {
      const snapshots = levelsOf(country);
      known =
        snapshots === null ? null : new Map(snapshots.map((snapshot) => [snapshot.segment_key, snapshot]));
      levels.set(country, known);
    }
    return known;
  };
  const forPayment: HealthView["forPayment"] = (country, cardNetwork) => {
    const inCountry = levelsIn(country);
    if (inCountry === null) return view;
    const place = cardNetwork === undefined ? country : `${country}:${cardNetwork}`;
    let narrowed = views.get(place);
    if (narrowed === undefined) {
      const hasLevel = [...inCountry.keys()].some((key) => key.endsWith(`:${place}`));
      if (hasLevel) narrowed = narrowView(view, inCountry, country, place);
      else narrowed = cardNetwork === undefined ? view : forPayment(country, undefined);
      views.set(place, narrowed);
    }
    return narrowed;
  };
  return forPayment;
}

/** `place` is `<country>` or `<country>:<card_network>`. */
function narrowView(
  view: HealthView,
  levels: ReadonlyMap<string, HealthSnapshot>,
  country: string,
  place: string,
): HealthView {
  const narrowed: HealthView = {
    version: `${view.version}:${place}`,
    forPayment: () => narrowed,
    find(provider, paymentMethod, currency) {
      const segment = view.find(provider, paymentMethod, currency);
      // A pin overrides whatever was measured.
      if (segment.source === "demo") return segment;
      const key = segmentKey(provider, paymentMethod, currency);
      const level = levels.get(`${key}:${place}`) ?? levels.get(`${key}:${country}`);
      return level === undefined || isLessKnown(level, segment) ? segment : level;
    },
  };
  return narrowed;
}

/**
 * Returns the rows of GET /v1/provider-health: each probed segment as this workspace and mode see it, followed by the
 * workspace's other segments.
 */
export function mergeOverlays(
  snapshots: readonly HealthSnapshot[],
  overlays: readonly HealthSnapshot[],
): readonly HealthSnapshot[] {
  if (overlays.length === 0) return snapshots;
  const merged = new Map<string, HealthSnapshot>();
  for (const snapshot of snapshots) merged.set(snapshot.segment_key, snapshot);
  for (const overlay of overlays) {
    if (parseSegmentKey(overlay.segment_key).currency === ANY_CURRENCY) continue;
    if (!isLessKnown(overlay, merged.get(overlay.segment_key))) merged.set(overlay.segment_key, overlay);
  }
  return [...merged.values()];
}

/** True if a workspace's own outcomes are too few for a judgement, but `other` has a known state. */
function isLessKnown(own: HealthSnapshot, other: HealthSnapshot | undefined): boolean {
  return own.source === "unknown" && other !== undefined && other.state !== "unknown";
}

/** `source` is a field of the decision response, but not of GET /v1/provider-health. */
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
