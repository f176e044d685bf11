import { useSyncExternalStore } from "react";
import { formatAge, formatExactTime, formatTime, formatUntil } from "./format.js";

const TICK_MS = 5000;

/** One clock serves every age on the page. It stops while nothing listens. */
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const tick of listeners) tick();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix milliseconds, at most a few seconds old. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** Shows how long ago `at` was, with the exact time on hover. `at` is ISO 8601. */
export function Age({ at }: { at: string }) {
  const now = useNowMs();
  return (
    <time className="muted" dateTime={at} title={formatExactTime(at)}>
      {formatAge(at, now)}
    </time>
  );
}

/** Shows how long it is until `at`, with the exact time on hover. `at` is ISO 8601. */
export function Until({ at }: { at: string }) {
  const now = useNowMs();
  return (
    <time className="muted" dateTime={at} title={formatExactTime(at)}>
      {formatUntil(at, now)}
    </time>
  );
}

/** Shows a time in the chosen zone, with the exact time on hover. `at` is ISO 8601. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatTime(at)}
    </time>
  );
}
