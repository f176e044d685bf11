import type { Journal } from "../journal/journal.js";

const SWEEP_INTERVAL_MS = 1000;
/**
 * Small, because decisions wait for the write lock while a sweep runs. After a sweep that reaches this number, another
 * one follows soon.
 */
const SWEEP_REPLIES_MAX = 1000;
const SWEEP_PAUSE_MS = 10;

/**
 * Deletes expired idempotent replies, a few per transaction. Calls `onFailure` if the journal's disk refuses the
 * deletion.
 */
export function createReplySweep(journal: Journal, now: () => number, onFailure: () => void) {
  let sweeping: NodeJS.Timeout | null = null;
  const sweep = (): void => {
    sweeping = null;
    let looked = 0;
    try {
      looked = journal.transaction(() => journal.replies.sweep(now(), SWEEP_REPLIES_MAX));
    } catch {
      onFailure();
    }
    sweeping = setTimeout(sweep, looked < SWEEP_REPLIES_MAX ? SWEEP_INTERVAL_MS : SWEEP_PAUSE_MS);
  };
  return {
    begin: sweep,
    end(): void {
      if (sweeping !== null) clearTimeout(sweeping);
    },
  };
}
