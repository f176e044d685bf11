import { useSyncExternalStore } from "react";
import { formatAge, formatTime, formatUntil } from "./format.js";

const TICK_MS = 5000;

/** One clock for every age on the page; it stands still while there is none. */
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

/** Unix milliseconds, a few seconds old at most. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** How long ago something was; the time itself on a closer look. `at` is ISO 8601. */
export function Age({ at }: { at: string }) {
  const now = useNowMs();
  return (
    <time className="muted" dateTime={at} title={formatTime(at)}>
      {formatAge(at, now)}
    </time>
  );
}

/** How long until something is; the time itself on a closer look. `at` is ISO 8601. */
export function Until({ at }: { at: string }) {
  const now = useNowMs();
  return (
    <time className="muted" dateTime={at} title={formatTime(at)}>
      {formatUntil(at, now)}
    </time>
  );
}
