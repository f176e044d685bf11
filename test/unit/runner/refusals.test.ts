import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const RUNNER = fileURLToPath(new URL("../../run.js", import.meta.url));

/** The real runner; what it is asked here it refuses before it starts anything. */
function refused(...args: readonly string[]): { code: number | null; out: string; said: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...args], { encoding: "utf8" });
  return { code: status, out: stdout, said: stderr.trimEnd().split("\n") };
}

describe("npm test", () => {
  it("refuses an option that it does not know", () => {
    const { code, out, said } = refused("--fast", "unit/runner");
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(said.join("\n"), /^unknown option --fast; the options are .*$/);
  });

  it("refuses a pattern that matches no file, though others do", () => {
    const { code, out, said } = refused("unit/runner", "no-such-file", "nor-such");
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.deepEqual(said, ["no test file matches no-such-file", "no test file matches nor-such"]);
  });
});
