import { randomFillSync } from "node:crypto";
import { workerData } from "node:worker_threads";
import { createDecideActor } from "../src/actors/decide-actor.js";
import { createDecisionContexts } from "../src/actors/decision-contexts.js";
import type { DecideWorkerData } from "../src/actors/worker-data.js";
import { createDecisionValidator } from "../src/api/decision-schema.js";
import { openJournal } from "../src/journal/journal.js";
import { openReplica } from "../src/replica/replica.js";
import { monotonicMs } from "../src/shared/clock.js";
import { createIdGenerator } from "../src/shared/ids.js";

const options = workerData as DecideWorkerData;
const random = new Uint32Array(1);

const decideBatch = createDecideActor({
  validator: createDecisionValidator(options.providers),
  contexts: createDecisionContexts(openReplica(options.dataDir)),
  ids: createIdGenerator(() => randomFillSync(random)[0] as number),
  journal: options.journal === null ? null : openJournal(options.journal),
  now: Date.now,
  monotonicMs,
  onJournalError: (error) => process.emitWarning(`journal commit failed: ${String(error)}`),
});

export default decideBatch;
