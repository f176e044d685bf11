import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { TestEvent } from "node:test/reporters";
import reportFiles from "../../runner/reporter.js";
import { readByFile, slowest, summary, type FileResult } from "../../runner/results.js";

const dir = mkdtempSync(join(tmpdir(), "payinference-results-"));
after(() => rmSync(dir, { recursive: true }));

const result = (file: string, ms: number, counts: Partial<FileResult> = {}): FileResult => ({
  file,
  isPassed: true,
  ms,
  passed: 0,
  failed: 0,
  skipped: 0,
  ...counts,
});

describe("results of test files", () => {
  it("are read by file, and the last of a file counts", async () => {
    const path = join(dir, "results.jsonl");
    const lines = [result("a", 1), result("b", 2), result("a", 3)].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path, lines.join(""));
    const read = await readByFile<FileResult>(path);
    assert.deepEqual([...read.values()], [result("a", 3), result("b", 2)]);
  });

  it("are none where nothing was written", async () => {
    assert.equal((await readByFile(join(dir, "nothing"))).size, 0);
  });

  it("name the slowest first, with seconds of CPU where they are known", () => {
    const costs = new Map([["b", { file: "b", ownS: 1.2, startedS: 0.3 }]]);
    assert.equal(
      slowest([result("a", 900), result("b", 12_345), result("c", 100)], costs, 2),
      "slowest files:\n   12.3 s     1.5 CPU-s  b\n    0.9 s                a\n",
    );
    assert.equal(slowest([], costs), "");
  });

  it("name ten", () => {
    const many = Array.from({ length: 12 }, (_, index) => result(`file-${index}`, index));
    assert.equal(slowest(many, new Map()).split("\n").length, 12);
  });

  it("are summed in the last line, with files that have none", () => {
    const results = new Map([
      ["a", result("a", 1, { passed: 3, skipped: 1 })],
      ["b", result("b", 1, { passed: 1, failed: 1 })],
      ["/tmp/000-ab.mjs", result("/tmp/000-ab.mjs", 1, { failed: 7 })],
    ]);
    assert.equal(
      summary(["a", "b"], results, 4_560),
      "2 files, 6 tests: 4 passed, 1 failed, 1 skipped, in 4.6 s\n",
    );
    assert.equal(
      summary(["a", "c"], results, 60_000),
      "2 files (1 without a result), 4 tests: 3 passed, 0 failed, 1 skipped, in 60.0 s\n",
    );
    assert.equal(
      summary(["b"], new Map([["b", result("b", 1, { passed: 1 })]]), 0),
      "1 file, 1 test: 1 passed, 0 failed, 0 skipped, in 0.0 s\n",
    );
  });
});

describe("the reporter of test files", () => {
  /** Events in the order of node:test: a suite's tests before the suite. */
  const event = (type: "pass" | "fail", name: string, nesting: number, rest: object = {}): TestEvent =>
    ({
      type: `test:${type}`,
      data: { name, nesting, details: { duration_ms: 5, type: "suite" }, ...rest },
    }) as TestEvent;
  const test = { details: { duration_ms: 1 } };

  async function report(...events: readonly TestEvent[]): Promise<FileResult[]> {
    async function* eventStream(): AsyncGenerator<TestEvent> {
      yield* events;
    }
    const lines: string[] = [];
    for await (const line of reportFiles(eventStream())) lines.push(line);
    return lines.map((line) => JSON.parse(line) as FileResult);
  }

  it("reports each outermost suite with the tests below it, and counts no suite as a test", async () => {
    const [one, two, ...others] = await report(
      event("pass", "works", 2, test),
      event("pass", "inner", 1),
      event("pass", "is not run", 1, { ...test, skip: "no disk" }),
      event("pass", "one", 0),
      { type: "test:diagnostic" } as TestEvent,
      event("fail", "does not", 1, test),
      event("fail", "two", 0),
    );
    assert.deepEqual(one, result("one", 5, { passed: 1, skipped: 1 }));
    assert.deepEqual(two, result("two", 5, { isPassed: false, failed: 1 }));
    assert.deepEqual(others, []);
  });

  it("reports a process that failed by itself", async () => {
    assert.deepEqual(await report(event("fail", "/tmp/000-one.mjs", 0, test)), [
      result("/tmp/000-one.mjs", 1, { isPassed: false }),
    ]);
  });
});
