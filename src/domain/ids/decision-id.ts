import { decodeIdBits, encodeTime, ID_CHARS, IDS_AHEAD_MS_MAX, idTimeMs, pair, writeIdBytes } from "./ids.js";
import { MODES, type Mode } from "../vocabulary/vocabulary.js";

/*
 * A decision id is a ULID that certifies itself (OUT-15). After the 48 bits of its millisecond it has:
 *   unique    25 bits: node 8 · lane 10 · counter 7
 *   order     15 bits: seeded hash of the order id
 *   merchant  15 bits: seeded hash of the merchant id
 *   seal      25 bits: keyed hash of workspace, mode and all bits before
 * Any node can therefore tell from the id alone whether a decision belongs to a workspace and mode. The seal covers the
 * order and merchant hashes, so nobody can change a bit of an id. Those two hashes need not be strong, because they
 * only detect mistakes.
 */
const PREFIX = "dec_";
const NODE_BITS = 8;
const LANE_BITS = 10;
const COUNTER_BITS = 7;
const ORDER_BITS = 15;
const MERCHANT_BITS = 15;
const SEAL_BITS = 25;
const UNIQUE_BITS = NODE_BITS + LANE_BITS + COUNTER_BITS;

/** The number of nodes of one database that can have their own number, from 0. */
export const NODE_NUMBERS = 2 ** NODE_BITS;
/** The number of generators of one node that can have their own lane, from 0. */
export const DECISION_ID_LANES = 2 ** LANE_BITS;
/** The number of ids that a lane makes in one millisecond. Further ids use the next millisecond. */
const IDS_PER_MS = 2 ** COUNTER_BITS;

const CHAR_BITS = 5;
const UNIQUE_AT = 10;
const ORDER_AT = UNIQUE_AT + UNIQUE_BITS / CHAR_BITS;
const MERCHANT_AT = ORDER_AT + ORDER_BITS / CHAR_BITS;
const SEAL_AT = MERCHANT_AT + MERCHANT_BITS / CHAR_BITS;

/**
 * The length in bytes of the secret from which ids are made. It holds the key of the seal, and one seed each for order
 * and merchant.
 */
export const DECISION_ID_KEY_BYTES = 16;

/** What the ids of one merchant in one mode have in common. */
export interface DecisionIdOwner {
  /** The generator that made this owner. A generator with another key needs another owner. */
  readonly ids: DecisionIds;
  /** The hash state after it has absorbed workspace and mode. */
  readonly state: SipState;
  readonly merchantTag: number;
}

/**
 * The words of a lane: its last millisecond, its counter in that millisecond, its number, and the number of lanes in
 * use. A generator on any thread can continue from these words.
 */
export type DecisionIdLane = Int32Array;
export const LANE_WORDS = 5;

/** Turns `memory` (LANE_WORDS, zeros) into the lane `number`. The `inUse` lanes have the numbers 0 to `inUse` − 1. */
export function beginLane(memory: DecisionIdLane, number: number, inUse: number): DecisionIdLane {
  if (number >= inUse || inUse > DECISION_ID_LANES) throw new RangeError("lane number");
  memory[NUMBER] = number;
  memory[IN_USE] = inUse;
  return memory;
}

/** `unknown` means that no decision of that workspace and mode has this id. */
export type DecisionIdMismatch = "unknown" | "merchant" | "order";

export interface DecisionIds {
  owner(workspaceId: string, mode: Mode, merchantId: string): DecisionIdOwner;
  /**
   * Returns `dec_…` for `nowMs` (Unix milliseconds). If the clock has stepped back, the lane's last millisecond is used
   * instead of `nowMs`. After a step of more than IDS_AHEAD_MS_MAX, the lane follows the clock and takes another
   * number. So no id is made twice, as long as numbers are left. Only one caller at a time may use a lane.
   */
  next(nowMs: number, lane: DecisionIdLane, owner: DecisionIdOwner, orderId: string): string;
  /** The Unix milliseconds of the last id made. */
  lastMs(): number;
  /**
   * Null if this service gave the id to a decision of the workspace, mode and order, and of the merchant if one is
   * given. Check `id` with isId first. A changed id passes with a probability of 2^-25, and another order's or
   * merchant's id with 2^-15.
   */
  mismatch(
    id: string,
    of: { workspaceId: string; mode: Mode; merchantId: string | null; orderId: string },
  ): DecisionIdMismatch | null;
}

/** The bytes hashed for a seal: workspace 16 · mode 4 · the id's words 15. */
const SEALED_BYTES = 35;
const WORD_BITS = 32;

/**
 * `key` has DECISION_ID_KEY_BYTES and is the same on every node. `node` is below NODE_NUMBERS and no other node has it.
 */
export function createDecisionIds(key: Uint8Array, node: number): DecisionIds {
  checkKeyAndNode(key, node);
  const sealKey = startHash(key);
  const seeds = new DataView(key.buffer, key.byteOffset, DECISION_ID_KEY_BYTES);
  const orderSeed = seeds.getInt32(8, true);
  const merchantSeed = seeds.getInt32(12, true);
  const words = new Int32Array(4);
  const workspaceBytes = new Uint8Array(16);
  const workspaceWords = new DataView(workspaceBytes.buffer);
  let lastMs = -1;
  let timeText = "";

  const stateOf = (workspaceId: string, mode: Mode): SipState => {
    writeIdBytes(workspaceId, workspaceBytes, 0);
    return absorb(
      sealKey,
      Int32Array.of(
        workspaceWords.getInt32(0, true),
        workspaceWords.getInt32(4, true),
        workspaceWords.getInt32(8, true),
        workspaceWords.getInt32(12, true),
        MODES.indexOf(mode),
      ),
    );
  };

  const sealOf = (
    state: SipState,
    timeMs: number,
    unique: number,
    order: number,
    merchant: number,
  ): number => {
    words[0] = timeMs | 0;
    words[1] = Math.floor(timeMs / 2 ** WORD_BITS) | (merchant << 16);
    words[2] = unique | (order << UNIQUE_BITS);
    words[3] = (order >>> (WORD_BITS - UNIQUE_BITS)) | (SEALED_BYTES << 24);
    return finishHash(state, words, 4) >>> (WORD_BITS - SEAL_BITS);
  };

  const ids: DecisionIds = {
    owner: (workspaceId, mode, merchantId) => ({
      ids,
      state: stateOf(workspaceId, mode),
      merchantTag: tagOf(merchantSeed, merchantId, MERCHANT_BITS),
    }),
    next(nowMs, lane, owner, orderId) {
      const unique = (node << (LANE_BITS + COUNTER_BITS)) | step(lane, nowMs);
      const timeMs = laneMs(lane);
      if (timeMs !== lastMs) {
        lastMs = timeMs;
        timeText = PREFIX + encodeTime(timeMs);
      }
      const order = tagOf(orderSeed, orderId, ORDER_BITS);
      const merchant = owner.merchantTag;
      const seal = sealOf(owner.state, timeMs, unique, order, merchant);
      // Each sum adds at most 12 characters, because V8 stores longer sums as a tree of parts.
      return timeText.concat(
        pair(unique >>> 15) +
          pair(unique >>> 5) +
          pair((unique << 5) | (order >>> 10)) +
          pair(order) +
          pair(merchant >>> 5),
        pair((merchant << 5) | (seal >>> 20)) + pair(seal >>> 10) + pair(seal),
      );
    },
    lastMs: () => lastMs,
    mismatch(id, { workspaceId, mode, merchantId, orderId }) {
      const start = id.length - ID_CHARS;
      const part = (at: number, bits: number): number => decodeIdBits(id, start + at, bits / CHAR_BITS);
      const order = part(ORDER_AT, ORDER_BITS);
      const merchant = part(MERCHANT_AT, MERCHANT_BITS);
      const state = stateOf(workspaceId, mode);
      const seal = sealOf(state, idTimeMs(id), part(UNIQUE_AT, UNIQUE_BITS), order, merchant);
      if (seal !== part(SEAL_AT, SEAL_BITS)) return "unknown";
      if (merchantId !== null && tagOf(merchantSeed, merchantId, MERCHANT_BITS) !== merchant)
        return "merchant";
      return tagOf(orderSeed, orderId, ORDER_BITS) === order ? null : "order";
    },
  };
  return ids;
}

/** FNV-1a over UTF-16 units. The finalizer of MurmurHash3 makes its top bits depend on every unit. */
function tagOf(seed: number, text: string, bits: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> (WORD_BITS - bits);
}

const LOW = 0;
const HIGH = 1;
const COUNTER = 2;
const NUMBER = 3;
const IN_USE = 4;

function laneMs(lane: DecisionIdLane): number {
  return (lane[HIGH] as number) * 2 ** WORD_BITS + ((lane[LOW] as number) >>> 0);
}

/** Advances the lane by one id. Returns its number and its new counter. */
function step(lane: DecisionIdLane, nowMs: number): number {
  const before = laneMs(lane);
  const isPutRight = before - nowMs > IDS_AHEAD_MS_MAX;
  if (nowMs <= before && !isPutRight && (lane[COUNTER] as number) + 1 < IDS_PER_MS) {
    lane[COUNTER] = (lane[COUNTER] as number) + 1;
    return numberAndCounter(lane);
  }
  const timeMs = isPutRight ? nowMs : Math.max(nowMs, before + 1);
  if (isPutRight) lane[NUMBER] = nextNumber(lane[NUMBER] as number, lane[IN_USE] as number);
  lane[HIGH] = Math.floor(timeMs / 2 ** WORD_BITS);
  lane[LOW] = timeMs | 0;
  lane[COUNTER] = 0;
  return numberAndCounter(lane);
}

function numberAndCounter(lane: DecisionIdLane): number {
  return ((lane[NUMBER] as number) << COUNTER_BITS) | (lane[COUNTER] as number);
}

/** The lane's next number. The numbers of a lane have the same remainder modulo `inUse`, so lanes never share one. */
function nextNumber(number: number, inUse: number): number {
  return number + inUse < DECISION_ID_LANES ? number + inUse : number % inUse;
}

function checkKeyAndNode(key: Uint8Array, node: number): void {
  if (key.length !== DECISION_ID_KEY_BYTES) throw new RangeError(`key: ${DECISION_ID_KEY_BYTES} bytes`);
  if (!Number.isInteger(node) || node < 0 || node >= NODE_NUMBERS) throw new RangeError("node number");
}

/**
 * HalfSipHash-1-3 with 32 bits of output: a keyed hash of short messages. It uses only 32-bit operations, which
 * JavaScript does without a call into native code. Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012. This variant is Linux's hsiphash. A message is a list of little-endian 32-bit words.
 */

/** The hash's four words of state, after some words of a message. */
type SipState = Int32Array;

const KEY_BYTES = 8;
const FINAL_ROUNDS = 3;
const finishedState: SipState = new Int32Array(4);

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
  runRounds(state, words, words.length, 0, after);
  return after;
}

/**
 * The unsigned hash of the words that `state` has absorbed, followed by the first `count` of `words`. The caller ends
 * the message: the top byte of the last word must be the message's length in bytes, modulo 256.
 */
export function finishHash(state: SipState, words: Int32Array, count: number): number {
  runRounds(state, words, count, FINAL_ROUNDS, finishedState);
  return ((finishedState[1] as number) ^ (finishedState[3] as number)) >>> 0;
}

/** Runs one round for each word, and then `finalRounds` rounds without a word. Writes the resulting state to `into`. */
function runRounds(
  state: SipState,
  words: Int32Array,
  count: number,
  finalRounds: number,
  into: SipState,
): void {
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
