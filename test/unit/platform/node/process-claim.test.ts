import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { claimForProcess } from "../../../../src/platform/node/process-claim.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

const CLAIMANTS = 4;
const CLAIMS = 5;
const DEAD = "999999999 1";

/** The claimants are threads of one process, so all of them count as alive. Only the order of their claims decides. */
async function claimTogether(path: string): Promise<string[]> {
  const start = new Int32Array(new SharedArrayBuffer(4));
  const file = new URL("../../../support/workers/claim-worker.js", import.meta.url);
  const workers = Array.from({ length: CLAIMANTS }, () => new Worker(file, { workerData: { path, start } }));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const answers = workers.map(async (worker) => String((await once(worker, "message"))[0]));
  Atomics.store(start, 0, 1);
  Atomics.notify(start, 0);
  return Promise.all(answers);
}

describe("DATA_DIR: one process each", () => {
  it("SET-7: one of several processes that find a killed one's claim at the same moment gets it", async () => {
    const dir = await temporaryDir();
    const answers = await Promise.all(
      Array.from({ length: CLAIMS }, async (_, at) => {
        const path = join(dir, `owner-${at}`);
        await writeFile(path, DEAD);
        return claimTogether(path);
      }),
    );
    const claimed = answers.map((one) => one.filter((answer) => answer === "claimed").length);
    assert.deepEqual(
      claimed,
      Array.from({ length: CLAIMS }, () => 1),
    );
  });

  it("a claim that a kill left half-written is taken over, and given back at the end", async () => {
    const path = join(await temporaryDir(), "owner");
    await writeFile(path, "12");
    const release = await claimForProcess(path);
    assert.match(await readFile(path, "utf8"), new RegExp(`^${process.pid} \\d+$`));
    await release();
    await assert.rejects(readFile(path), { code: "ENOENT" });
  });
});
