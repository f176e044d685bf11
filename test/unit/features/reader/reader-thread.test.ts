import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { superviseReader } from "../../../../src/features/reader/reader-thread.js";
import type { ReaderWorkerData } from "../../../../src/features/reader/messages.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { createLogger } from "../../../../src/platform/telemetry/logger.js";
import { createMetrics } from "../../../../src/platform/telemetry/metrics.js";
import { compiled } from "../../../support/service/actor-parts.js";
import { ALLOWED, RECEIVED } from "../../../support/workers/held-reader-worker.js";
import { eventually } from "../../../support/service/service.js";

const { readsAtWorkMax, readWaitMsMax, databaseReadTimeoutMs } = LIMITS;
const ALL = 1000;
const SILENT = createLogger("silent");

/** A reader whose thread answers when it is allowed to, and whose time passes when it is told to. */
function heldReader(t: TestContext) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const clock = { nowMs: 0 };
  const reader = superviseReader({
    file: compiled("test/support/workers/held-reader-worker.js"),
    workerData: { databaseUrl: "", counts } as unknown as ReaderWorkerData,
    patience: LIMITS,
    metrics: createMetrics(),
    log: SILENT,
    now: () => clock.nowMs,
  });
  t.after(() => reader.stop());
  const scope = { workspaceId: "ws", mode: "live", merchantScope: null } as const;
  return {
    clock,
    ask: (reads: number) =>
      Array.from({ length: reads }, () =>
        reader.read({ kind: "aggregate", scope }).catch((error: Error) => error.message),
      ),
    received: () => Atomics.load(counts, RECEIVED),
    answer: (reads: number) => void Atomics.store(counts, ALLOWED, reads),
  };
}

describe("reads wait in a line for the thread that does them", () => {
  it("which is handed as many as keep it busy, and the next with each answer, in the order asked", async (t) => {
    const { ask, received, answer } = heldReader(t);
    const asked = ask(readsAtWorkMax + 12);
    await eventually(async () => assert.equal(received(), readsAtWorkMax));
    answer(1);
    assert.equal(await asked[0], "0");
    await eventually(async () => assert.equal(received(), readsAtWorkMax + 1));
    answer(ALL);
    assert.deepEqual(
      await Promise.all(asked),
      asked.map((_, place) => String(place)),
    );
  });

  it("more are refused once the first in it has waited too long, and taken again when none does", async (t) => {
    const { clock, ask, received, answer } = heldReader(t);
    const asked = ask(readsAtWorkMax + 1);
    clock.nowMs = readWaitMsMax;
    asked.push(...ask(1));
    clock.nowMs = readWaitMsMax + 1;
    assert.deepEqual(await Promise.all(ask(2)), Array(2).fill("more reads than can be answered in time"));
    answer(ALL);
    assert.deepEqual(
      await Promise.all(asked),
      asked.map((_, place) => String(place)),
    );
    assert.equal(await ask(1)[0], String(asked.length));
    assert.equal(received(), asked.length + 1);
  });

  it("what nobody waits for any more is not read", async (t) => {
    const { clock, ask, received, answer } = heldReader(t);
    const atWork = ask(readsAtWorkMax);
    const late = ask(3);
    clock.nowMs = databaseReadTimeoutMs;
    answer(ALL);
    assert.deepEqual(await Promise.all(late), Array(3).fill("nobody waits for this read any more"));
    await Promise.all(atWork);
    assert.equal(await ask(1)[0], String(readsAtWorkMax));
    assert.equal(received(), readsAtWorkMax + 1);
  });
});
