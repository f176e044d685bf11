import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { takesOwn } from "../../../../src/path/access/cell.js";
import { createSessionCheck } from "../../../../src/path/access/sessions.js";
import { generateToken, isToken } from "../../../../src/path/access/token.js";

/** A session check of cell a that counts what is asked of PostgreSQL, which is away. */
function situation() {
  let asked = 0;
  const check = createSessionCheck(
    {} as never,
    () => {
      asked++;
      return Promise.resolve("unavailable");
    },
    takesOwn("a"),
  );
  return { check: (token: string) => check(token, 0), asked: () => asked };
}

describe("sessions of cells", () => {
  it("CELL-2: one of another cell is invalid, and nobody is asked", async () => {
    const { check, asked } = situation();
    assert.equal(await check(generateToken("b")), "invalid_session");
    assert.equal(asked(), 0);
    for (const own of [generateToken("a"), generateToken()]) assert.equal(await check(own), "unavailable");
    assert.equal(asked(), 2);
  });

  it("CELL-1: a token is its cell, a full stop and 256 random bits", () => {
    const tokens = [generateToken("eu1"), generateToken("eu1")];
    for (const token of tokens) assert.match(token, /^eu1\.[\w-]{43}$/);
    assert.notEqual(tokens[0], tokens[1]);
    assert.match(generateToken(), /^[\w-]{43}$/);
    for (const text of ["a.", `A.${"x".repeat(43)}`, `abcdefghi.${"x".repeat(43)}`, `.${"x".repeat(43)}`])
      assert.equal(isToken(text), false, text);
  });
});
