import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  createIdGenerator,
  ID_CHARS,
  IDS_AHEAD_MS_MAX,
  idFromHex,
  idTimeMs,
  idToHex,
  idToUuid,
  isId,
  writeIdBytes,
} from "../../../../src/domain/ids/ids.js";

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
}

describe("ids", () => {
  it("FMT-7: are a prefix and a lower-case ULID", () => {
    assert.match(
      `dec_${createIdGenerator(seeded(1)).next(1_700_000_000_000)}`,
      /^dec_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    );
  });

  it("FMT-7: sort by creation, inside a millisecond too, and when the clock steps back", () => {
    const ids = createIdGenerator(seeded(2));
    const made = [5, 5, 5, 6, 4, 4, 7].map((ms) => ids.next(1_700_000_000_000 + ms));
    assert.deepEqual(made.toSorted(), made);
    assert.equal(new Set(made).size, made.length);
  });

  it("CLOCK-6: go back with a clock that is put right", () => {
    const ids = createIdGenerator(seeded(3));
    const nowMs = 1_700_000_000_000;
    const made = [nowMs + IDS_AHEAD_MS_MAX + 1, nowMs, nowMs + 1 + IDS_AHEAD_MS_MAX, nowMs].map((ms) => {
      const id = ids.next(ms);
      assert.equal(idTimeMs(`dec_${id}`), ms);
      return id;
    });
    assert.equal(new Set(made).size, made.length);
  });

  it("are shown by PostgreSQL as a uuid of the same bits", () => {
    assert.equal(idToUuid("pol_01jd4wqk2m0000000000000000"), "019349cb-cc54-0000-0000-000000000000");
    assert.equal(
      idFromHex("pol", idToUuid("pol_7zzzzzzzzzzzzzzzzzzzzzzzzz")),
      "pol_7zzzzzzzzzzzzzzzzzzzzzzzzz",
    );
  });

  it("carry their own millisecond", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer(), (ms, seed) => {
        const ids = createIdGenerator(seeded(seed));
        assert.equal(idTimeMs(`dec_${ids.next(ms)}`), ms);
        // The generator does not follow a clock that steps back.
        assert.equal(idTimeMs(`dec_${ids.next(ms - 1)}`), ms);
        assert.equal(ids.lastMs(), ms);
      }),
    );
  });

  it("keep their order and value as a uuid and as bytes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer(), (ms, seed) => {
        const id = `dec_${createIdGenerator(seeded(seed)).next(ms)}`;
        const hex = idToHex(id);
        assert.equal(idFromHex("dec", hex), id);
        const bytes = Buffer.alloc(16);
        writeIdBytes(id, bytes, 0);
        assert.equal(bytes.toString("hex"), hex);
      }),
    );
  });

  it("read the same whether they are asked for as text or as bytes, before and after", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer(), (ms, seed) => {
        const ids = createIdGenerator(seeded(seed));
        const before = ids.next(ms);
        const id = ids.nextUnwritten(ms);
        const after = ids.next(ms);
        const bytes = Buffer.alloc(ID_CHARS + 2, "-");
        id.writeTo(bytes, 1);
        assert.equal(bytes.toString("latin1"), `-${id.toString()}-`);
        assert.deepEqual([before, id.toString(), after].toSorted(), [before, id.toString(), after]);
        assert.equal(new Set([before, id.toString(), after]).size, 3);
      }),
    );
  });

  it("are distinguished from other texts", () => {
    const id = `dec_${createIdGenerator(seeded(3)).next(1_700_000_000_000)}`;
    assert.equal(isId(id, "dec"), true);
    for (const other of [
      id.toUpperCase(),
      `${id}0`,
      id.slice(0, -1),
      id.replace("dec_", "out_"),
      "dec_",
      "",
      `dec_8${id.slice(5)}`,
      `dec_${"u".repeat(26)}`,
    ]) {
      assert.equal(isId(other, "dec"), false, other);
    }
  });
});
