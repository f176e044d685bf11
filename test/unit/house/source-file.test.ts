import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSource } from "../../house/source-file.js";

const SOURCE = `import { a } from "./a.js";
import type { B } from "./b.js";
import { type C } from "./c.js";
import { type D, d } from "./d.js";
import "./effect.js";
export { e } from "./e.js";
export type { F } from "./f.js";
export * from "./g.js";
type H = import("./h.js").H;
const load = () => import("./i.js");
// import { no } from "./comment.js";
const text = 'import { no } from "./text.js"';
function named() {
  return 1;
}
class Box {
  method() {
    return [
      1,
    ];
  }
}
const table = { entry: () => {
} };
it("title", () => {

});
`;

describe("a source file, as the house's rules see it", () => {
  const file = readSource("src/x.ts", SOURCE);

  it("has its imports and re-exports of every kind, and which of them are types only", () => {
    assert.deepEqual(
      file.imports.map(({ specifier, isType }) => `${specifier}${isType ? " type" : ""}`),
      [
        "./a.js",
        "./b.js type",
        "./c.js type",
        "./d.js",
        "./effect.js",
        "./e.js",
        "./f.js type",
        "./g.js",
        "./h.js type",
        "./i.js",
      ],
    );
  });

  it("has its functions, by their own name or by that of the call that receives them, and the lines of each", () => {
    assert.deepEqual(
      file.functions.map(({ name, lines }) => `${name} ${lines}`),
      ["load 1", "named 3", "method 5", "entry 2", "it(…) 3"],
    );
  });

  it("has as many lines as an editor shows", () => assert.equal(file.lines, 27));

  it("must be readable", () => assert.throws(() => readSource("src/x.ts", "const = 1;"), SyntaxError));
});
