import { LIMITS } from "../../domain/vocabulary/limits.js";

/*
 * The attempts of one order as bytes. An attempt is a decision that sent the payment to a provider. The list has the
 * 16-byte ids of these decisions, sorted. An id begins with its time, so the attempts are in order of time.
 */
export const ATTEMPT_ID_BYTES = 16;
export const NO_ATTEMPTS_YET: Buffer = Buffer.alloc(0);

const TIME_BYTES = 6;
const LOOKED_BACK_MS = LIMITS.retryAttemptsWindowSeconds * 1000;

/** The time of an attempt in Unix milliseconds, read from its id. */
export function attemptTimeMs(id: Buffer): number {
  return id.readUIntBE(0, TIME_BYTES);
}

/** The times of all attempts of a list, the oldest first. */
export function attemptTimesMs(list: Buffer): number[] {
  return idsOf(list).map(attemptTimeMs);
}

export function hasAttempt(list: Buffer, id: Buffer): boolean {
  return idsOf(list).some((known) => known.equals(id));
}

/**
 * Returns the list with one more attempt, or the same object if the list has the attempt. RTRY-15: it drops attempts
 * that no limit looks back on. These are more than 30 days older than the newest one, or not among the newest 35.
 */
export function withAttempt(list: Buffer, id: Buffer): Buffer {
  if (hasAttempt(list, id)) return list;
  const all = [...idsOf(list), id].toSorted((a, b) => a.compare(b));
  const newestMs = attemptTimeMs(all.at(-1) as Buffer);
  const kept = all.filter((known) => newestMs - attemptTimeMs(known) < LOOKED_BACK_MS);
  return Buffer.concat(kept.slice(-LIMITS.retryAttemptsMax));
}

function idsOf(list: Buffer): Buffer[] {
  return Array.from({ length: list.length / ATTEMPT_ID_BYTES }, (_, at) =>
    list.subarray(at * ATTEMPT_ID_BYTES, (at + 1) * ATTEMPT_ID_BYTES),
  );
}
