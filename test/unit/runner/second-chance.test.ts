import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Group } from "../../groups.js";
import type { FileResult } from "../../runner/results.js";
import { secondChance, type Run, type Verdict } from "../../runner/second-chance.js";

const GROUPS: readonly Group[] = [
  { name: "ab", files: ["a", "b"] },
  { name: "cd", files: ["c", "d"] },
  ...Array.from("efghijklmnopqrst", (file) => ({ name: file, files: [file] })),
];
const ALL = GROUPS.flatMap((group) => group.files);

interface Outcome {
  failed?: readonly string[];
  /** Files without a result. */
  lost?: readonly string[];
  failedGroups?: readonly string[];
}

function run(files: readonly string[], { failed = [], lost = [], failedGroups = [] }: Outcome): Run {
  const reported = files.filter((file) => !lost.includes(file));
  const results = reported.map((file): [string, FileResult] => {
    const isPassed = !failed.includes(file);
    return [file, { file, isPassed, ms: 1, passed: Number(isPassed), failed: Number(!isPassed), skipped: 0 }];
  });
  const code = failed.length + lost.length + failedGroups.length === 0 ? 0 : 1;
  return { code, results: new Map(results), failedGroups: new Set(failedGroups) };
}

/** The verdict over a first run and the later ones, and the files of each later run. */
async function judge(first: Outcome, ...again: readonly Outcome[]): Promise<Verdict & { rounds: string[] }> {
  const rounds: string[] = [];
  const verdict = await secondChance(GROUPS, { ...run(ALL, first), code: 1 }, async (files, round) => {
    rounds.push(files.join(" "));
    return run(files, again[round - 1] ?? {});
  });
  return { ...verdict, rounds };
}

describe("the second chance of a test file that failed", () => {
  it("is a run alone, and a file that passes then is unstable", async () => {
    const { isPassed, text, unstable, rounds } = await judge({ failed: ["b"] });
    assert.deepEqual(rounds, ["b"]);
    assert.equal(isPassed, true);
    assert.equal(text, "unstable: failed once, passed alone:\n  b\n");
    assert.deepEqual(unstable, ["b failed once, passed alone"]);
  });

  it("ends with the second failure, beside files that pass", async () => {
    const { isPassed, text, unstable, rounds } = await judge({ failed: ["b", "e"] }, { failed: ["e"] });
    assert.deepEqual(rounds, ["b e"]);
    assert.equal(isPassed, false);
    assert.equal(text, "failed twice:\n  e\nunstable: failed once, passed alone:\n  b\n");
    assert.deepEqual(unstable, ["b failed once, passed alone"]);
  });

  it("is no excuse for more than three accidents", async () => {
    assert.equal((await judge({ failed: ["b", "e", "f"] })).isPassed, true);
    const { isPassed, text, unstable } = await judge({ failed: ["b", "e", "f", "g"] });
    assert.equal(isPassed, false);
    assert.match(text, /4 accidents are more than 3: the run has failed\n$/);
    assert.equal(unstable.length, 4);
  });

  it("is not given where more than twelve files failed", async () => {
    const { isPassed, text, rounds } = await judge({ failed: ALL.slice(0, 13) });
    assert.equal(isPassed, false);
    assert.deepEqual(rounds, []);
    assert.match(text, /^13 files failed, which is no accident/);
  });

  it("is not passed by a file whose process fails after its tests", async () => {
    const { isPassed, text } = await judge({ failed: ["e"] }, { failedGroups: ["e"] });
    assert.equal(isPassed, false);
    assert.equal(text, "failed twice:\n  e\n");
  });

  it("is not passed by a file without a result", async () => {
    const { isPassed, text } = await judge({ failed: ["e"] }, { lost: ["e"] });
    assert.equal(isPassed, false);
    assert.equal(text, "failed twice:\n  e\n");
  });
});

describe("a process that ended early", () => {
  it("is one accident, however many of its files run alone then", async () => {
    const { isPassed, text, unstable, rounds } = await judge({ lost: ["c", "d"], failedGroups: ["cd"] });
    assert.deepEqual(rounds, ["c d"]);
    assert.equal(isPassed, true);
    assert.equal(text, "unstable: the process ended early, its files passed alone:\n  cd\n");
    assert.deepEqual(unstable, ["the process of cd ended early, its files passed alone"]);
  });

  it("gives a lost file that fails in its first run alone one more", async () => {
    const { isPassed, rounds, unstable } = await judge({ lost: ["c", "d"] }, { failed: ["d"] });
    assert.deepEqual(rounds, ["c d", "d"]);
    assert.equal(isPassed, true);
    assert.deepEqual(unstable, [
      "d failed once, passed alone",
      "the process of cd ended early, its files passed alone",
    ]);
  });

  it("is explained by a lost file that fails twice", async () => {
    const { isPassed, text, unstable } = await judge(
      { lost: ["c", "d"] },
      { lost: ["d"] },
      { failed: ["d"] },
    );
    assert.equal(isPassed, false);
    assert.equal(text, "failed twice:\n  d\n");
    assert.deepEqual(unstable, []);
  });
});

describe("a run that failed though its files passed", () => {
  it("has failed, and the process that broke after its files is named", async () => {
    const { isPassed, text, rounds } = await judge({ failedGroups: ["ab"] });
    assert.deepEqual(rounds, []);
    assert.equal(isPassed, false);
    assert.equal(text, "a process failed after its test files:\n  ab\n");
  });

  it("has failed beside a file that is only unstable", async () => {
    const { isPassed, text } = await judge({ failed: ["e"], failedGroups: ["ab"] });
    assert.equal(isPassed, false);
    assert.match(text, /^a process failed after its test files:\n  ab\nunstable: failed once/);
  });

  it("has failed where no process says why", async () => {
    const { isPassed, text } = await judge({});
    assert.equal(isPassed, false);
    assert.equal(text, "node:test failed, though all test files passed\n");
  });
});
