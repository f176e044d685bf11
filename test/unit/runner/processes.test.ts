import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { FileResult } from "../../runner/results.js";

/** Real processes of node:test run in a process of their own, so that their output is separate. */
const dir = mkdtempSync(join(tmpdir(), "payinference-processes-"));
after(() => rmSync(dir, { recursive: true }));

const SOURCES: Readonly<Record<string, string>> = {
  "fine.mjs": 'it("works", () => undefined); it("waits", { skip: "no disk" }, () => undefined);',
  "broken.mjs": 'it("works", () => undefined); it("does not", () => { throw new Error("no"); });',
  "gone.mjs": 'it("ends all", () => process.exit(0));',
  "env.mjs":
    'const place = process.env.PLACE; it("is here", () => { if (place !== "here") throw new Error(place); });',
  "late.mjs": 'it("works", () => undefined); process.on("exit", () => (process.exitCode = 1));',
};
const GROUPS = [
  { name: "mixed", files: ["fine.mjs", "broken.mjs"] },
  { name: "early", files: ["gone.mjs", "never.mjs"] },
  { name: "late.mjs", files: ["late.mjs"] },
  { name: "two nodes: env.mjs", files: ["two nodes: env.mjs"], env: { PLACE: "here" } },
];

interface RunReport {
  code: number;
  results: FileResult[];
  failedGroups: string[];
}

let runReport: RunReport;
before(() => {
  for (const [name, source] of Object.entries(SOURCES))
    writeFileSync(join(dir, name), `import { it } from "node:test";\n${source}`);
  writeFileSync(join(dir, "never.mjs"), "");
  const out = join(dir, "told.json");
  const module = new URL("../../runner/processes.js", import.meta.url).href;
  // This process belongs to a test, but the children must report as if it did not.
  const { NODE_TEST_CONTEXT: _ignored, ...env } = process.env;
  const options = `{ dir: ${JSON.stringify(join(dir, "groups"))}, testDir: ${JSON.stringify(dir)}, atOnce: 2, env: process.env, signal: new AbortController().signal }`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { writeFileSync } from "node:fs";
       import { runGroups } from ${JSON.stringify(module)};
       const { code, results, failedGroups } = await runGroups(${JSON.stringify(GROUPS)}, ${options});
       writeFileSync(${JSON.stringify(out)}, JSON.stringify({ code, results: [...results.values()], failedGroups: [...failedGroups] }));`,
    ],
    { env, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  runReport = JSON.parse(readFileSync(out, "utf8")) as RunReport;
});

describe("a run of groups", () => {
  const resultOf = (file: string): FileResult | undefined =>
    runReport.results.find((one) => one.file === file);

  it("reports the result of each file, with its tests", () => {
    assert.equal(runReport.code, 1);
    const { isPassed, passed, failed, skipped } = resultOf("fine.mjs") as FileResult;
    assert.deepEqual(
      { isPassed, passed, failed, skipped },
      { isPassed: true, passed: 1, failed: 0, skipped: 1 },
    );
    const broken = resultOf("broken.mjs") as FileResult;
    assert.deepEqual([broken.isPassed, broken.passed, broken.failed], [false, 1, 1]);
  });

  it("reports nothing about files whose process ended before them", () => {
    assert.equal(resultOf("gone.mjs"), undefined);
    assert.equal(resultOf("never.mjs"), undefined);
  });

  it("gives a group its environment before its files are loaded, and runs a file by its name in a stage", () => {
    const { isPassed, passed } = resultOf("two nodes: env.mjs") as FileResult;
    assert.deepEqual([isPassed, passed], [true, 1]);
  });

  it("names the groups whose process failed by itself", () => {
    assert.deepEqual(runReport.failedGroups.toSorted(), ["early", "late.mjs"]);
    assert.equal(resultOf("late.mjs")?.isPassed, true);
  });
});
