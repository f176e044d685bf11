import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { DecideAnswer } from "../../../src/path/decide/pool/messages.js";
import { createDecisionPool, type DecisionPool } from "../../../src/path/decide/pool/decision-pool.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import {
  compiled,
  createDataDir,
  journalled,
  PROVIDERS,
  submitDecision,
  testIdentity,
  type DataDir,
} from "../../support/service/actor-parts.js";
import { closeLater } from "../../support/closing.js";
import type { MortalDecideData } from "../../support/workers/mortal-decide-worker.js";
import { eventually } from "../../support/service/service.js";

/** Longer than the start of a worker takes on a busy machine. */
const STUCK_AFTER_MS = 8000;
/** The successor of a crashed worker answers within this time, even on a busy machine. */
const PATIENT_MS = 60_000;

interface MortalPool extends DataDir {
  pool: DecisionPool;
  mortal: MortalDecideData;
  errors: unknown[];
  stuck: () => number;
  deaths: () => number;
}

async function startMortalPool(
  workers: number,
  answerMsMax: number = TUNING.decisionAnswerMsMax,
): Promise<MortalPool> {
  const data = await createDataDir();
  const mortal = {
    beforeFile: data.file("die-before"),
    afterFile: data.file("die-after"),
    bootFile: data.file("do-not-load"),
    hangFile: data.file("hang"),
  };
  const errors: unknown[] = [];
  let stuck = 0;
  let deaths = 0;
  const workerData = {
    dataDir: data.dataDir,
    providers: PROVIDERS,
    journal: data.options,
    cache: null,
    mirror: null,
    riskBlockThreshold: 90,
    identity: testIdentity(),
    realTime: false,
    mortal,
  };
  const pool = createDecisionPool({
    workerFile: compiled("test/support/workers/mortal-decide-worker.js"),
    workerData,
    workers,
    workersHaveConnections: false,
    mirror: null,
    onBatch: () => undefined,
    onCacheRoundTrip: () => undefined,
    onWorkerError: (error) => errors.push(error),
    onWorkerDeath: () => deaths++,
    onJournalChange: () => undefined,
    answerMsMax,
    stuckAfterMs: STUCK_AFTER_MS,
    onStuck: () => stuck++,
  });
  closeLater(() => pool.close());
  await pool.warmUp();
  return { ...data, pool, mortal, errors, stuck: () => stuck, deaths: () => deaths };
}

/** Returns the decision ids of the answers, which must all be decisions or replays. */
function decisionIds(answers: readonly (DecideAnswer<string> | "full")[]): string[] {
  return answers.map((answer) => {
    assert.ok(
      answer !== "full" && (answer.kind === "decided" || answer.kind === "replayed"),
      JSON.stringify(answer),
    );
    return (JSON.parse(answer.body) as { decision_id: string }).decision_id;
  });
}

const journalledIds = (data: DataDir): string[] =>
  journalled(data.journal).map(({ decisionId }) => idFromHex("dec", decisionId.toString("hex")));

describe("a crashed decide worker is replaced and its batch answered", { concurrency: 2 }, () => {
  for (const [moment, fileOf] of [
    ["before its batch is decided", (mortal: MortalDecideData) => mortal.beforeFile],
    ["between commit and answer", (mortal: MortalDecideData) => mortal.afterFile],
  ] as const) {
    it(`OPS-8: dying ${moment}`, async () => {
      const part = await startMortalPool(2, PATIENT_MS);
      for (let crash = 0; crash < 5; crash++) {
        writeFileSync(fileOf(part.mortal), "");
        const answers = await Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            submitDecision(part.pool, part, `crash_${crash}_${i}`, i % 2 === 0 ? `key_${crash}_${i}` : null),
          ),
        );
        assert.equal(existsSync(fileOf(part.mortal)), false, "a worker died");
        const ids = decisionIds(answers);
        assert.equal(new Set(ids).size, ids.length);
        const stored = journalledIds(part);
        assert.equal(new Set(stored).size, stored.length);
        for (const id of ids) assert.ok(stored.includes(id), "what was acknowledged is journalled");
      }
      assert.ok(part.errors.length >= 5, "each crash is reported");
      assert.equal(part.deaths(), 5, "and counted once, however many batches it took along");
      const orders = journalled(part.journal).map(({ orderId }) => orderId.toString());
      for (let crash = 0; crash < 5; crash++) {
        for (let i = 0; i < 60; i += 2) {
          const own = orders.filter((orderId) => orderId === `crash_${crash}_${i}`);
          assert.equal(own.length, 1, "one record for one Idempotency-Key");
        }
      }
      await eventually(async () => assert.equal(part.pool.stats().workers, 2));
      assert.equal(part.pool.stats().pending, 0);
    });
  }

  it("answers its waiting requests when no worker starts, and recovers when one does", async () => {
    const part = await startMortalPool(1);
    writeFileSync(part.mortal.bootFile, "");
    writeFileSync(part.mortal.beforeFile, "");
    // These tasks fill every slot of the only worker, and more wait for a slot.
    const answers: Promise<DecideAnswer | "full">[] = [];
    for (let task = 0; task < 2 * TUNING.tasksPerWorkerMax; task++) {
      answers.push(submitDecision(part.pool, part, `down_${task}`));
      await sleep(10);
    }
    for (const answer of await Promise.all(answers)) assert.deepEqual(answer, { kind: "unavailable" });
    assert.equal(part.pool.stats().pending, 0);
    rmSync(part.mortal.bootFile);
    await eventually(async () => void decisionIds([await submitDecision(part.pool, part, "up")]));
    assert.equal(part.pool.stats().workers, 1);
    assert.equal(part.stuck(), 0);
  });

  it("OPS-8: answers the requests of a hanging worker, and reports that it is stuck", async () => {
    const part = await startMortalPool(1);
    writeFileSync(part.mortal.hangFile, "");
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => submitDecision(part.pool, part, `hang_${i}`)),
    );
    for (const answer of answers) assert.deepEqual(answer, { kind: "unavailable" });
    assert.equal(part.pool.stats().pending, 0);
    await eventually(async () => assert.ok(part.stuck() > 0), 3 * STUCK_AFTER_MS);
  });
});
