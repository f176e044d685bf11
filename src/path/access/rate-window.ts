/** RATE-2: a fixed one-minute window keyed by principal. */
export interface RateWindow {
  limitPerMinute: number;
  /**
   * Counts one request. False if it exceeds the limit. The result is a promise only if other nodes count too. A window
   * of this node alone answers at once.
   */
  take(principal: string, nowMs: number): boolean | Promise<boolean>;
}
