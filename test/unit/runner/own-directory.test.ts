import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";

const LINUX = {
  skip: process.platform === "linux" ? false : "only Linux tells what a process has to do with a run",
};
const MODULE = new URL("../../runner/own-directory.js", import.meta.url).href;

interface Started {
  /** What the program has printed first: its directory, and the process that it has started. */
  dir: string;
  pid: number;
  ended: Promise<[code: number | null]>;
  signal(name: NodeJS.Signals): void;
}

/** Starts a program in a directory of its own. It makes a file there, starts a process, and then does `end`. */
async function start(end: string): Promise<Started> {
  const program = `
    const dir = fs.mkdtempSync(os.tmpdir() + "/one-");
    const child = child_process.spawn("/bin/sh", ["-c", "sleep 60"], { cwd: dir, stdio: "ignore", detached: true });
    child.on("spawn", () => { console.log(os.tmpdir() + " " + child.pid); ${end} });`;
  const runner = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { runInOwnDirectory } from ${JSON.stringify(MODULE)};
       process.exit(await runInOwnDirectory(["-e", ${JSON.stringify(program)}]));`,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = once(runner, "exit") as Promise<[code: number | null]>;
  const [line] = (await once(createInterface(runner.stdout), "line")) as [string];
  const [dir = "", pid] = line.split(" ");
  return { dir, pid: Number(pid), ended, signal: (name) => runner.kill(name) };
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}/cwd`);

describe("a program in a directory of its own", LINUX, () => {
  it("leaves neither a file nor a process, and its exit code is that of the run", async () => {
    const { dir, pid, ended } = await start("process.exit(2)");
    assert.deepEqual((await ended)[0], 2);
    assert.equal(existsSync(dir), false);
    assert.equal(isRunning(pid), false);
  });

  it("leaves none if a signal ends it", async () => {
    const { dir, pid, ended, signal } = await start("");
    assert.ok(existsSync(dir) && isRunning(pid));
    signal("SIGTERM");
    assert.equal((await ended)[0], 143);
    assert.equal(existsSync(dir), false);
    assert.equal(isRunning(pid), false);
  });
});
