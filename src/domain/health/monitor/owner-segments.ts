import { HEALTH_LIMITS } from "../limits.js";
import { aggregateSegments } from "../segment-aggregate.js";
import type { HealthSnapshot } from "../snapshot.js";
import type { LiveSegment, LiveSegmentOwner } from "./live-segment.js";
import { Market, type AlertRoom } from "./market.js";
import type { OutcomeAlertChange } from "./outcome-alert.js";

/** The segments of one workspace and mode, and their markets. */
export class OwnerSegments {
  readonly byKey = new Map<string, LiveSegment>();
  /** The number of segments and their levels. */
  levels = 0;
  private readonly alertRoom: AlertRoom = { left: HEALTH_LIMITS.ownerAlertsMax };
  /** Keyed by payment method and currency. */
  private readonly markets = new Map<string, Market>();

  constructor(readonly owner: LiveSegmentOwner) {}

  add(segment: LiveSegment): void {
    const { key, marketKey } = segment;
    this.byKey.set(key, segment);
    const market = this.markets.get(marketKey) ?? new Market(this.owner, marketKey, this.alertRoom);
    this.markets.set(marketKey, market);
    market.add(segment);
  }

  /** Removes the segment and returns the changes that close its alerts. */
  remove(segment: LiveSegment): OutcomeAlertChange[] {
    const { key, marketKey } = segment;
    this.byKey.delete(key);
    const market = this.markets.get(marketKey);
    const ended = market?.remove(segment) ?? [];
    if (market?.isEmpty === true) this.markets.delete(marketKey);
    return ended;
  }

  marketOf({ marketKey }: LiveSegment): Market | undefined {
    return this.markets.get(marketKey);
  }

  /** HLTH-17: returns this view's answer for the provider and method of a segment outside PROBE_CURRENCIES. */
  answerFor({ key, provider, siblings }: LiveSegment): HealthSnapshot {
    const shown = siblings.flatMap(
      ({ key: siblingKey, latest }) => this.byKey.get(siblingKey)?.top.latest ?? latest ?? [],
    );
    return aggregateSegments(provider, key, shown, shown[0]?.updated_at ?? UNIX_EPOCH);
  }

  /** Returns the segment with the level whose last outcome is the oldest. Null if there are no levels. */
  withOldestLevel(): LiveSegment | null {
    let oldest: LiveSegment | null = null;
    for (const segment of this.byKey.values())
      if (segment.tree.oldestMs() < (oldest?.tree.oldestMs() ?? Infinity)) oldest = segment;
    return oldest;
  }
}

const UNIX_EPOCH = "1970-01-01T00:00:00.000Z";
