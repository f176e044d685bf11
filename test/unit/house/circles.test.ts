import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { folderCircles, wayRound, type Edge } from "../../house/circles.js";

/** `a/1 > b/2`: the first file imports the second. */
const edges = (...texts: string[]): Edge[] =>
  texts.map((text) => {
    const [from = "", to = ""] = text.split(" > ");
    return { from, to };
  });

describe("circles of folders", () => {
  it("are none where imports go one way, or stay in a folder", () => {
    assert.deepEqual(
      folderCircles(edges("a/1 > b/1", "b/1 > c/1", "a/1 > c/1", "a/1 > a/2", "a/2 > a/1")),
      [],
    );
  });

  it("are found though no two files import each other", () => {
    assert.deepEqual(folderCircles(edges("a/1 > b/1", "b/2 > c/1", "c/2 > a/2", "c/1 > d/1")), [
      ["a", "b", "c"],
    ]);
  });

  it("are found between a folder and one in it", () => {
    assert.deepEqual(folderCircles(edges("a/1 > a/in/1", "a/in/1 > a/2")), [["a", "a/in"]]);
  });

  it("are reported separately, and joined where they share a folder", () => {
    const apart = edges("a/1 > b/1", "b/1 > a/1", "c/1 > d/1", "d/1 > c/1", "b/1 > c/1");
    assert.deepEqual(folderCircles(apart), [
      ["a", "b"],
      ["c", "d"],
    ]);
    assert.deepEqual(folderCircles([...apart, ...edges("d/1 > a/1")]), [["a", "b", "c", "d"]]);
  });

  it("are shown by a shortest way round", () => {
    const imports = edges("a/1 > b/1", "b/1 > c/1", "c/1 > a/1", "c/1 > b/2");
    assert.deepEqual(wayRound(["a", "b", "c"], imports), edges("b/1 > c/1", "c/1 > b/2"));
  });
});
