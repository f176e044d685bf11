import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  createDecisionIds,
  DECISION_ID_KEY_BYTES,
  beginLane,
  DECISION_ID_LANES,
  LANE_WORDS,
  type DecisionIdLane,
  NODE_NUMBERS,
  type DecisionIds,
  absorb,
  finishHash,
  startHash,
} from "../../../../src/domain/ids/decision-id.js";
import { idFromHex, IDS_AHEAD_MS_MAX, idTimeMs, idToHex, isId } from "../../../../src/domain/ids/ids.js";
import type { Mode } from "../../../../src/domain/vocabulary/vocabulary.js";

const KEY = Uint8Array.from({ length: DECISION_ID_KEY_BYTES }, (_, index) => 17 * index);
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const WORKSPACE = "ws_01jd3vwz6c9k2m4n6p8r0s2t4v";
const OTHER_WORKSPACE = "ws_01jd3vwz6c9k2m4n6p8r0s2t4w";

const newLane = (number = 0, inUse = DECISION_ID_LANES): DecisionIdLane =>
  beginLane(new Int32Array(LANE_WORDS), number, inUse);

interface Asked {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  orderId: string;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  workspaceId: fc.constantFrom(WORKSPACE, OTHER_WORKSPACE),
  mode: fc.constantFrom<Mode>("test", "live"),
  merchantId: fc.string({ minLength: 1, maxLength: 128 }),
  orderId: fc.string({ unit: "grapheme", minLength: 1, maxLength: 128 }),
});

function make(ids: DecisionIds, { workspaceId, mode, merchantId, orderId }: Asked, nowMs = NOW_MS): string {
  return ids.next(nowMs, newLane(), ids.owner(workspaceId, mode, merchantId), orderId);
}

describe("a decision id certifies itself", () => {
  it("OUT-15: is a ULID of the decision's millisecond, known to every node that has the key", () => {
    fc.assert(
      fc.property(
        asked,
        fc.nat(2 ** 45),
        fc.nat(NODE_NUMBERS - 1),
        fc.nat(DECISION_ID_LANES - 1),
        (of, nowMs, node, lane) => {
          const ids = createDecisionIds(KEY, node);
          const owner = ids.owner(of.workspaceId, of.mode, of.merchantId);
          const id = ids.next(nowMs, newLane(lane), owner, of.orderId);
          assert.ok(isId(id, "dec"));
          assert.equal(idTimeMs(id), nowMs);
          assert.equal(ids.lastMs(), nowMs);
          const elsewhere = createDecisionIds(KEY, NODE_NUMBERS - 1 - node);
          assert.equal(elsewhere.mismatch(id, of), null);
          assert.equal(elsewhere.mismatch(id, { ...of, merchantId: null }), null);
        },
      ),
    );
  });

  it("OUT-15, OUT-17: is the same as before an upgrade, so that clients' ids stay known", () => {
    const given = "dec_01m7wd7tg00c000w0rf7w1jh4r";
    const of = { workspaceId: WORKSPACE, mode: "live", merchantId: "m", orderId: "order" } as const;
    assert.equal(make(createDecisionIds(KEY, 3), of), given);
  });

  it("OUT-16: refuses every single-bit flip as unknown, for every caller", () => {
    const ids = createDecisionIds(KEY, 3);
    for (let round = 0; round < 200; round++) {
      const of = {
        workspaceId: WORKSPACE,
        mode: "live",
        merchantId: "m",
        orderId: `order ${round}`,
      } as const;
      const id = make(ids, of, NOW_MS + round);
      const bits = BigInt(`0x${idToHex(id)}`);
      for (let bit = 0n; bit < 128n; bit++) {
        const flipped = idFromHex("dec", (bits ^ (1n << bit)).toString(16).padStart(32, "0"));
        assert.equal(ids.mismatch(flipped, { ...of, merchantId: null }), "unknown", `${id}, bit ${bit}`);
      }
    }
  });

  it("is unknown to another workspace, the other mode and another key, for any order", () => {
    const ids = createDecisionIds(KEY, 3);
    const of = { workspaceId: WORKSPACE, mode: "live", merchantId: "m", orderId: "order" } as const;
    const id = make(ids, of);
    for (const orderId of ["order", "other"]) {
      assert.equal(ids.mismatch(id, { ...of, workspaceId: OTHER_WORKSPACE, orderId }), "unknown");
      assert.equal(ids.mismatch(id, { ...of, mode: "test", orderId }), "unknown");
      const stranger = createDecisionIds(KEY.toReversed(), 3);
      assert.equal(stranger.mismatch(id, { ...of, orderId }), "unknown");
    }
  });

  it("reports another merchant first, then another order", () => {
    const ids = createDecisionIds(KEY, 3);
    const of = { workspaceId: WORKSPACE, mode: "live", merchantId: "m", orderId: "order" } as const;
    const id = make(ids, of);
    assert.equal(ids.mismatch(id, { ...of, merchantId: "other", orderId: "other" }), "merchant");
    assert.equal(ids.mismatch(id, { ...of, orderId: "other" }), "order");
    assert.equal(ids.mismatch(id, { ...of, merchantId: null, orderId: "Order" }), "order");
  });

  it("ascends within a lane, beyond a full millisecond and while the clock stands or steps back", () => {
    const ids = createDecisionIds(KEY, 3);
    const lane = newLane(1);
    const owner = ids.owner(WORKSPACE, "live", "m");
    const clock = [
      ...Array.from({ length: 1000 }, () => NOW_MS),
      ...Array.from({ length: 500 }, (_, i) => NOW_MS - i),
      NOW_MS + 12 - IDS_AHEAD_MS_MAX,
      NOW_MS + 5000,
    ];
    const made = clock.map((nowMs) => ids.next(nowMs, lane, owner, "the same order"));
    assert.deepEqual(made, made.toSorted());
    assert.equal(new Set(made).size, made.length);
    assert.equal(idTimeMs(made.at(-1) as string), NOW_MS + 5000);
  });

  it("CLOCK-6: goes back with a corrected clock, and makes none of these milliseconds again", () => {
    const ids = createDecisionIds(KEY, 3);
    const owner = ids.owner(WORKSPACE, "live", "m");
    const lanes = [0, 1, 2, 3].map((number) => newLane(number, 4));
    const made = new Set<string>();
    // The clock jumps ahead and goes back to the same milliseconds, until every lane was used.
    const ROUNDS = DECISION_ID_LANES / lanes.length;
    for (let round = 0; round < ROUNDS; round++) {
      for (const lane of lanes) {
        for (const nowMs of [NOW_MS, NOW_MS, NOW_MS + 1, NOW_MS + 1 + IDS_AHEAD_MS_MAX]) {
          const id = ids.next(nowMs, lane, owner, "the same order");
          assert.equal(idTimeMs(id), nowMs);
          made.add(id);
        }
      }
    }
    assert.equal(made.size, ROUNDS * lanes.length * 4);
  });

  it("differs between nodes and lanes in the same millisecond, for the same order", () => {
    const made = new Set<string>();
    for (const node of [0, 1, NODE_NUMBERS - 1]) {
      const ids = createDecisionIds(KEY, node);
      const owner = ids.owner(WORKSPACE, "live", "m");
      for (const lane of [0, 1, DECISION_ID_LANES - 1]) {
        const memory = newLane(lane);
        for (let i = 0; i < 100; i++) made.add(ids.next(NOW_MS, memory, owner, "the same order"));
      }
    }
    assert.equal(made.size, 900);
  });

  it("continues in a lane that another thread has used", () => {
    const [first, second] = [createDecisionIds(KEY, 3), createDecisionIds(KEY, 3)];
    const lane = newLane(7);
    const of = { workspaceId: WORKSPACE, mode: "live", merchantId: "m" } as const;
    const made = [first, second, first].map((ids) =>
      ids.next(NOW_MS, lane, ids.owner(of.workspaceId, of.mode, of.merchantId), "order"),
    );
    assert.deepEqual(made, [...new Set(made)].toSorted());
  });
});

/** Linux's lib/test_siphash.c: key 00 01 … 07, messages of 0, 1, 2 … bytes 00 01 02 …. */
const VECTORS = [
  0x5814c896, 0xe7e864ca, 0xbc4b0e30, 0x01539939, 0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6, 0x577999b1,
  0xc839caed, 0xe4fa32cf, 0x959246ee, 0x6b28096c, 0x66dd9cd6, 0x16658a7c, 0xd0257b04, 0x8b31d501, 0x2b1cd04b,
];
const HASH_KEY = Uint8Array.from({ length: 8 }, (_, index) => index);

/** The words of a message. The last word also has the message's length. */
function wordsOf(message: Uint8Array): Int32Array {
  const words = new Int32Array((message.length >> 2) + 1);
  for (const [index, byte] of message.entries()) (words[index >> 2] as number) |= byte << (8 * (index & 3));
  (words[words.length - 1] as number) |= (message.length & 0xff) << 24;
  return words;
}

describe("HalfSipHash-1-3", () => {
  for (const [length, expected] of VECTORS.entries()) {
    it(`gives Linux's hash of ${length} bytes`, () => {
      const words = wordsOf(Uint8Array.from({ length }, (_, index) => index));
      assert.equal(finishHash(startHash(HASH_KEY), words, words.length), expected);
    });
  }

  it("gives the same hash however much of the message is absorbed before", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.uint8Array({ maxLength: 80 }),
        fc.nat(),
        (key, message, cut) => {
          const words = wordsOf(message);
          const absorbedWords = cut % words.length;
          const state = absorb(startHash(key), words.subarray(0, absorbedWords));
          const rest = words.subarray(absorbedWords);
          assert.equal(finishHash(state, rest, rest.length), finishHash(startHash(key), words, words.length));
        },
      ),
    );
  });
});
