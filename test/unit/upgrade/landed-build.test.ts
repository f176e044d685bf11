import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { assertMigrationsFollow, landedCommit, NotJudgedError } from "../../upgrade/landed-build.js";

const SURVIVES = "-- running nodes: survive, since it is a test.\n";
const BREAKS = "-- running nodes: breaking, since it is a test.\n";
const FIRST = "migrations/0001_first.sql";
const SECOND = "migrations/0002_second.sql";

let root = "";
const roots: string[] = [];
after(() => roots.forEach((one) => rmSync(one, { recursive: true })));

const git = (...args: readonly string[]): string =>
  execFileSync(
    "git",
    ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false", ...args],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  ).trim();

function commit(files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", "A change");
  return git("rev-parse", "HEAD");
}

let before = "";
let landed = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "payinference-landed-test-"));
  roots.push(root);
  mkdirSync(join(root, "migrations"));
  git("init", "--quiet", "--initial-branch=main");
  before = commit({ "a.ts": "1", [FIRST]: SURVIVES });
  landed = commit({ "a.ts": "2" });
});

describe("the commit that an upgrade begins with", () => {
  it("is the one before the tip of main, on a checkout that is that tip", () => {
    assert.equal(landedCommit(root), before);
  });

  it("is the tip of main below a branch, and below changes that are not committed", () => {
    writeFileSync(join(root, "a.ts"), "3");
    assert.equal(landedCommit(root), landed);
    git("checkout", "--quiet", "-b", "work");
    commit({});
    assert.equal(landedCommit(root), landed);
  });

  it("is no commit that this checkout lacks, although main has it", () => {
    git("checkout", "--quiet", "-b", "work");
    commit({});
    git("checkout", "--quiet", "main");
    commit({ "b.ts": "" });
    git("checkout", "--quiet", "work");
    assert.equal(landedCommit(root), landed);
  });

  it("is the named one; nothing is judged without it, or without main", () => {
    assert.equal(landedCommit(root, "main~1"), before);
    assert.throws(() => landedCommit(root, "elsewhere"), NotJudgedError);
    git("branch", "--move", "other");
    assert.throws(() => landedCommit(root), /no commit main to upgrade from/);
    git("checkout", "--quiet", "--orphan", "main");
    commit({});
    git("checkout", "--quiet", "other");
    assert.throws(() => landedCommit(root), /no common commit/);
  });
});

describe("migrations that follow those of the build before", () => {
  it("only add files that running nodes survive", () => {
    writeFileSync(join(root, SECOND), SURVIVES);
    assertMigrationsFollow(root, landed);
  });

  it("nothing is judged where a file was edited or is gone", () => {
    writeFileSync(join(root, FIRST), `${SURVIVES}select 1;\n`);
    assert.throws(() => assertMigrationsFollow(root, landed), /changed since .*0001_first\.sql/);
    rmSync(join(root, FIRST));
    writeFileSync(join(root, SECOND), SURVIVES);
    assert.throws(() => assertMigrationsFollow(root, landed), NotJudgedError);
  });

  it("nothing is judged where one breaks running nodes", () => {
    writeFileSync(join(root, SECOND), BREAKS);
    assert.throws(() => assertMigrationsFollow(root, landed), /0002_second\.sql breaks running nodes/);
  });
});
