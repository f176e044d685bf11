import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { allowedCores, backgroundCores } from "../../../../src/platform/threads/background.js";
import { compiled } from "../../../support/service/actor-parts.js";
import {
  background,
  idleTimeThreads,
  NO_IDLE_TIME,
  NO_SCHEDULING,
  schedulingOf,
  type Scheduling,
} from "../../../support/machine/scheduling.js";

const status = (list: string): string =>
  `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed_list:\t0\n`;

describe("work that can wait is given the last half of the cores", () => {
  for (const [list, cores] of [
    ["0-1", [1]],
    ["0-3", [2, 3]],
    ["0-2", [2]],
    ["0,2-3,8", [3, 8]],
    ["4-5,7", [7]],
    ["8-11", [10, 11]],
    ["0", [0]],
    ["6", [6]],
  ] as const) {
    it(`it gets ${cores.join(", ")} of ${list}`, () => {
      assert.deepEqual(backgroundCores(allowedCores(status(list))), cores);
    });
  }
});

describe("work that has hours runs while cores are idle", () => {
  it("the thread that asks for it does, and no other", { skip: NO_IDLE_TIME }, async (t) => {
    const before = idleTimeThreads();
    const worker = new Worker(compiled("test/support/workers/idle-time-worker.js"));
    t.after(() => worker.terminate());
    const [id] = (await once(worker, "message")) as [string];
    assert.deepEqual(idleTimeThreads(), [...before, id]);
    assert.deepEqual(schedulingOf(`/proc/self/task/${id}`).cores, background().cores);
  });
});

describe("a thread steps back", () => {
  it("to the nice value it asks for, without its process", { skip: NO_SCHEDULING }, async () => {
    const module = pathToFileURL(compiled("src/platform/threads/background.js")).href;
    const own = schedulingOf("/proc/thread-self");
    const worker = new Worker(
      `import(${JSON.stringify(module)}).then(({ runThreadInBackground }) => {
         const { parentPort } = require("node:worker_threads");
         const { readlinkSync } = require("node:fs");
         runThreadInBackground();
         runThreadInBackground(15);
         parentPort.on("message", () => undefined);
         parentPort.postMessage(readlinkSync("/proc/thread-self"));
       })`,
      { eval: true },
    );
    try {
      const [thread] = (await once(worker, "message")) as [string];
      assert.deepEqual(schedulingOf(`/proc/${thread}`), { ...background(), nice: 15 });
      assert.deepEqual(schedulingOf("/proc/thread-self"), own);
    } finally {
      await worker.terminate();
    }
  });
});

describe("V8's and libuv's own threads can wait", () => {
  it("they step back, and neither the main thread nor one that it starts", { skip: NO_SCHEDULING }, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [compiled("test/support/workers/background-helpers-worker.js")],
      {
        encoding: "utf8",
      },
    );
    assert.equal(stderr, "");
    const { before, main, helpers, started } = JSON.parse(stdout) as Record<"before" | "main", Scheduling> &
      Record<"helpers" | "started", Scheduling[]>;
    assert.deepEqual(main, before);
    assert.ok(helpers.length > 0);
    for (const helper of helpers) assert.deepEqual(helper, background());
    assert.ok(started.some((thread) => thread.nice === before.nice));
    for (const thread of started.filter(({ nice }) => nice === before.nice)) assert.deepEqual(thread, before);
  });
});
