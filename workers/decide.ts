import { workerData } from "node:worker_threads";
import {
  createBatchPace,
  createPrecedence,
  createWorkRhythm,
  journalAge,
} from "../src/path/decide/batch-pace.js";
import type { SharedIdempotency } from "../src/path/decide/batch-commit.js";
import { createDecideActor } from "../src/path/decide/decide-actor.js";
import { warmUp } from "../src/path/decide/decide-warm-up.js";
import { createOutcomeActor } from "../src/path/decide/outcome-actor.js";
import { createDecisionContexts } from "../src/path/decide/context/decision-contexts.js";
import { createHealthRecorder } from "../src/path/document/decision-document.js";
import { openTaskPage, createIdentityReader } from "../src/path/decide/pool/shared-memory.js";
import type { DecideWorkerData } from "../src/path/decide/pool/messages.js";
import type { SharedCache } from "../src/platform/cache/cache-client.js";
import { createDecisionValidator } from "../src/path/wire/decision-schema.js";
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
        journalAgeMs: journalAge(journal, now),
        schedule: scheduleThread,
        now: monotonicMs,
      });
const inRhythm = createWorkRhythm({ pace: createBatchPace(monotonicMs), precedence });
export default inRhythm(decideBatch);
/** decision-pool.ts finds this export by its name. */
export const outcomes = journal === null ? null : inRhythm(createOutcomeActor({ journal, now }));
