import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { superviseReader } from "../../../../src/features/reader/reader-thread.js";
import type { ReaderWorkerData } from "../../../../src/features/reader/messages.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import { createLogger } from "../../../../src/platform/telemetry/logger.js";
import { createMetrics } from "../../../../src/platform/telemetry/metrics.js";
import { compiled } from "../../../support/service/actor-parts.js";
import { ALLOWED, LOADS, RECEIVED } from "../../../support/workers/held-reader-worker.js";
import { eventually } from "../../../support/service/service.js";

const {
  readsAtWorkMax,
  readsWaitingMax,
  readsAtWorkOwnMax,
  readWaitMsMax,
  readAnswerMsMin,
  databaseReadTimeoutMs,
} = TUNING;
const ALL = 1000;
const SILENT = createLogger("silent");
const REFUSED = "more reads than can be answered in time";

/** A reader whose thread answers when the test allows it, with a clock that the test moves. */
function heldReader(t: TestContext) {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const clock = { nowMs: 0 };
  const reader = superviseReader({
    file: compiled("test/support/workers/held-reader-worker.js"),
    workerData: { databaseUrl: "", counts } as unknown as ReaderWorkerData,
    patience: TUNING,
    metrics: createMetrics(),
    log: SILENT,
    now: () => clock.nowMs,
  });
  t.after(() => reader.stop());
  const ask = (workspaceId: string, reads: number): Promise<string | null>[] =>
    Array.from({ length: reads }, () =>
      reader
        .read({ kind: "aggregate", scope: { workspaceId, mode: "live", merchantScope: null } })
        .catch((error: Error) => error.message),
    );
  return {
    clock,
    ask,
    /** Adds as many reads as the thread gets at once, each of another workspace. */
    fill: () => Array.from({ length: readsAtWorkMax }, (_, place) => ask(`filler_${place}`, 1)).flat(),
    received: () => Atomics.load(counts, RECEIVED),
    answer: (reads: number) => void Atomics.store(counts, ALLOWED, reads),
    load: () => void Atomics.store(counts, LOADS, 1),
    loaded: reader.loaded,
  };
}

/** The worker answers each read with its number in the order in which it received them. */
const places = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => String(from + place));

describe("reads wait in a line for the thread that does them", () => {
  it("OPS-14: a start waits until the thread has loaded, so that no first read does", async (t) => {
    const { load, loaded, ask, answer } = heldReader(t);
    let hasLoaded = false;
    const waiting = loaded().then(() => (hasLoaded = true));
    answer(1);
    assert.equal(await ask("ws", 1)[0], "0");
    assert.equal(hasLoaded, false);
    load();
    await waiting;
  });

  it("the thread is handed as many reads as keep it busy, and the next with each answer, in order", async (t) => {
    const { fill, ask, received, answer } = heldReader(t);
    const asked = [...fill(), ...ask("ws", 12)];
    await eventually(async () => assert.equal(received(), readsAtWorkMax));
    answer(1);
    assert.equal(await asked[0], "0");
    await eventually(async () => assert.equal(received(), readsAtWorkMax + 1));
    answer(ALL);
    assert.deepEqual(await Promise.all(asked), places(0, asked.length));
  });

  it("OPS-13: a workspace's reads are refused once its first has waited too long, and taken again when none does", async (t) => {
    const { clock, fill, ask, received, answer } = heldReader(t);
    const asked = [...fill(), ...ask("ws", 1)];
    clock.nowMs = readWaitMsMax;
    asked.push(...ask("ws", 1));
    clock.nowMs = readWaitMsMax + 1;
    assert.deepEqual(await Promise.all(ask("ws", 2)), [REFUSED, REFUSED]);
    asked.push(...ask("other", 1));
    answer(ALL);
    const turn = (place: number): string => String(readsAtWorkMax + place);
    assert.deepEqual((await Promise.all(asked)).slice(readsAtWorkMax), [turn(0), turn(2), turn(1)]);
    assert.equal(await ask("ws", 1)[0], String(asked.length));
    assert.equal(received(), asked.length + 1);
  });

  it("OPS-13: slow reads of one workspace keep nobody else waiting", async (t) => {
    const { clock, ask, received, answer } = heldReader(t);
    const slow = ask("slow", readsAtWorkMax + 12);
    await eventually(async () => assert.equal(received(), readsAtWorkOwnMax));
    clock.nowMs = readWaitMsMax + 1;
    assert.deepEqual(await Promise.all(ask("slow", 1)), [REFUSED]);
    const other = ask("other", 1);
    await eventually(async () => assert.equal(received(), readsAtWorkOwnMax + 1));
    answer(ALL);
    assert.deepEqual(await Promise.all(other), [String(readsAtWorkOwnMax)]);
    await Promise.all(slow);
  });

  it("OPS-13: workspaces that wait have their turns one after the other", async (t) => {
    const { fill, ask, answer } = heldReader(t);
    const atWork = fill();
    const [many, few] = [ask("many", 4), ask("few", 2)];
    answer(ALL);
    await Promise.all(atWork);
    const turn = (place: number): string => String(readsAtWorkMax + place);
    assert.deepEqual(await Promise.all(many), [turn(0), turn(2), turn(4), turn(5)]);
    assert.deepEqual(await Promise.all(few), [turn(1), turn(3)]);
  });

  it("a read with no time left for its answer is not carried out, for any workspace", async (t) => {
    const { clock, fill, ask, received, answer } = heldReader(t);
    const atWork = fill();
    const late = ["a", "b", "c"].flatMap((workspaceId) => ask(workspaceId, 1));
    clock.nowMs = 1;
    const inTime = ask("ws", 1);
    clock.nowMs = databaseReadTimeoutMs - readAnswerMsMin + 1;
    answer(ALL);
    assert.deepEqual(await Promise.all(late), Array(3).fill("no time is left for the answer to this read"));
    await Promise.all(atWork);
    assert.equal(await inTime[0], String(readsAtWorkMax));
    assert.equal(await ask("a", 1)[0], String(readsAtWorkMax + 1));
    assert.equal(received(), readsAtWorkMax + 2);
  });

  it("OPS-9, OPS-13: its length is limited too: above the limit, the owner with the most waiting loses its newest", async (t) => {
    const { fill, ask, answer } = heldReader(t);
    const ownMax = readsWaitingMax / 2;
    const atWork = fill();
    const [first, second] = [ask("first", ownMax + 1), ask("second", ownMax)];
    assert.equal(await first[ownMax], REFUSED);
    const newcomer = ask("newcomer", 1);
    assert.equal(await first[ownMax - 1], REFUSED);
    answer(ALL * 2);
    await Promise.all(atWork);
    const answers = await Promise.all([...first.slice(0, ownMax - 1), ...second, ...newcomer]);
    assert.deepEqual(
      answers.map(Number).toSorted((a, b) => a - b),
      places(readsAtWorkMax, readsWaitingMax).map(Number),
    );
  });
});
