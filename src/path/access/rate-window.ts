/** RATE-2: counts requests by principal in fixed windows of one minute. */
export interface RateWindow {
  limitPerMinute: number;
  /**
   * Counts one request. Returns false if it exceeds the limit. A window that several nodes share returns a Promise. A
   * node's own window returns a boolean.
   */
  take(principal: string, nowMs: number): boolean | Promise<boolean>;
}
