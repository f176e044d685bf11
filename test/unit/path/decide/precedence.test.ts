import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPrecedence } from "../../../../src/path/decide/precedence.js";

/**
 * A worker in real time that decides a batch each `everyMs`, and then checks the journal. Returns its requests to the
 * scheduler, one entry for each check.
 */
function asked(agesMs: readonly number[], everyMs = 250): (boolean | undefined)[] {
  let nowMs = 0;
  let ageMs = 0;
  let wanted: boolean | undefined;
  const look = createPrecedence({
    journalAgeMs: () => ageMs,
    schedule: (realTime) => (wanted = realTime),
    now: () => nowMs,
  });
  return agesMs.map((age) => {
    nowMs += everyMs;
    ageMs = age;
    wanted = undefined;
    look();
    return wanted;
  });
}

describe("a decide worker in real time", () => {
  it("goes first while the writer is at most two seconds behind", () => {
    assert.deepEqual(asked([0, 500, 1999, 2000]), [undefined, undefined, undefined, undefined]);
  });

  it("gives way beyond that, once", () => {
    assert.deepEqual(asked([2001, 60_000, 2001]), [false, undefined, undefined]);
  });

  it("goes first again when the writer is less than half a second behind", () => {
    assert.deepEqual(asked([2001, 1999, 500, 499, 0, 2001]), [
      false,
      undefined,
      undefined,
      true,
      undefined,
      false,
    ]);
  });

  it("looks at the journal four times a second, however many batches there are", () => {
    const looks = asked(
      Array.from({ length: 30 }, () => 2001),
      10,
    );
    assert.deepEqual(
      looks.flatMap((wanted, index) => (wanted === false ? [index] : [])),
      [24],
    );
  });
});
