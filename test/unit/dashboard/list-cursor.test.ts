import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cursorIn, turnsOf, type ListCursor } from "../../../src/dashboard/api/transport/list-cursor.js";

/** The cursors to which the two buttons of a page with these rows lead. */
function leadsTo(cursor: ListCursor | null, ids: readonly string[], hasMore: boolean) {
  const turned: ListCursor[] = [];
  const { onPrevious, onNext } = turnsOf(cursor, ids, hasMore, (place) => turned.push(place));
  onPrevious?.();
  onNext?.();
  return turned.map(({ direction, id }) => `${direction} ${id}`);
}

const older: ListCursor = { direction: "starting_after", id: "d" };
const newer: ListCursor = { direction: "ending_before", id: "a" };

describe("LIST-5: the ways from a page of a list to its neighbours", () => {
  it("the newest page leads to older rows, if there are any", () => {
    assert.deepEqual(leadsTo(null, ["c", "b"], true), ["starting_after b"]);
    assert.deepEqual(leadsTo(null, ["c", "b"], false), []);
    assert.deepEqual(leadsTo(null, [], false), []);
  });

  it("a page of older rows always leads back, and on while there are more", () => {
    assert.deepEqual(leadsTo(older, ["c", "b"], true), ["ending_before c", "starting_after b"]);
    assert.deepEqual(leadsTo(older, ["c", "b"], false), ["ending_before c"]);
  });

  it("a page of newer rows always leads to older ones, and on while there are more", () => {
    assert.deepEqual(leadsTo(newer, ["c", "b"], true), ["ending_before c", "starting_after b"]);
    assert.deepEqual(leadsTo(newer, ["c", "b"], false), ["starting_after b"]);
  });

  it("the place is in the address", () => {
    assert.deepEqual(cursorIn(new URLSearchParams("q=x&ending_before=a")), newer);
    assert.deepEqual(cursorIn(new URLSearchParams("starting_after=d")), older);
    assert.equal(cursorIn(new URLSearchParams("q=x")), null);
  });
});
