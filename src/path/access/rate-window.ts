/** RATE-2: a fixed one-minute window keyed by principal. */
export interface RateWindow {
  limitPerMinute: number;
  /**
   * Counts one request. Returns false if it exceeds the limit. If other nodes count too, the result is a Promise. A
   * window of this node alone returns a boolean.
   */
  take(principal: string, nowMs: number): boolean | Promise<boolean>;
}
