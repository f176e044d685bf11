import { absorb, finishHash, startHash, type SipState } from "./half-sip-hash.js";
import { decodeIdBits, encodeTime, ID_CHARS, IDS_AHEAD_MS_MAX, idTimeMs, pair, writeIdBytes } from "./ids.js";
import { MODES, type Mode } from "../vocabulary/vocabulary.js";

/*
 * A decision id is a ULID that certifies itself (OUT-15). Behind the 48 bits of its millisecond:
 *   unique    25 bits: node 8 · lane 10 · counter 7
 *   order     15 bits: seeded hash of the order id
 *   merchant  15 bits: seeded hash of the merchant id
 *   seal      25 bits: keyed hash of workspace, mode and all bits before
 * So any node knows a decision of a workspace and mode by its id alone. The seal covers the two other hashes: no bit of
 * an id can be changed, and they need not be strong, since they only tell mistakes apart.
 */
const PREFIX = "dec_";
const NODE_BITS = 8;
const LANE_BITS = 10;
const COUNTER_BITS = 7;
const ORDER_BITS = 15;
const MERCHANT_BITS = 15;
const SEAL_BITS = 25;
const UNIQUE_BITS = NODE_BITS + LANE_BITS + COUNTER_BITS;

/** How many nodes of one database have numbers of their own, from 0. */
export const NODE_NUMBERS = 2 ** NODE_BITS;
/** How many generators of one node have lanes of their own, from 0. */
export const DECISION_ID_LANES = 2 ** LANE_BITS;
/** How many ids a lane gives in one millisecond; the next one is of the next millisecond. */
const IDS_PER_MS = 2 ** COUNTER_BITS;

const CHAR_BITS = 5;
const UNIQUE_AT = 10;
const ORDER_AT = UNIQUE_AT + UNIQUE_BITS / CHAR_BITS;
const MERCHANT_AT = ORDER_AT + ORDER_BITS / CHAR_BITS;
const SEAL_AT = MERCHANT_AT + MERCHANT_BITS / CHAR_BITS;

/** Bytes of the secret behind the ids: the seal's key, and a seed each for order and merchant. */
export const DECISION_ID_KEY_BYTES = 16;

/** Whose ids they are: what the ids of one merchant in one mode have in common. */
export interface DecisionIdOwner {
  /** Which `DecisionIds` it is of: another key gives another owner. */
  readonly ids: DecisionIds;
  /** The hash after workspace and mode. */
  readonly state: SipState;
  readonly merchantTag: number;
}

/**
 * A lane's last millisecond, its counter there, its number, and how many are in use: words that a generator of any thread
 * goes on from.
 */
export type DecisionIdLane = Int32Array;
export const LANE_WORDS = 5;

/** Makes `memory` (LANE_WORDS, zeros) the lane of that number; `inUse` lanes have the numbers below that. */
export function beginLane(memory: DecisionIdLane, number: number, inUse: number): DecisionIdLane {
  if (number >= inUse || inUse > DECISION_ID_LANES) throw new RangeError("lane number");
  memory[NUMBER] = number;
  memory[IN_USE] = inUse;
  return memory;
}

/** `unknown`: no decision of that workspace and mode has this id. */
export type DecisionIdMismatch = "unknown" | "merchant" | "order";

export interface DecisionIds {
  owner(workspaceId: string, mode: Mode, merchantId: string): DecisionIdOwner;
  /**
   * `dec_…` for `nowMs` (Unix milliseconds) or, where the clock stepped back, the lane's last millisecond. Behind
   * IDS_AHEAD_MS_MAX the clock is followed, and the lane goes on under another number: what it made of these milliseconds
   * before is not made again, as long as the numbers last. A lane belongs to one caller at a time.
   */
  next(nowMs: number, lane: DecisionIdLane, owner: DecisionIdOwner, orderId: string): string;
  /** Unix milliseconds of the id that was made last. */
  lastMs(): number;
  /**
   * Null for an id that this service gave to a decision of the workspace, mode and order, and of the merchant where one is
   * given. `id` is well-formed (isId). A changed id passes with a probability of 2^-25, another order's or merchant's with 2^-15.
   */
  mismatch(
    id: string,
    of: { workspaceId: string; mode: Mode; merchantId: string | null; orderId: string },
  ): DecisionIdMismatch | null;
}

/** Bytes hashed for a seal: workspace 16 · mode 4 · the id's words 15. */
const SEALED_BYTES = 35;
const WORD_BITS = 32;

/** `key` has DECISION_ID_KEY_BYTES and is every node's; `node` is below NODE_NUMBERS and is this node's alone. */
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
      // At most 12 characters are added at a time: V8 keeps longer sums as their parts.
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

/** FNV-1a over UTF-16 units with the finalizer of MurmurHash3, so that its top bits depend on every unit. */
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

/** Moves the lane on by one id and returns its number and its counter there. */
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

/** Of a lane's own: those that leave the same rest. */
function nextNumber(number: number, inUse: number): number {
  return number + inUse < DECISION_ID_LANES ? number + inUse : number % inUse;
}

function checkKeyAndNode(key: Uint8Array, node: number): void {
  if (key.length !== DECISION_ID_KEY_BYTES) throw new RangeError(`key: ${DECISION_ID_KEY_BYTES} bytes`);
  if (!Number.isInteger(node) || node < 0 || node >= NODE_NUMBERS) throw new RangeError("node number");
}
