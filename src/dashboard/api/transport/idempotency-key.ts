/** The keys of changes without an answer. They live as long as the page. */
const unanswered = new Map<string, string>();

/** If there are more keys, the oldest is dropped, because its change is hardly repeated any more. */
const UNANSWERED_MAX = 20;

/**
 * DASH-6, IDEM-10: a change that is repeated before its answer arrived has the same key, so the service makes it once.
 * This covers a second click and a retry after a lost answer. `change` describes the whole request.
 */
export function keyOf(change: string): string {
  const key = unanswered.get(change) ?? randomKey();
  unanswered.delete(change);
  unanswered.set(change, key);
  const [oldest] = unanswered.keys();
  if (unanswered.size > UNANSWERED_MAX && oldest !== undefined) unanswered.delete(oldest);
  return key;
}

/** Forgets the key, so that an equal later change is a new one. */
export function answered(change: string): void {
  unanswered.delete(change);
}

/** Returns 128 random bits. `crypto.randomUUID` exists only in secure contexts, which plain http is not. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
