import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { removeRun } from "../../runner/leftovers.js";

const LINUX = {
  skip: process.platform === "linux" ? false : "only Linux tells what a process has to do with a run",
};
const dirOf = (): string => mkdtempSync(join(tmpdir(), "payinference-leftovers-"));

describe("the end of a run", () => {
  const holds: [
    what: string,
    options: (dir: string) => { args: string[]; env?: NodeJS.ProcessEnv; cwd?: string },
  ][] = [
    ["its command", (dir) => ({ args: [dir] })],
    ["its environment", (dir) => ({ args: [], env: { ...process.env, TMPDIR: dir } })],
    ["its working directory", (dir) => ({ args: [], cwd: dir })],
  ];
  for (const [what, options] of holds) {
    it(`ends a process that names the run's directory in ${what}`, LINUX, async () => {
      const dir = dirOf();
      const { args, ...rest } = options(dir);
      const child = spawn("/bin/sh", ["-c", "echo here; read line", "sh", ...args], {
        ...rest,
        detached: true,
        stdio: ["pipe", "pipe", "ignore"],
      });
      const gone = once(child, "exit");
      await once(child.stdout, "data");
      await removeRun([dir]);
      await gone;
      assert.equal(existsSync(dir), false);
    });
  }

  it("ends one that was stopped, and takes no other", LINUX, async () => {
    const dir = dirOf();
    const [ours, other] = [dir, dirOf()].map((name) =>
      spawn("/bin/sh", ["-c", "echo here; read line", "sh", name], {
        stdio: ["pipe", "pipe", "ignore"],
      }),
    ) as [ReturnType<typeof spawn>, ReturnType<typeof spawn>];
    const gone = once(ours, "exit");
    ours.kill("SIGSTOP");
    await removeRun([dir]);
    await gone;
    assert.equal(other.exitCode, null);
    assert.equal(other.kill("SIGKILL"), true);
  });

  it("removes the sockets' directory of a server that was killed", async () => {
    const dir = dirOf();
    const socketDir = mkdtempSync("/tmp/payinference-");
    mkdirSync(join(dir, "test", "postgres"), { recursive: true });
    writeFileSync(
      join(dir, "test", "postgres", "postgresql.conf"),
      `listen_addresses = ''\nunix_socket_directories = '${socketDir}'\n`,
    );
    await removeRun([dir]);
    assert.equal(existsSync(dir), false);
    assert.equal(existsSync(socketDir), false);
  });
});
