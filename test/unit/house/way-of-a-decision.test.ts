import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../../house/tree.js";

const PAGE = readFileSync(join(ROOT, "docs/way-of-a-decision.md"), "utf8");
const FILES_MAX = 55;

/** For each thread: the number in its heading, and the files in its table. */
const threads = Array.from(
  PAGE.matchAll(/^## (\w+): (\d+) files\n([^#]+)/gm),
  ([, name, count, table = ""]) => ({
    name: String(name),
    count: Number(count),
    files: Array.from(table.matchAll(/`([^`]+)`/g), ([, file]) => String(file)),
  }),
);
const pathOf = (file: string): string => join(ROOT, file.startsWith("workers/") ? file : `src/${file}`);

describe("docs/way-of-a-decision.md", () => {
  it("lists the files of each thread once, as many as it says, and at most 55 in all", () => {
    assert.deepEqual(
      threads.map(({ name }) => name),
      ["Front", "Worker", "Writer"],
    );
    for (const { name, count, files } of threads) {
      assert.equal(files.length, count, name);
      assert.equal(new Set(files).size, count, name);
    }
    assert.ok(new Set(threads.flatMap(({ files }) => files)).size <= FILES_MAX);
  });

  it("names files that exist", () => {
    const missing = threads.flatMap(({ files }) => files.filter((file) => !existsSync(pathOf(file))));
    assert.deepEqual(missing, []);
  });

  it("says the counts as ARCHITECTURE.md does", () => {
    const all = new Set(threads.flatMap(({ files }) => files)).size;
    const [front, worker, writer] = threads.map(({ count }) => count);
    const counts = `${front} on the front, ${worker} in its worker and ${writer} in the writer`;
    assert.ok(PAGE.includes(`of ${all} files: ${counts}`));
    assert.ok(readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").includes(`${all} files: ${counts}`));
  });
});
