import { TUNING } from "../../../domain/vocabulary/tuning.js";

export interface PoolLoad {
  /** Requests without an answer. */
  pending: number;
  /** When the oldest of them was received, monotonic milliseconds; asked for only where it matters. */
  oldestMs(): number;
}

export interface PoolAdmission {
  /** Requests were answered. */
  answered(requests: number): void;
  /** Whether one more would not be answered in time. */
  isFull(load: PoolLoad): boolean;
}

const STALE_WINDOWS = 4;

/**
 * OPS-9: how many requests fit into the budget depends on the machine and on what else it does, so the
 * measure is how long they wait. A burst is held whatever it waits for. Where more than that keeps coming, for a while
 * no more are held than the workers were seen to answer in the time that may be waited (Little's law).
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
    // After a quiet time: what it averages says nothing of what the workers can do.
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
