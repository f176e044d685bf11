/** Changes whose answer has not come, with their keys. It lives as long as the page. */
const unanswered = new Map<string, string>();

/** Older ones are forgotten: nobody repeats them any more. */
const UNANSWERED_MAX = 20;

/**
 * DASH-6, IDEM-10: a change that is asked for again before its answer came has the same key, so the service makes it once.
 * That holds for a second click and for one after an answer that was lost. `change` says all of what is asked for.
 */
export function keyOf(change: string): string {
  const key = unanswered.get(change) ?? randomKey();
  unanswered.delete(change);
  unanswered.set(change, key);
  const [oldest] = unanswered.keys();
  if (unanswered.size > UNANSWERED_MAX && oldest !== undefined) unanswered.delete(oldest);
  return key;
}

/** The next change that looks the same is another one. */
export function answered(change: string): void {
  unanswered.delete(change);
}

/** 128 bits. `crypto.randomUUID` is there in secure contexts only, and not on plain http. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
