import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

const dir = mkdtempSync(join(tmpdir(), "payinference-together-"));
after(() => rmSync(dir, { recursive: true }));

const support = (name: string): string =>
  JSON.stringify(new URL(`../../support/${name}.js`, import.meta.url).href);

interface Run {
  code: number | null;
  /** TAP, and the text of stderr. */
  output: string;
}

/** Runs files of these sources together in a process of their own. */
function run(sources: Readonly<Record<string, string>>): Run {
  const files = Object.entries(sources).map(([name, source]) => {
    const path = join(dir, `${name}.mjs`);
    writeFileSync(path, `import { after, before, it } from "node:test";\n${source}`);
    return { name, url: pathToFileURL(path).href };
  });
  const group = join(dir, "group.mjs");
  writeFileSync(
    group,
    `import { runTogether } from ${support("together")};\nrunTogether(${JSON.stringify(files)}, 200);\n`,
  );
  // This process belongs to a test, but the child must report as if it did not.
  const { NODE_TEST_CONTEXT: _ignored, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--test-reporter=tap", group], {
    env,
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
}

const FINE = 'it("fine", () => undefined);';

describe("test files that share a process", () => {
  it("are suites by their names, one after the other, with their own hooks, and their parts are closed in between", () => {
    const sourceOf = (name: string): string => `
      import { closeLater } from ${support("closing")};
      const tell = (what) => console.log("told ${name} " + what);
      before(() => { tell("before"); closeLater(() => tell("first closed")); closeLater(() => tell("last closed")); });
      after(() => tell("after"));
      it("test", () => tell("test"));`;
    const { code, output } = run({ one: sourceOf("one"), two: sourceOf("two") });
    assert.equal(code, 0, output);
    assert.deepEqual(
      Array.from(output.matchAll(/^told (.*)$/gm), ([, line]) => line),
      ["one", "two"].flatMap((name) =>
        ["before", "test", "after", "last closed", "first closed"].map((what) => `${name} ${what}`),
      ),
    );
    assert.match(output, /^ok 1 - one$/m);
    assert.match(output, /^ok 2 - two$/m);
  });

  const broken: [what: string, source: string, output: RegExp][] = [
    ["fails a test", 'it("bad", () => { throw new Error("no"); });', /^not ok 2 - broken$/m],
    ["cannot be loaded", 'throw new Error("unloadable");', /^not ok 2 - broken$/m],
    [
      "fails to close",
      `import { closeLater } from ${support("closing")};\nbefore(() => closeLater(() => { throw new Error("stuck"); }));\n${FINE}`,
      /^not ok 2 - broken$/m,
    ],
    [
      "throws after its tests",
      'it("late", () => { setTimeout(() => { throw new Error("late"); }, 1); });',
      /late/,
    ],
  ];
  for (const [what, source, expected] of broken) {
    it(`a file that ${what} fails the run, and the others still report their results`, () => {
      const { code, output } = run({
        first: FINE,
        broken: source,
        last: `${FINE}\nafter(() => new Promise((resolve) => setTimeout(resolve, 50)));`,
      });
      assert.equal(code, 1, output);
      assert.match(output, expected);
      assert.match(output, /^ok 1 - first$/m);
      assert.match(output, /^ok 3 - last$/m);
    });
  }

  it("a file that leaves a timer behind, because its hook failed, ends after a while, with the exit code 1", () => {
    const broken = 'after(() => { throw new Error("broken"); }); setInterval(() => undefined, 1000); ' + FINE;
    const { code, output } = run({ broken, last: FINE });
    assert.equal(code, 1, output);
    assert.match(output, /^something of these test files still keeps the process: .*Timeout/m);
    assert.match(output, /^ok 2 - last$/m);
  });

  it("a file that ends the process fails the run, even with exit code 0, and names the missing files", () => {
    const { code, output } = run({ first: FINE, broken: 'it("gone", () => process.exit(0));', last: FINE });
    assert.equal(code, 1, output);
    assert.match(output, /^the process ended before these test files did: broken last$/m);
  });
});
