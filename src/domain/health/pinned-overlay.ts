import type { ProviderId } from "../vocabulary/decision-request.js";
import { applyOverride, findOverride, type ProviderOverride } from "./provider-override.js";
import { aggregateSegments } from "./segment-aggregate.js";
import { ANY_CURRENCY, parseSegmentKey, segmentKey, type HealthSnapshot } from "./snapshot.js";

/**
 * ALRT-7: applies a workspace's pins to `live`, and adds a snapshot for every probed segment that a pin covers. A pin
 * on an unprobed currency starts from the provider's answer for the method, as a decision would see it. A pin on
 * every currency also adds a snapshot for `ANY_CURRENCY`. It answers for the currencies without a snapshot of their
 * own.
 */
export function pinOverlay(
  probed: readonly HealthSnapshot[],
  live: readonly HealthSnapshot[],
  overrides: readonly ProviderOverride[],
  paymentMethods: readonly string[],
): HealthSnapshot[] {
  const shown = new Map<string, HealthSnapshot>();
  for (const snapshot of probed) shown.set(snapshot.segment_key, snapshot);
  for (const snapshot of live) shown.set(snapshot.segment_key, snapshot);

  const overlay = new Map<string, HealthSnapshot>();
  for (const snapshot of live) overlay.set(snapshot.segment_key, snapshot);
  for (const [key, snapshot] of shown) {
    const { provider, paymentMethod, currency } = parseSegmentKey(key);
    const override = findOverride(overrides, provider, paymentMethod, currency);
    if (override !== undefined) overlay.set(key, applyOverride(snapshot, override));
  }

  for (const { provider, paymentMethod, currency } of overrides) {
    const pinned = currency ?? ANY_CURRENCY;
    for (const method of paymentMethod === null ? paymentMethods : [paymentMethod]) {
      const key = segmentKey(provider, method, pinned);
      if (shown.has(key)) continue;
      const snapshot = answerForMethod(probed, shown, provider, method, key);
      overlay.set(key, applyOverride(snapshot, findOverride(overrides, provider, method, pinned)));
    }
  }
  return [...overlay.values()];
}

function answerForMethod(
  probed: readonly HealthSnapshot[],
  shown: ReadonlyMap<string, HealthSnapshot>,
  provider: ProviderId,
  paymentMethod: string,
  key: string,
): HealthSnapshot {
  const prefix = segmentKey(provider, paymentMethod, "");
  const siblings: HealthSnapshot[] = [];
  for (const { segment_key: sibling } of probed) {
    if (sibling.startsWith(prefix)) siblings.push(shown.get(sibling) as HealthSnapshot);
  }
  const updatedAt = siblings[0]?.updated_at ?? probed[0]?.updated_at ?? new Date(0).toISOString();
  return aggregateSegments(provider, key, siblings, updatedAt);
}
