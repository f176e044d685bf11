import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";

const MODULE = new URL("../../../src/persistence/process-claim.js", import.meta.url).href;
/** Claims each path at the moment it is told, and holds on to it. */
const CLAIMANT = `
  const { claimForProcess } = await import(${JSON.stringify(MODULE)});
  process.on("message", ({ path, atMs }) => {
    setTimeout(async () => {
      while (Date.now() < atMs);
      process.send({ path, holder: await claimForProcess(path).then(() => "claimed", (error) => error.pid) });
    }, atMs - Date.now() - 20);
  });
  process.send("up");
`;
const CLAIMANTS = 4;
const ROUNDS = 6;
/** Between two of them, so that a claim is not kept waiting by the next one. */
const ROUND_MS = 100;
/** Above what the kernel gives out. */
const DEAD = "99999999 1";

interface Answer {
  path: string;
  holder: string;
}

describe("one live process per DATA_DIR", { skip: process.platform !== "linux" }, () => {
  const children: ChildProcess[] = [];
  after(() => children.forEach((child) => child.kill("SIGKILL")));

  it("of several that start at once behind a killed one, one takes its claim over", async () => {
    const dir = await mkdtemp(join(tmpdir(), "payinference-claim-"));
    after(() => rm(dir, { recursive: true }));
    for (let i = 0; i < CLAIMANTS; i++) {
      const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
      children.push(spawn(process.execPath, ["--input-type=module", "-e", CLAIMANT], { stdio: [...stdio] }));
    }
    await Promise.all(children.map((child) => once(child, "message")));
    const paths = Array.from({ length: ROUNDS }, (_, round) => join(dir, `owner.${round}`));
    await Promise.all(paths.map((path) => writeFile(path, DEAD)));
    const holders = new Map(paths.map((path) => [path, new Map<number, string>()]));
    const answered = children.map(async (child) => {
      for await (const [{ path, holder }] of on(child, "message") as AsyncIterable<[Answer]>) {
        holders.get(path)?.set(child.pid as number, holder);
        if (paths.every((each) => holders.get(each)?.has(child.pid as number))) return;
      }
    });
    const startMs = Date.now() + 100;
    for (const [round, path] of paths.entries()) {
      for (const child of children) child.send({ path, atMs: startMs + round * ROUND_MS });
    }
    await Promise.all(answered);
    for (const answers of holders.values()) {
      const winners = [...answers].filter(([, holder]) => holder === "claimed").map(([pid]) => pid);
      assert.equal(winners.length, 1);
      for (const [pid, holder] of answers) {
        if (pid !== winners[0])
          assert.equal(holder, String(winners[0]), "the others name the one that has it");
      }
    }
  });
});
