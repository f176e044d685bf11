import { hash } from "node:crypto";
import type { Database } from "lmdb";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { ATTEMPT_ID_BYTES, attemptTimeMs, NO_ATTEMPTS_YET, withAttempt } from "./attempt-list.js";

/** The bytes of the key under which attempts are counted. */
export const ATTEMPT_KEY_BYTES = 16;
/** The hashed text begins with the kind of key. Another kind would then never share a key with an order. */
const BY_ORDER = "order";

/** RTRY-14: the key of an order's attempts. */
export function orderAttemptKey(
  workspaceId: string,
  mode: Mode,
  merchantId: string,
  orderId: string,
): Buffer {
  // merchant_id cannot contain NUL and the order id comes last. So different orders never give the same text.
  const text = `${BY_ORDER}\0${workspaceId}\0${mode}\0${merchantId}\0${orderId}`;
  return hash("sha256", text, "buffer").subarray(0, ATTEMPT_KEY_BYTES);
}

export interface AttemptStoreOptions {
  /** Maps a key to its list of attempts (attempt-list.ts). */
  lists: Database<Buffer, Buffer>;
  /** Maps the day of a list's last attempt, followed by the list's key, to PRESENT. So the oldest lists come first. */
  days: Database<Buffer, Buffer>;
  /** The position up to which other nodes' attempts have been read, as JSON text. */
  meta: Database<string, string>;
  /** Returns true if attempts take more room than allowed. */
  isOverfull(): boolean;
}

export interface AttemptSweep {
  /** The number of keys that were looked at. */
  looked: number;
  /** The number of keys that were deleted early for lack of room. */
  forgotten: number;
}

const DAY_MS = 86_400_000;
const DAY_BYTES = 2;
const LOOKED_BACK_MS = LIMITS.retryAttemptsWindowSeconds * 1000;
/** LMDB stores a value for each key. In `days` only the keys matter. */
const PRESENT = Buffer.of(1);
const POSITION = "position";

/** RTRY-14: stores the attempts of orders. Call everything but `find` and `position` inside a write transaction. */
export function createAttemptStore({ lists, days, meta, isOverfull }: AttemptStoreOptions) {
  const find = (key: Buffer): Buffer => lists.getBinary(key) ?? NO_ATTEMPTS_YET;
  return {
    /** Returns a copy of a key's list, which is empty for an unknown key. */
    find,

    add(key: Buffer, id: Buffer): void {
      const before = find(key);
      const after = withAttempt(before, id);
      if (after === before) return;
      lists.putSync(key, after);
      const oldDay = lastDay(before);
      const newDay = lastDay(after);
      if (oldDay === newDay) return;
      if (oldDay !== null) days.removeSync(dayKey(oldDay, key));
      days.putSync(dayKey(newDay as number, key), PRESENT);
    },

    /**
     * RTRY-15: deletes the keys without an attempt in 30 days. If there is too little room, it deletes the oldest keys
     * earlier.
     */
    sweep(nowMs: number, limit: number): AttemptSweep {
      const isAnyAgeDue = isOverfull();
      let looked = 0;
      let forgotten = 0;
      for (const entry of Array.from(days.getKeys({ limit }))) {
        const endMs = (entry.readUInt16BE(0) + 1) * DAY_MS;
        const isDue = endMs + LOOKED_BACK_MS <= nowMs;
        if (!isDue && !isAnyAgeDue) break;
        lists.removeSync(entry.subarray(DAY_BYTES));
        days.removeSync(entry);
        looked++;
        if (!isDue) forgotten++;
      }
      return { looked, forgotten };
    },

    position: (): string | null => meta.get(POSITION) ?? null,

    movePosition(position: string): void {
      meta.putSync(POSITION, position);
    },
  };
}

export type AttemptStore = ReturnType<typeof createAttemptStore>;

function lastDay(list: Buffer): number | null {
  if (list.length === 0) return null;
  return Math.floor(attemptTimeMs(list.subarray(list.length - ATTEMPT_ID_BYTES)) / DAY_MS);
}

function dayKey(day: number, key: Buffer): Buffer {
  const entry = Buffer.alloc(DAY_BYTES + key.length);
  entry.writeUInt16BE(day, 0);
  key.copy(entry, DAY_BYTES);
  return entry;
}
