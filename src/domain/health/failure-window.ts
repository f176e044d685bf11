import { HEALTH_LIMITS } from "./limits.js";

/** The samples of the last 10 s. They decide whether the circuit opens. */
export interface RecentFailures {
  samples: number;
  technicalFailures: number;
}

const SLOTS = HEALTH_LIMITS.circuitWindowMs / HEALTH_LIMITS.circuitSlotMs;

/**
 * HLTH-22: counts the last 10 s in slots of 1 s: the current slot and the nine before it. These counts decide whether
 * the circuit opens. The 10 s buckets of SegmentWindow could not: each starts empty, so an outage across two buckets
 * would be missed.
 */
export class FailureWindow {
  private readonly samples = new Uint32Array(SLOTS);
  private readonly failures = new Uint32Array(SLOTS);
  private newestSlot = -Infinity;

  /** Adds `count` samples with the same time and result. Ignores samples older than the window. */
  add(atMs: number, technicalFailure: boolean, count = 1): void {
    const slot = Math.floor(atMs / HEALTH_LIMITS.circuitSlotMs);
    if (slot > this.newestSlot) this.moveTo(slot);
    else if (slot <= this.newestSlot - SLOTS) return;
    const at = positionOf(slot);
    (this.samples[at] as number) += count;
    if (technicalFailure) (this.failures[at] as number) += count;
  }

  /**
   * Returns the counts without moving the window, because several views read one segment's probes, each at its own
   * time.
   */
  recent(nowMs: number): RecentFailures {
    const sum = { samples: 0, technicalFailures: 0 };
    const newest = Math.floor(nowMs / HEALTH_LIMITS.circuitSlotMs);
    const oldest = Math.max(newest, this.newestSlot) - SLOTS + 1;
    for (let slot = oldest; slot <= Math.min(newest, this.newestSlot); slot++) {
      const at = positionOf(slot);
      sum.samples += this.samples[at] as number;
      sum.technicalFailures += this.failures[at] as number;
    }
    return sum;
  }

  private moveTo(slot: number): void {
    const first = Math.max(this.newestSlot + 1, slot - SLOTS + 1);
    for (let entering = first; entering <= slot; entering++) {
      this.samples[positionOf(entering)] = 0;
      this.failures[positionOf(entering)] = 0;
    }
    this.newestSlot = slot;
  }
}

function positionOf(slot: number): number {
  return ((slot % SLOTS) + SLOTS) % SLOTS;
}
