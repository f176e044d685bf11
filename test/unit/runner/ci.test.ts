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
};
const INSTRUCTIONS = ["route", "block", "hold", "step_up", "failover"] as const;
/** Prints the commands of `npm start`: over several lines, on one line, and with a variable. */
const printed = (actions: readonly string[]): string =>
  [
    `curl -s \\\n  ${actions[0]}`,
    "TOKEN=$(curl token)",
    ...actions.slice(1).map((action) => `# ${action}\ncurl ${action} $TOKEN`),
  ].join("\n");
/** Answers with the instruction that the command names, and with one only where it has the token. */
const CURL = `case "$*" in
token) echo t1 ;;
"-s route") echo '{"action":"route"}' ;;
*" t1") echo "{\\"action\\":\\"$1\\"}" ;;
esac`;

/** What `npm start` does: it prints its commands and stays. */
const started = (actions: readonly string[]): string =>
  `cat <<'PRINTED'\n${printed(actions)}\nPRINTED\nexec sleep 60`;

/** Runs .ci/run with an npm that does what `commands` says for each of its commands. Returns the last lines. */
function run(commands: Readonly<Record<string, string>>): { code: number | null; output: string[] } {
  const bin = join(dir, "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(dir, ".ci"), { recursive: true });
  copyFileSync(SCRIPT, join(dir, ".ci/run"));
  const npm = Object.entries({ start: started(INSTRUCTIONS), ...commands }).map(
    ([command, does]) => `"${command}") ${does} ;;`,
  );
  // npm cannot install the other version of Node, so nothing runs on it.
  const programs = {
    ...PROGRAMS,
    curl: CURL,
    npm: `case "$*" in\n"i "*) exit 1 ;;\n${npm.join("\n")}\nesac`,
  };
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
    assert.deepEqual(output.slice(-2), ["README: npm start answered its own commands", "unstable: none"]);
  });

  it("ends with the unstable files, by file and stage, after the service that it started is gone", () => {
    const { code, output } = run({ "run test:rest": UNSTABLE });
    assert.equal(code, 0);
    assert.deepEqual(output.slice(-3), [
      "README: npm start answered its own commands",
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

  it("ends where an upgrade fails, and goes on where the two builds do not follow each other", () => {
    const upgraded = (code: number): { code: number | null; output: string[] } =>
      run({ "run test:upgrade": `echo upgraded; exit ${code}` });
    const failed = upgraded(1);
    assert.equal(failed.code, 1);
    assert.deepEqual(failed.output.slice(-3), ["upgraded", "failed, with exit code 1", "unstable: none"]);
    const notJudged = upgraded(2);
    assert.equal(notJudged.code, 0);
    assert.ok(notJudged.output.includes("upgraded"));
  });

  it("ends where an instruction has no command that is answered with it", () => {
    for (const missing of INSTRUCTIONS) {
      const { code, output } = run({ start: started(INSTRUCTIONS.filter((action) => action !== missing)) });
      assert.equal(code, 1);
      assert.deepEqual(output.slice(-3), [
        `README: no command that npm start prints was answered with ${missing}`,
        "failed, with exit code 1",
        "unstable: none",
      ]);
    }
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
