import { workerData } from "node:worker_threads";
import { createBatchPace, paced } from "../src/path/decide/batch-pace.js";
import type { SharedIdempotency } from "../src/path/decide/batch-commit.js";
import { createIdentityReader } from "../src/path/decide/identity/decision-identity.js";
import { createDecideActor } from "../src/path/decide/decide-actor.js";
import { warmUp } from "../src/path/decide/decide-warm-up.js";
import { createOutcomeActor } from "../src/path/decide/outcome-actor.js";
import { withLoopTurns } from "../src/platform/threads/loop-turns.js";
import { createDecisionContexts } from "../src/path/decide/context/decision-contexts.js";
import { createHealthRecorder } from "../src/path/decide/health-recorder.js";
import { createPrecedence } from "../src/path/decide/precedence.js";
import { openTaskPage } from "../src/path/decide/pool/task-page.js";
import type { DecideWorkerData } from "../src/path/decide/pool/messages.js";
import type { SharedCache } from "../src/platform/cache/cache-client.js";
import { createDecisionValidator } from "../src/path/wire/decision-schema.js";
import { batchAgeMs } from "../src/path/journal/batch-codec.js";
import { openJournal } from "../src/path/journal/journal.js";
import { openReplica } from "../src/path/replica/replica.js";
import { monotonicMs, now } from "../src/platform/timing/clock.js";
import { runThreadInRealTime, scheduleThread } from "../src/platform/threads/real-time.js";

const options = workerData as DecideWorkerData;

const validator = createDecisionValidator(options.providers);
const contexts = createDecisionContexts(openReplica(options.dataDir), options.riskBlockThreshold);
warmUp(validator, contexts, options.providers);

/** Loads the module only if nodes share a cache, because a worker that replaces a dead one must start fast. */
const openShared = async (cache: SharedCache): Promise<SharedIdempotency> => {
  const { openSharedIdempotency } = await import("../src/path/decide/shared-idempotency.js");
  const gate =
    options.mirror === null
      ? null
      : (await import("../src/path/mirror/mirror-signal.js")).openMirrorGate(options.mirror, monotonicMs);
  return openSharedIdempotency(cache, gate);
};
const shared = options.cache === null ? null : await openShared(options.cache);
const journal = options.journal === null ? null : openJournal(options.journal);
const decideBatch = createDecideActor({
  validator,
  contexts,
  health: createHealthRecorder(options.providers),
  decisionIds: createIdentityReader(options.identity),
  journal,
  pages: options.pages.map(openTaskPage),
  shared,
  now,
  monotonicMs,
});

// Real-time scheduling begins after loading and compiling, during which the thread must not keep a core from others.
const isInRealTime = options.realTime && runThreadInRealTime();

const precedence =
  journal === null || !isInRealTime
    ? null
    : createPrecedence({
        journalAgeMs: () => {
          const oldest = journal.oldestAfter(0);
          return oldest === null ? 0 : batchAgeMs(oldest.batch, now());
        },
        schedule: scheduleThread,
        now: monotonicMs,
      });
const observant =
  <Task, Reply>(work: (task: Task) => Reply) =>
  (task: Task): Reply => {
    const reply = work(task);
    precedence?.();
    return reply;
  };
const turning = withLoopTurns();
const pace = createBatchPace(monotonicMs);
/** A worker with a shared cache gets no rests: it waits for the cache anyway, and a rest would delay its sockets. */
const atPace = <Task, Reply>(requestsOf: (task: Task) => number, work: (task: Task) => Reply) =>
  shared === null ? paced(pace, requestsOf, work) : work;
export default turning(observant(atPace(({ bodies }) => bodies.length, decideBatch)));
/** decision-pool.ts finds this export by its name. */
export const outcomes =
  journal === null
    ? null
    : turning(observant(atPace(({ reports }) => reports.length, createOutcomeActor({ journal, now }))));
