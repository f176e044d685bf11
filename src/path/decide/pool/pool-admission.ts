import { TUNING } from "../../../domain/vocabulary/tuning.js";

export interface PoolLoad {
  /** Requests without an answer. */
  pending: number;
  /** When the oldest pending request was received, in monotonic milliseconds. It is called only if needed. */
  oldestMs(): number;
}

export interface PoolAdmission {
  /** Call this when requests were answered. */
  answered(requests: number): void;
  /** True if one more request could not be answered in time. */
  isFull(load: PoolLoad): boolean;
}

const STALE_WINDOWS = 4;

/**
 * OPS-9: how many requests fit into the budget depends on the machine and its other work. So the pool measures how long
 * requests wait. A burst up to `pendingRequestsFree` is held however long it waits. If a larger burst waits too long,
 * the node is in overload. In overload it holds only as many requests as the workers recently answered in
 * `overloadedWaitMs` (Little's law).
 *
 * Whether a request is taken, by the number of pending requests:
 *
 * | State | below `…OverloadedMin` | from there on | from `…Free` on, if the oldest waits too long | from `…Max` on |
 * |---|---|---|---|---|
 * | calm | taken | taken | refused; then overloaded | refused |
 * | overloaded, for `overloadMs`; then calm | taken | taken up to the measured number | as before | refused |
 *
 * @param now monotonic milliseconds
 */
export function createPoolAdmission(now: () => number): PoolAdmission {
  let overloadedUntilMs = 0;
  let answeredInWindow = 0;
  let windowBeganMs = now();
  let heldMax: number = TUNING.pendingRequestsOverloadedMax;

  const measure = (nowMs: number): void => {
    const elapsedMs = nowMs - windowBeganMs;
    if (elapsedMs < TUNING.answerRateWindowMs) return;
    // After a quiet period, the average no longer shows the workers' speed.
    const isStale = elapsedMs > STALE_WINDOWS * TUNING.answerRateWindowMs;
    const held = isStale
      ? TUNING.pendingRequestsOverloadedMax
      : (answeredInWindow / elapsedMs) * TUNING.overloadedWaitMs;
    heldMax = Math.min(
      Math.max(held, TUNING.pendingRequestsOverloadedMin),
      TUNING.pendingRequestsOverloadedMax,
    );
    answeredInWindow = 0;
    windowBeganMs = nowMs;
  };

  return {
    answered(requests) {
      answeredInWindow += requests;
    },
    isFull({ pending, oldestMs }) {
      if (pending < TUNING.pendingRequestsOverloadedMin) return false;
      if (pending >= TUNING.pendingRequestsMax) return true;
      const nowMs = now();
      measure(nowMs);
      if (nowMs < overloadedUntilMs) return pending >= heldMax;
      if (pending < TUNING.pendingRequestsFree) return false;
      if (nowMs - oldestMs() <= TUNING.pendingWaitMsMax) return false;
      overloadedUntilMs = nowMs + TUNING.overloadMs;
      return true;
    },
  };
}
