import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../../../.ci/run", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "payinference-ci-"));
after(() => rmSync(dir, { recursive: true }));

const UNSTABLE = 'echo "two nodes: a.test.js failed once, passed alone" >>"$TEST_UNSTABLE_FILE"';
const PROGRAMS: Readonly<Record<string, string>> = {
  // These tests install nothing, because that needs root.
  id: "echo 1000",
  promtool: "exit 0",
  curl: 'echo "{\\"action\\":\\"route\\"}"',
};

/** Runs .ci/run with an npm that does what `commands` says for each of its commands. Returns the last lines. */
function run(commands: Readonly<Record<string, string>>): { code: number | null; output: string[] } {
  const bin = join(dir, "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(dir, ".ci"), { recursive: true });
  copyFileSync(SCRIPT, join(dir, ".ci/run"));
  const npm = Object.entries({ start: "echo 'curl -s x'; exec sleep 60", ...commands }).map(
    ([command, does]) => `"${command}") ${does} ;;`,
  );
  // npm cannot install the other version of Node, so nothing runs on it.
  const programs = { ...PROGRAMS, npm: `case "$*" in\n"i "*) exit 1 ;;\n${npm.join("\n")}\nesac` };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const { status, stdout } = spawnSync("bash", [join(dir, ".ci/run")], {
    env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` },
    encoding: "utf8",
  });
  return { code: status, output: stdout.trimEnd().split("\n") };
}

describe(".ci/run", () => {
  it("ends with the unstable files: none", () => {
    const { code, output } = run({});
    assert.equal(code, 0);
    assert.deepEqual(output.slice(-2), ["README: npm start answered its own curl", "unstable: none"]);
  });

  it("ends with the unstable files, by file and stage, after the service that it started is gone", () => {
    const { code, output } = run({ "run test:rest": UNSTABLE });
    assert.equal(code, 0);
    assert.deepEqual(output.slice(-3), [
      "README: npm start answered its own curl",
      "unstable:",
      "  two nodes: a.test.js failed once, passed alone",
    ]);
  });

  it("ends where a check fails, after the tests beside it, with what the check printed", () => {
    const { code, output } = run({
      "run check": "echo 'no-debugger'; exit 4",
      "run test:rest": "echo tested",
    });
    assert.equal(code, 4);
    assert.deepEqual(output.slice(-4), [
      "tested",
      "no-debugger",
      "failed, with exit code 4",
      "unstable: none",
    ]);
  });

  it("ends with the same where a stage fails", () => {
    const { code, output } = run({ test: UNSTABLE, "run test:rest": "exit 3" });
    assert.equal(code, 3);
    assert.deepEqual(output.slice(-3), [
      "failed, with exit code 3",
      "unstable:",
      "  two nodes: a.test.js failed once, passed alone",
    ]);
  });
});
