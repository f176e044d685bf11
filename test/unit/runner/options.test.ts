import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readOptions, type RunOptions } from "../../runner/options.js";
import { LISTS, namesOf, selectFiles, type StageFiles } from "../../runner/selection.js";
import { fileOf, inWords, stagesOf } from "../../runner/stages.js";

function optionsOf(...args: readonly string[]): RunOptions {
  const options = readOptions(args);
  assert.ok(!("faults" in options), args.join(" "));
  return options;
}

describe("the runner's arguments", () => {
  it("are options and parts of paths, in any order", () => {
    const options = optionsOf("outcomes", "--postgres=15", "team.");
    assert.deepEqual(options.majors, ["15"]);
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
    [["--long", "--processes"], [/^--long is a run by itself$/]],
    [["--changed", "--postgres=15"], [/^--changed is a run by itself$/]],
    [["--changed", "--again"], [/^--changed is a run by itself$/]],
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

  it("ask for several stages at once, which is one run", () => {
    const stages = (...args: readonly string[]): string[] => stagesOf(optionsOf(...args)).map(inWords);
    assert.deepEqual(stages(), ["quick"]);
    assert.deepEqual(stages("outcomes"), ["quick"]);
    assert.deepEqual(stages("--installed", "--postgres=16", "--processes", "--two-nodes", "--postgres=15"), [
      "two nodes",
      "processes",
      "installed",
      "PostgreSQL 16",
      "PostgreSQL 15",
    ]);
    assert.deepEqual(stages("--again", "--postgres=17"), ["quick", "PostgreSQL 17"]);
    assert.deepEqual(stages("--again", "--postgres=15"), ["PostgreSQL 15"]);
    assert.deepEqual(stages("--changed"), ["changed"]);
    assert.deepEqual(stages("--long", "--quick"), ["long"]);
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
  const select = (...args: readonly string[]): string[] | { faults: string[] } => {
    const selected = selectFiles(ALL, optionsOf(...args));
    return "faults" in selected ? selected : namesOf(selected);
  };

  it("are those of its kind, in order", () => {
    assert.deepEqual(select(), ["service/outcomes/outcomes.test.js", "unit/ids.test.js"]);
    assert.deepEqual(select("--processes"), ["attacks/framing.test.js", "faults/kill/kill.test.js"]);
    assert.deepEqual(select("--installed"), ["browser/pages.test.js"]);
    assert.deepEqual(select("--postgres=15"), ["PostgreSQL 15: service/outcomes/outcomes.test.js"]);
    assert.deepEqual(select("--two-nodes"), ["two nodes: service/outcomes/outcomes.test.js"]);
    assert.deepEqual(select("--long"), ["faults/soak/soak.long.test.js"]);
  });

  it("are the unit and service tests too where these run again, on the oldest PostgreSQL alone", () => {
    assert.deepEqual(select("--again", "--installed"), [
      ...(select("--installed") as string[]),
      ...(select() as string[]),
    ]);
    assert.deepEqual(select("--again", "--postgres=15", "--postgres=17"), [
      "PostgreSQL 15: service/outcomes/outcomes.test.js",
      "PostgreSQL 15: unit/ids.test.js",
      "PostgreSQL 17: service/outcomes/outcomes.test.js",
    ]);
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

  it("have a name of their own in each stage, and the file follows from the name", () => {
    const names = select("--two-nodes", "--postgres=16", "--postgres=17", "outcomes") as string[];
    assert.deepEqual(names, [
      "two nodes: service/outcomes/outcomes.test.js",
      "PostgreSQL 16: service/outcomes/outcomes.test.js",
      "PostgreSQL 17: service/outcomes/outcomes.test.js",
    ]);
    for (const name of [...names, ...(select("outcomes") as string[])])
      assert.equal(fileOf(name), "service/outcomes/outcomes.test.js");
  });

  it("are fewer on a version of PostgreSQL between the oldest and the packaged one", () => {
    const files = readdirSync(fileURLToPath(new URL("../../", import.meta.url)), {
      recursive: true,
      encoding: "utf8",
    }).filter((file) => file.endsWith(".test.js"));
    const count = (major: string): number =>
      namesOf(selectFiles(files, optionsOf(`--postgres=${major}`)) as StageFiles[]).length;
    assert.ok(count("16") > 5 && count("16") < count("15") / 2, `${count("16")} of ${count("15")}`);
  });

  it("are those that match a pattern, of any kind", () => {
    assert.deepEqual(select("pages", "ids"), ["browser/pages.test.js", "unit/ids.test.js"]);
    assert.deepEqual(select("--two-nodes", "ids"), ["two nodes: unit/ids.test.js"]);
  });

  it("are none while a pattern matches no file, and each such pattern is reported", () => {
    assert.deepEqual(select("ids", "idz", "soak"), {
      faults: ["no test file matches idz", "no test file matches soak; with --long one does"],
    });
    assert.deepEqual(select("--long", "ids"), {
      faults: ["no test file matches ids; without --long one does"],
    });
  });

  for (const [list, entries] of Object.entries(LISTS)) {
    it(`that ${list} names exist, each of them`, () => {
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
