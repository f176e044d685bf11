/**
 * HalfSipHash-1-3 with 32 bits of output: a keyed hash of short messages. It uses only 32-bit operations, which
 * JavaScript does without a call into native code. Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012. This variant is Linux's hsiphash. A message is a list of little-endian 32-bit words.
 */

/** The hash's four words of state, after some words of a message. */
export type SipState = Int32Array;

const KEY_BYTES = 8;
const FINAL_ROUNDS = 3;
const finished: SipState = new Int32Array(4);

/** The state before the first word of a message. `key` has 8 bytes. */
export function startHash(key: Uint8Array): SipState {
  const words = new DataView(key.buffer, key.byteOffset, KEY_BYTES);
  const k0 = words.getInt32(0, true);
  const k1 = words.getInt32(4, true);
  return Int32Array.of(k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1);
}

/** The state after `words`. Reuse it for messages that begin with the same words. */
export function absorb(state: SipState, words: Int32Array): SipState {
  const after = new Int32Array(4);
  run(state, words, words.length, 0, after);
  return after;
}

/**
 * The unsigned hash of the words that `state` has absorbed, followed by the first `count` of `words`. The caller ends
 * the message: the top byte of the last word must be the message's length in bytes, modulo 256.
 */
export function finishHash(state: SipState, words: Int32Array, count: number): number {
  run(state, words, count, FINAL_ROUNDS, finished);
  return ((finished[1] as number) ^ (finished[3] as number)) >>> 0;
}

/** Runs one round for each word, and then `finalRounds` rounds without a word. Writes the resulting state to `into`. */
function run(state: SipState, words: Int32Array, count: number, finalRounds: number, into: SipState): void {
  let v0 = state[0] as number;
  let v1 = state[1] as number;
  let v2 = state[2] as number;
  let v3 = state[3] as number;
  for (let i = 0; i < count + finalRounds; i++) {
    const word = i < count ? (words[i] as number) : 0;
    if (i === count) v2 ^= 0xff;
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  into[0] = v0;
  into[1] = v1;
  into[2] = v2;
  into[3] = v3;
}
