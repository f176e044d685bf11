/** RATE-2: a fixed one-minute window keyed by principal. */
export interface RateWindow {
  limitPerMinute: number;
  /**
   * Counts one request; false when it is over the limit. A promise only where other nodes count too: a window of this
   * node alone answers at once.
   */
  take(principal: string, nowMs: number): boolean | Promise<boolean>;
}
