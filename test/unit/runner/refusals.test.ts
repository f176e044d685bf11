import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const RUNNER = fileURLToPath(new URL("../../run.js", import.meta.url));

/** The real runner. It refuses these arguments before it starts anything. */
function refused(...args: readonly string[]): { code: number | null; out: string; output: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...args], { encoding: "utf8" });
  return { code: status, out: stdout, output: stderr.trimEnd().split("\n") };
}

describe("npm test", () => {
  it("refuses an option that it does not know", () => {
    const { code, out, output } = refused("--fast", "unit/runner");
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(output.join("\n"), /^unknown option --fast; the options are .*$/);
  });

  it("refuses a pattern that matches no file, though others do", () => {
    const { code, out, output } = refused("unit/runner", "no-such-file", "nor-such");
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.deepEqual(output, ["no test file matches no-such-file", "no test file matches nor-such"]);
  });
});
