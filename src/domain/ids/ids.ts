/**
 * An id is a prefix, `_`, and a lower-case ULID (26 characters, Crockford base32): 48 bits of Unix milliseconds and 80
 * more bits. Within a millisecond, a generator increases the 80 bits with each id, so ids sort by creation.
 * https://github.com/ulid/spec
 */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTER_CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const PAIRS: readonly string[] = Array.from(
  { length: 1024 },
  (_, value) => ALPHABET.charAt(value >> 5) + ALPHABET.charAt(value & 31),
);

export type IdPrefix =
  | "dec"
  | "out"
  | "pol"
  | "rule"
  | "key"
  | "usr"
  | "ws"
  | "inv"
  | "alr"
  | "req"
  | "aud"
  | "ses"
  | "prc"
  | "sas"
  | "ep"
  | "evt"
  | "dlv"
  | "xpt"
  | "ers"
  | "svw"
  | "rlog";

const COUNTER_LIMIT = 2 ** 30;

/**
 * If the last id is ahead of the clock by at most this, the next id continues from the last one. If it is further
 * ahead, the clock was wrong before and has been corrected.
 */
export const IDS_AHEAD_MS_MAX = 5_000;

/** A source of uniformly random unsigned 32-bit integers. */
type RandomUint32 = () => number;

const RANDOM_WORDS = 1024;

/**
 * Random words from the operating system, which `fill` writes: `randomFillSync`. They are fetched in batches, because a
 * call for each word cost 2 % of the front thread.
 */
export function createRandomSource(fill: (words: Uint32Array) => unknown): RandomUint32 {
  const words = new Uint32Array(RANDOM_WORDS);
  let next = RANDOM_WORDS;
  return () => {
    if (next === RANDOM_WORDS) {
      fill(words);
      next = 0;
    }
    return words[next++] as number;
  };
}

export interface IdGenerator {
  /**
   * Returns the 26 characters of an id for `nowMs`, without a prefix. If the clock stepped back by up to
   * IDS_AHEAD_MS_MAX, the last used millisecond replaces `nowMs`.
   */
  next(nowMs: number): string;
  /** Like `next`, for callers that may never need the id as a string. */
  nextUnwritten(nowMs: number): UnwrittenId;
  /** The Unix milliseconds of the last id made. */
  lastMs(): number;
}

/** The number of characters of an id without its prefix. */
export const ID_CHARS = 26;

/** The 26 characters of an id, not yet written out as a string. */
export class UnwrittenId {
  constructor(
    /** The 20 characters that all ids of one millisecond share. */
    private readonly start: string,
    /** The last 30 bits. */
    private readonly count: number,
  ) {}

  toString(): string {
    // The last six characters are joined first. Otherwise V8 would store the string as a tree of four parts.
    return this.start + (pair(this.count >>> 20) + pair(this.count >>> 10) + pair(this.count));
  }

  /** Writes the characters as ASCII at `offset`. */
  writeTo(target: Uint8Array, offset: number): void {
    const { start, count } = this;
    let at = offset;
    for (let i = 0; i < start.length; i++) target[at++] = start.charCodeAt(i);
    for (let shift = 25; shift >= 0; shift -= 5)
      target[at++] = CHARACTER_CODES[(count >>> shift) & 31] as number;
  }
}

/**
 * The 80 low bits begin with 50 random bits, drawn anew each millisecond. A 30-bit counter follows. It starts at a
 * random point in its lower half and counts the ids of that millisecond.
 */
export function createIdGenerator(random: RandomUint32): IdGenerator {
  let lastMs = -1;
  let prefix = "";
  let counter = 0;
  const nextUnwritten = (nowMs: number): UnwrittenId => {
    if (nowMs > lastMs || lastMs - nowMs > IDS_AHEAD_MS_MAX || counter >= COUNTER_LIMIT) {
      lastMs = nowMs > lastMs || lastMs - nowMs > IDS_AHEAD_MS_MAX ? nowMs : lastMs + 1;
      const high = random();
      const low = random();
      // One flat string, as in json-text.ts: it is written with each id of the millisecond.
      prefix = [
        encodeTime(lastMs),
        pair(high >>> 22),
        pair(high >>> 12),
        pair(high >>> 2),
        pair(low >>> 22),
        pair(low >>> 12),
      ].join("");
      counter = random() >>> 3;
    }
    return new UnwrittenId(prefix, counter++);
  };
  return {
    next: (nowMs) => nextUnwritten(nowMs).toString(),
    nextUnwritten,
    lastMs: () => lastMs,
  };
}

/** Makes ids for the times of `now` (Unix milliseconds) that may never be needed as strings. */
export function unwrittenIds(ids: IdGenerator, now: () => number): () => UnwrittenId {
  return () => ids.nextUnwritten(now());
}

export function pair(bits: number): string {
  return PAIRS[bits & 1023] as string;
}

export function encodeTime(ms: number): string {
  const high = Math.floor(ms / 2 ** 20);
  const low = ms % 2 ** 20;
  return pair(high >>> 20) + pair(high >>> 10) + pair(high) + pair(low >>> 10) + pair(low);
}

const ID_BODY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** True when `id` is `<prefix>_` and a ULID whose time fits 48 bits. */
export function isId(id: string, prefix: IdPrefix): boolean {
  return id.length === prefix.length + 27 && id.startsWith(`${prefix}_`) && ID_BODY.test(id.slice(-26));
}

/** The Unix milliseconds in an id. */
export function idTimeMs(id: string): number {
  let ms = 0;
  for (let i = id.length - 26; i < id.length - 16; i++) {
    ms = ms * 32 + (DECODE_CODES[id.charCodeAt(i)] as number);
  }
  return ms;
}

/** The 128 bits of an id as 32 hexadecimal digits, which PostgreSQL accepts as a uuid. They sort like the ids. */
export function idToHex(id: string): string {
  const start = id.length - 26;
  // The first two characters hold 8 bits. Every further four characters hold 20 bits, which are five digits.
  let hex = hexDigits(decodeIdBits(id, start, 2), 2);
  for (let i = start + 2; i < id.length; i += 4) hex += hexDigits(decodeIdBits(id, i, 4), 5);
  return hex;
}

/** The bits of `count` (at most six) characters of an id, beginning at `start`. */
export function decodeIdBits(id: string, start: number, count: number): number {
  let bits = 0;
  for (let i = start; i < start + count; i++) bits = (bits << 5) | (DECODE_CODES[id.charCodeAt(i)] as number);
  return bits;
}

function hexDigits(bits: number, count: number): string {
  return bits.toString(16).padStart(count, "0");
}

/** An id in the form that PostgreSQL shows. Operators look rows up by it. */
export function idToUuid(id: string): string {
  return idToHex(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Reverses `idToHex`. Hyphens are ignored. */
export function idFromHex(prefix: IdPrefix, hex: string): string {
  const digits = hex.length === 32 ? hex : hex.replaceAll("-", "");
  const first = Number.parseInt(digits.slice(0, 2), 16);
  let text = `${prefix}_${ALPHABET.charAt(first >> 5)}${ALPHABET.charAt(first & 31)}`;
  for (let i = 2; i < 32; i += 5) {
    const bits = Number.parseInt(digits.slice(i, i + 5), 16);
    text += pair(bits >>> 10) + pair(bits);
  }
  return text;
}

/** Writes an id's 128 bits, big-endian, into 16 bytes at `offset`. */
export function writeIdBytes(id: string, target: Uint8Array, offset: number): void {
  // 26 characters have 130 bits, of which the top two are zero. The loop collects 5 bits per character and writes whole
  // bytes.
  let bits = 0;
  let accumulator = 0;
  let at = offset;
  const start = id.length - 26;
  accumulator = DECODE_CODES[id.charCodeAt(start)] as number;
  bits = 3;
  for (let i = start + 1; i < id.length; i++) {
    accumulator = ((accumulator << 5) | (DECODE_CODES[id.charCodeAt(i)] as number)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      target[at++] = (accumulator >>> bits) & 0xff;
    }
  }
}

/**
 * The smallest id of a millisecond, in the form of `idToHex`. All bits after the time are zero, so it sorts before
 * every other id of that millisecond.
 */
export function idFloorHex(timeMs: number): string {
  return timeMs.toString(16).padStart(12, "0") + "0".repeat(20);
}

const DECODE_CODES = new Uint8Array(128);
for (let i = 0; i < ALPHABET.length; i++) DECODE_CODES[ALPHABET.charCodeAt(i)] = i;
