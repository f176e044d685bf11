import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { changedFiles, needsDatabases, reachedBy, type Reached } from "../../runner/changed.js";
import { referencesUnder } from "../../runner/references.js";

const root = mkdtempSync(join(tmpdir(), "payinference-changed-"));
after(() => rmSync(root, { recursive: true }));

function write(path: string, text = ""): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A built repository. The text of a test file names everything that it reaches. */
const FILES: Readonly<Record<string, string>> = {
  "dist/src/domain/risk.js": "",
  "dist/src/path/decide.js": 'import { risk } from "../domain/risk.js";',
  "dist/src/composition/threads.js":
    "const file = (name) => fileURLToPath(new URL(`../../workers/${name}.js`, import.meta.url));",
  "dist/workers/decide.js": 'import "../src/path/decide.js";',
  "dist/src/service.js":
    'import "./composition/threads.js";\nconst root = new URL("../../", import.meta.url);\njoin(root, "migrations"); resolve(root, "dist/dashboard");',
  "dist/src/features/docs.js": "new URL(`../../../docs/${name}`, import.meta.url);",
  "dist/src/features/mail.js": 'new URL("../../../src/features/mail.html", import.meta.url);',
  "src/features/mail.html": "",
  "migrations/0001_first.sql": "",
  "docs/page.md": "",
  "README.md": "",
  "dist/dashboard/index.html": "",
  "dist/test/support/service/main.js": 'import "../../../src/service.js";',
  "dist/test/support/postgres/postgres.js": 'new URL("../../../../migrations", import.meta.url);',
  "dist/test/support/parts.js": "const compiled = (path) => new URL(`../../${path}`, import.meta.url);",
  "dist/test/unit/risk.test.js": 'import { risk } from "../../src/domain/risk.js";',
  "dist/test/unit/decide.test.js": 'await import("../../src/path/decide.js");',
  "dist/test/unit/thread.test.js":
    'import { compiled } from "../support/parts.js";\nnew Worker(compiled("workers/decide.js"));',
  "dist/test/unit/docs.test.js": 'import "../../src/features/docs.js";',
  "dist/test/unit/mail.test.js": 'import "../../src/features/mail.js";',
  "dist/test/unit/documents.test.js": 'const ROOT = new URL("../../../", import.meta.url);',
  "dist/test/unit/rows.test.js": 'import "../support/postgres/postgres.js";',
  "dist/test/unit/migrate.test.js":
    'import "../support/postgres/postgres.js";\nread("migrations/0001_first.sql");',
  "dist/test/service/all.test.js": 'import "../support/service/main.js";',
};
for (const [path, text] of Object.entries(FILES)) write(path, text);

const TESTS = Object.keys(FILES)
  .filter((path) => path.endsWith(".test.js"))
  .map((path) => path.slice("dist/test/".length));

const reach = (...changed: readonly string[]): Reached[] => reachedBy(changed, TESTS, referencesUnder(root));
const direct = (...changed: readonly string[]): string[] =>
  reach(...changed).flatMap(({ file, isThroughDoor }) => (isThroughDoor ? [] : [file]));
const throughDoor = (...changed: readonly string[]): string[] =>
  reach(...changed).flatMap(({ file, isThroughDoor }) => (isThroughDoor ? [file] : []));

describe("a change reaches test files", () => {
  it("it reaches them through imports, and through files that threads are started by", () => {
    assert.deepEqual(direct("src/domain/risk.ts"), [
      "unit/risk.test.js",
      "unit/decide.test.js",
      "unit/thread.test.js",
    ]);
    assert.deepEqual(direct("workers/decide.ts"), ["unit/thread.test.js"]);
  });

  it("it reaches them through the service they start, which is marked as such", () => {
    for (const path of [
      "src/domain/risk.ts",
      "workers/decide.ts",
      "src/composition/threads.ts",
      "src/dashboard/page.tsx",
    ])
      assert.deepEqual(throughDoor(path), ["service/all.test.js"], path);
  });

  it("it reaches them through templates that are read at run time, by name or by folder", () => {
    assert.deepEqual(direct("src/features/mail.html"), ["unit/mail.test.js"]);
    assert.deepEqual(direct("docs/page.md"), ["unit/docs.test.js", "unit/documents.test.js"]);
    assert.deepEqual(direct("docs/new.md"), ["unit/docs.test.js", "unit/documents.test.js"]);
  });

  it("it reaches them through the schema of their databases, which differs from a migration that they name", () => {
    assert.deepEqual(direct("migrations/0001_first.sql"), ["unit/documents.test.js", "unit/migrate.test.js"]);
    assert.deepEqual(throughDoor("migrations/0002_second.sql"), [
      "unit/rows.test.js",
      "unit/migrate.test.js",
      "service/all.test.js",
    ]);
  });

  it("a changed test file reaches itself, and no other file", () => {
    assert.deepEqual(reach("test/unit/risk.test.ts"), [
      { file: "unit/risk.test.js", distance: 0, isThroughDoor: false },
    ]);
    assert.deepEqual(reach("src/nobody.ts"), []);
    assert.deepEqual(reach(), []);
  });

  it("nearer by an import than by a folder", () => {
    const distance = (file: string, ...changed: readonly string[]): number | undefined =>
      reach(...changed).find((one) => one.file === file)?.distance;
    assert.equal(distance("unit/risk.test.js", "src/domain/risk.ts"), 1);
    assert.equal(distance("unit/decide.test.js", "src/domain/risk.ts"), 2);
    assert.equal(distance("unit/docs.test.js", "docs/page.md"), 4);
  });
});

describe("a run", () => {
  it("needs databases where one of its files makes them", () => {
    const references = referencesUnder(root);
    assert.equal(needsDatabases(["unit/risk.test.js", "unit/rows.test.js"], references), true);
    assert.equal(needsDatabases(["unit/risk.test.js"], references), false);
  });
});

describe("changed files", () => {
  it("are those that differ from where the branch left main, new ones and uncommitted ones included", () => {
    const repository = mkdtempSync(join(root, "git-"));
    const git = (...args: string[]): unknown =>
      execFileSync("git", args, { cwd: repository, stdio: "ignore" });
    const commit = (name: string): void => {
      writeFileSync(join(repository, name), name);
      git("add", name);
      git(
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@example.com",
        "commit",
        "--quiet",
        "--message",
        name,
      );
    };
    git("init", "--quiet", "--initial-branch=main");
    commit("old");
    git("switch", "--quiet", "--create", "branch");
    commit("committed");
    writeFileSync(join(repository, "old"), "changed");
    writeFileSync(join(repository, "untracked"), "");
    assert.deepEqual(changedFiles(repository).toSorted(), ["committed", "old", "untracked"]);
  });
});
