import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFullCopy, type FullCopyProgress } from "../../../../src/path/changes/full-copy.js";
import { oneAtATime } from "../../../../src/platform/timing/one-at-a-time.js";
import type { RecordCopy } from "../../../../src/path/changes/record-copy.js";
import { recordCopies } from "../../../support/rows/record-copies.js";

type Kind = "first" | "second";
const letters = (text: string): Map<string, string> => new Map([...text].map((letter) => [letter, letter]));

/** Two kinds of records, and a disk that stores the copy's progress. */
function situation(kinds: Record<Kind, RecordCopy>, disk: { progress: FullCopyProgress<Kind> | null }) {
  const errors: unknown[] = [];
  let isCopying = false;
  const copy = createFullCopy<Kind>({
    kinds,
    pageRows: 2,
    inTurn: oneAtATime(),
    held: () => disk.progress,
    keep: (progress) => (disk.progress = progress),
    isBusy: () => true,
    onCopying: (copying) => (isCopying = copying),
    retryMs: 1,
    onError: (error) => errors.push(error),
  });
  return { copy, errors, isCopying: () => isCopying };
}

describe("a start without copies streams, and serves the records that it already has", () => {
  it("copies kind by kind and page by page: deleted records first, then existing ones", async () => {
    const first = recordCopies(letters("abc"), letters("bx"));
    const second = recordCopies(letters("m"), new Map());
    const disk = { progress: null };
    const { copy, isCopying } = situation({ first: first.kind, second: second.kind }, disk);
    assert.equal(copy.isCopying(), false);
    copy.begin();
    assert.deepEqual([copy.isCopying("first"), copy.isCopying("second"), isCopying()], [true, true, true]);
    await copy.done();
    assert.deepEqual(first.pages, [["b", "x"], ["a", "b"], ["c"]]);
    assert.deepEqual(second.pages, [["m"]]);
    assert.deepEqual([copy.isCopying(), isCopying(), disk.progress], [false, false, null]);
  });

  it("a run that was ended continues at its position, and not from the beginning", async () => {
    const held = new Map<string, string>();
    const stored = letters("abcdef");
    const disk: { progress: FullCopyProgress<Kind> | null } = { progress: null };
    const earlier = recordCopies(stored, held);
    const ended = situation(
      {
        first: {
          ...earlier.kind,
          copy(records) {
            if (earlier.pages.length === 2) ended.copy.close();
            return earlier.kind.copy(records);
          },
        },
        second: recordCopies(new Map(), new Map()).kind,
      },
      disk,
    );
    ended.copy.begin();
    await ended.copy.done();
    assert.notEqual(disk.progress, null);
    const later = recordCopies(stored, held);
    const second = recordCopies(letters("m"), new Map());
    const { copy } = situation({ first: later.kind, second: second.kind }, disk);
    assert.equal(copy.isCopying("first"), true);
    copy.resume();
    await copy.done();
    assert.deepEqual([...held.keys()], [..."abcdef"]);
    assert.equal(later.pages[0]?.includes("a"), false);
    assert.deepEqual([second.pages, disk.progress], [[["m"]], null]);
  });

  it("tries again while PostgreSQL is away, and says so once", async () => {
    const { kind, pages } = recordCopies(letters("abc"), new Map());
    let failures = 3;
    const { copy, errors } = situation(
      {
        first: {
          ...kind,
          copy: (records) => (failures-- > 0 ? Promise.reject(new Error("away")) : kind.copy(records)),
        },
        second: recordCopies(new Map(), new Map()).kind,
      },
      { progress: null },
    );
    copy.begin();
    await copy.done();
    assert.deepEqual([pages, errors.length], [[["a", "b"], ["c"]], 1]);
  });

  it("a new beginning ends the run before it", async () => {
    const held = new Map<string, string>();
    const { kind, pages } = recordCopies(letters("abcd"), held);
    const { copy } = situation(
      { first: kind, second: recordCopies(new Map(), new Map()).kind },
      { progress: null },
    );
    copy.begin();
    copy.begin();
    await copy.done();
    assert.equal(held.size, 4);
    assert.ok(pages.length <= 4, `${pages.length} pages`);
  });
});
