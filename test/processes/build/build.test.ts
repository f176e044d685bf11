import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { eventually } from "../../support/waiting/eventually.js";

const part = (name: string): string =>
  JSON.stringify(new URL(`../../../../build/${name}.mjs`, import.meta.url).href);

/**
 * Builds a checkout whose source is a single word. `made` counts the builds, and each build takes the given number of
 * milliseconds.
 */
const BUILD = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { ensureBuilt } from ${part("output")};
const [root, tookMs] = process.argv.slice(2);
const source = () => readFileSync(root + "/source", "utf8");
await ensureBuilt({
  root,
  hashInputs: () => ({ all: source(), dashboard: "" }),
  log: () => undefined,
  make(dir) {
    const word = source();
    appendFileSync(root + "/made", "x");
    writeFileSync(dir + "/late.mjs", "export const word = 'half of " + word + "';");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(tookMs));
    if (word === "broken") throw new Error("it does not compile");
    writeFileSync(dir + "/late.mjs", "export const word = '" + word + "';");
    writeFileSync(dir + "/main.mjs",
      "console.log('loaded'); process.stdin.once('data', async () => console.log((await import('./late.mjs')).word));");
  },
});`;

let root = "";
const roots: string[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "payinference-build-")));
  roots.push(root);
  writeFileSync(join(root, "build.mjs"), BUILD);
});
after(() => roots.forEach((one) => rmSync(one, { recursive: true })));

const write = (source: string): void => writeFileSync(join(root, "source"), source);

function start(tookMs = 0): ChildProcess {
  return spawn(process.execPath, [join(root, "build.mjs"), root, String(tookMs)], { stdio: "ignore" });
}

async function build(source: string): Promise<number | null> {
  write(source);
  return exitOf(start());
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

const made = (): number =>
  existsSync(join(root, "made")) ? readFileSync(join(root, "made"), "utf8").length : 0;
const built = (): string => readFileSync(join(root, "dist/late.mjs"), "utf8");
const folders = (): string[] => readdirSync(root).filter((name) => name.startsWith(".dist-"));

describe("the build", () => {
  it("runs once for two commands at once, and not at all when nothing changed", async () => {
    write("one");
    const commands = [start(300), start(300)];
    assert.deepEqual(await Promise.all(commands.map(exitOf)), [0, 0]);
    assert.equal(made(), 1);
    assert.match(built(), /'one'/);
    assert.equal(await build("one"), 0);
    assert.equal(made(), 1);
  });

  it("stays unchanged when the next build is killed halfway, and the build after that is complete", async () => {
    await build("one");
    write("two");
    const killed = start(60_000);
    await eventually(async () => assert.equal(made(), 2));
    killed.kill("SIGKILL");
    await exitOf(killed);
    assert.match(built(), /'one'/);
    assert.equal(await build("two"), 0);
    assert.match(built(), /'two'/);
    for (const folder of folders()) assert.ok(existsSync(join(root, folder, ".built.json")), folder);
  });

  it("stays unchanged when the sources do not compile", async () => {
    await build("one");
    assert.equal(await build("broken"), 1);
    assert.match(built(), /'one'/);
    assert.equal(folders().length, 1);
  });

  it("keeps the files that a process started with, and removes them after its end", async () => {
    await build("one");
    const service = spawn(process.execPath, ["dist/main.mjs"], {
      cwd: root,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let said = "";
    service.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
    // The process must start before the next build is ready, even on a slow machine.
    await once(service.stdout, "data");
    for (const source of ["two", "three", "four", "five"]) await build(source);
    service.stdin.end("now\n");
    await once(service, "close");
    assert.equal(said, "loaded\none\n");
    await build("six");
    assert.equal(folders().length, 3);
  });

  it("reuses the output of sources that come back", async () => {
    await build("one");
    await build("two");
    await build("one");
    assert.match(built(), /'one'/);
    assert.equal(made(), 2);
  });

  it("runs again after somebody has run tsc by hand, and replaces a plain folder", async () => {
    mkdirSync(join(root, "dist"));
    await build("one");
    assert.match(built(), /'one'/);
    writeFileSync(join(root, "dist/.tsbuildinfo"), "");
    await build("one");
    assert.equal(made(), 2);
    await build("one");
    assert.equal(made(), 2);
  });
});

/** Runs one line of code that imports parts of the build. Returns its output. */
function evaluate(code: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code, root], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout === "" ? null : JSON.parse(stdout);
}

function put(path: string, content = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe("the build's inputs", () => {
  it("are file contents: tests count for the build, and the dashboard's possible imports for the dashboard too", () => {
    const hashes = (): { all: string; dashboard: string } =>
      evaluate(
        `import { hashInputs } from ${part("inputs")}; console.log(JSON.stringify(hashInputs(process.argv[1])));`,
      ) as { all: string; dashboard: string };
    put("test/one.test.ts");
    put("src/dashboard/main.tsx");
    const first = hashes();
    put("src/dashboard/main.tsx");
    put("test/rows/sample.json", "{}");
    assert.deepEqual(hashes(), first);
    put("test/one.test.ts", "changed");
    const second = hashes();
    assert.notEqual(second.all, first.all);
    assert.equal(second.dashboard, first.dashboard);
    put("src/dashboard/main.tsx", "changed");
    const third = hashes();
    assert.notEqual(third.all, second.all);
    assert.notEqual(third.dashboard, second.dashboard);
  });

  it("leave no output of a removed source", () => {
    for (const name of ["kept", "gone"])
      for (const extension of ["js", "js.map", "d.ts"]) put(`.dist-1/test/${name}.test.${extension}`);
    put("test/kept.test.ts");
    put(".dist-1/src/dashboard/page.js");
    put("src/dashboard/page.tsx");
    put(".dist-1/docs/swagger-ui.css");
    evaluate(
      `import { removeStale } from ${part("steps")}; removeStale(process.argv[1], process.argv[1] + "/.dist-1");`,
    );
    assert.deepEqual(
      readdirSync(join(root, ".dist-1"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .toSorted(),
      ["kept.test.d.ts", "kept.test.js", "kept.test.js.map", "page.js", "swagger-ui.css"],
    );
  });
});
