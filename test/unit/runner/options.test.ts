import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readOptions, stageOf, type RunOptions } from "../../runner/options.js";
import { LISTS, selectFiles } from "../../runner/selection.js";

function optionsOf(...args: readonly string[]): RunOptions {
  const options = readOptions(args);
  assert.ok(!("faults" in options), args.join(" "));
  return options;
}

describe("the runner's arguments", () => {
  it("are options and parts of paths, in any order", () => {
    const options = optionsOf("outcomes", "--postgres=15", "team.");
    assert.equal(options.major, "15");
    assert.deepEqual(options.patterns, ["outcomes", "team."]);
    assert.equal(optionsOf("--long", "--quick").isQuick, true);
  });

  const faults: [args: string[], said: RegExp[]][] = [
    [["--instaled"], [/^unknown option --instaled; the options are --long, /]],
    [
      ["-x", "--postgres", "unit/"],
      [/^unknown option -x/, /^unknown option --postgres;/],
    ],
    [["--postgres=new"], [/^unknown option --postgres=new; .*--postgres=<major version>$/]],
    [["--constructor"], [/^unknown option --constructor/]],
    [["--quick"], [/^--quick shortens what --long runs/]],
  ];
  for (const [args, said] of faults) {
    it(`are refused, each in a line: ${args.join(" ")}`, () => {
      const options = readOptions(args);
      assert.ok("faults" in options);
      assert.equal(options.faults.length, said.length);
      for (const [index, expected] of said.entries()) assert.match(options.faults[index] as string, expected);
    });
  }

  it("name the stage that an unstable file is told with", () => {
    const stages: [args: string[], stage: string][] = [
      [[], "npm test"],
      [["--installed"], "npm run test:installed"],
      [["--processes"], "npm run test:processes"],
      [["--two-nodes"], "two nodes"],
      [["--postgres=16", "outcomes"], "PostgreSQL 16"],
      [["--changed"], "npm test -- --changed"],
      [["--long"], "npm run test:faults"],
    ];
    for (const [args, stage] of stages) assert.equal(stageOf(optionsOf(...args)), stage);
  });
});

describe("the files of a run", () => {
  const ALL = [
    "unit/ids.test.js",
    "browser/pages.test.js",
    "service/outcomes/outcomes.test.js",
    "faults/soak/soak.long.test.js",
    "faults/kill/kill.test.js",
    "attacks/framing.test.js",
  ];
  const select = (...args: readonly string[]): string[] | { faults: string[] } =>
    selectFiles(ALL, optionsOf(...args));

  it("are those of its kind, in order", () => {
    assert.deepEqual(select(), ["service/outcomes/outcomes.test.js", "unit/ids.test.js"]);
    assert.deepEqual(select("--processes"), ["attacks/framing.test.js", "faults/kill/kill.test.js"]);
    assert.deepEqual(select("--installed"), ["browser/pages.test.js"]);
    assert.deepEqual(select("--postgres=15"), ["service/outcomes/outcomes.test.js"]);
    assert.deepEqual(select("--two-nodes"), ["service/outcomes/outcomes.test.js"]);
    assert.deepEqual(select("--long"), ["faults/soak/soak.long.test.js"]);
  });

  it("are in one run each, but for those of two nodes and of other versions of PostgreSQL", () => {
    const runs = [select(), select("--processes"), select("--installed"), select("--long")].flat();
    assert.deepEqual(new Set(runs), new Set(ALL));
    assert.equal(runs.length, ALL.length);
    assert.deepEqual(
      select("--changed"),
      [...(select() as string[]), ...(select("--processes") as string[])].toSorted(),
    );
  });

  it("are those that match a pattern, of any kind", () => {
    assert.deepEqual(select("pages", "ids"), ["browser/pages.test.js", "unit/ids.test.js"]);
    assert.deepEqual(select("--two-nodes", "ids"), ["unit/ids.test.js"]);
  });

  it("are none while a pattern matches no file, and each of these is told", () => {
    assert.deepEqual(select("ids", "idz", "soak"), {
      faults: ["no test file matches idz", "no test file matches soak; with --long one does"],
    });
    assert.deepEqual(select("--long", "ids"), {
      faults: ["no test file matches ids; without --long one does"],
    });
  });

  for (const [list, entries] of Object.entries(LISTS)) {
    it(`of ${list} are here, each of them`, () => {
      const dir = fileURLToPath(new URL("../../", import.meta.url));
      const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
      for (const entry of entries)
        assert.ok(
          files.some((file) => file.endsWith(".test.js") && file.startsWith(entry)),
          entry,
        );
    });
  }
});
