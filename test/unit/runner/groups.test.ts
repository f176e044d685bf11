import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sideBySide, type Group } from "../../groups.js";

describe("groups of several stages", () => {
  const stage = (name: string, count: number): Group[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, files: [`${name}${index}`] }));

  it("are spread over the whole run, each stage in its own order", () => {
    assert.deepEqual(
      sideBySide([stage("a", 4), stage("b", 2), [], stage("c", 1)]).map(({ name }) => name),
      ["a0", "b0", "a1", "c0", "a2", "b1", "a3"],
    );
  });

  it("groups of one stage stay as they are", () => {
    assert.deepEqual(sideBySide([stage("a", 3)]), stage("a", 3));
  });
});
