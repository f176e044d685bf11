import { HEALTH_LIMITS } from "./limits.js";

/**
 * Decisions whose outcome a window has counted. A report is sent again after a network error, and replaces the one before
 * (spec "Outcome"): without this one payment, told twenty times, would open a circuit. Remembers at least the last
 * `max` of them, which is more than a window holds below 330 outcomes a second, and at any rate longer than a retry takes.
 */
export class CountedDecisions {
  private newer = new Set<string>();
  private older = new Set<string>();

  constructor(private readonly max: number = HEALTH_LIMITS.countedDecisionsMax) {}

  has(decisionId: string): boolean {
    return this.newer.has(decisionId) || this.older.has(decisionId);
  }

  add(decisionId: string): void {
    if (this.newer.size >= this.max) {
      this.older = this.newer;
      this.newer = new Set();
    }
    this.newer.add(decisionId);
  }
}
