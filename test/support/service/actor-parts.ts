import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DecideAnswer, DecideReply, DecideTask } from "../../../src/path/decide/pool/messages.js";
import {
  allocateTaskPages,
  openTaskPage,
  type TaskPage,
  bodyText,
  unpackAnswer,
  createIdentityReader,
  createSharedIdentity,
} from "../../../src/path/decide/pool/shared-memory.js";
import { createDecisionPool, type DecisionPool } from "../../../src/path/decide/pool/decision-pool.js";
import { decodeBatch, noRecords, type BatchRecords } from "../../../src/path/journal/batch-codec.js";
import type { DecisionRecordView } from "../../../src/path/journal/decision-record.js";
import { openJournal, type Journal, type JournalOptions } from "../../../src/path/journal/journal.js";
import { merchantKey, openReplica, workspaceKey } from "../../../src/path/replica/replica.js";
import { monotonicMs } from "../../../src/platform/timing/clock.js";
import { DECISION_ID_KEY_BYTES } from "../../../src/domain/ids/decision-id.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../closing.js";
import { newId } from "../rows/decision-rows.js";
import { temporaryDir } from "../postgres/postgres.js";
import { decisionBody } from "./service.js";

/** Compiled files by their path under dist/. */
export const compiled = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const PROVIDERS = ["provider_1", "provider_2"] as const;

/** A DATA_DIR with its journal and one workspace. The workspace's `demo_merchant` has no policy. */
export interface DataDir {
  dataDir: string;
  workspaceId: string;
  options: JournalOptions;
  journal: Journal;
  /** A file of that name in the directory. */
  file(name: string): string;
}

export async function createDataDir(): Promise<DataDir> {
  const dataDir = await temporaryDir();
  const workspaceId = newId("ws");
  const replica = openReplica(dataDir);
  replica.putCatalog([
    {
      key: workspaceKey(workspaceId),
      value: {
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        retention_days: null,
      },
    },
    { key: merchantKey(workspaceId, "demo_merchant"), value: { policy: null, prices: null } },
  ]);
  closeLater(() => replica.close());
  const options: JournalOptions = { dataDir, bytesMax: 64 * 2 ** 20, syncEveryCommit: false };
  const journal = openJournal(options);
  closeLater(() => journal.close());
  return { dataDir, workspaceId, options, journal, file: (name) => join(dataDir, name) };
}

/** The identity for decision ids of a single node. */
export function testIdentity(): SharedArrayBuffer {
  const identity = createSharedIdentity();
  identity.set({ node: 0, key: new Uint8Array(DECISION_ID_KEY_BYTES).fill(1) });
  return identity.memory;
}

export const testDecisionIds = createIdentityReader(testIdentity());

/** All records of the journal, copied out of its pages. */
export function journalledRecords(journal: Journal): BatchRecords {
  const records = noRecords();
  for (const { batch } of journal.readAfter(0, Number.POSITIVE_INFINITY))
    decodeBatch(Buffer.from(batch), records);
  return records;
}

/** The decisions in the journal. */
export function journalled(journal: Journal): DecisionRecordView[] {
  return journalledRecords(journal).decisions;
}

/** Starts the service's own decide workers on the directory. The test fails if a worker fails or dies. */
export function healthyPool(data: DataDir, workers: number, realTime = false): DecisionPool {
  return createDecisionPool({
    workerFile: compiled("service/workers/decide.js"),
    workerData: {
      dataDir: data.dataDir,
      providers: PROVIDERS,
      riskBlockThreshold: 90,
      identity: testIdentity(),
      journal: data.options,
      cache: null,
      mirror: null,
      realTime,
    },
    workers,
    workersHaveConnections: false,
    mirror: null,
    onBatch: () => undefined,
    onCacheRoundTrip: () => undefined,
    onWorkerError: (error) => assert.fail(String(error)),
    onWorkerDeath: () => assert.fail("a worker died"),
    onJournalChange: () => undefined,
    answerMsMax: TUNING.decisionAnswerMsMax,
    stuckAfterMs: TUNING.decisionStuckMs,
    onStuck: () => assert.fail("stuck"),
  });
}

/** Submits one decision to the pool, without the front. */
export function submitDecision(
  pool: DecisionPool,
  { workspaceId }: Pick<DataDir, "workspaceId">,
  orderId: string,
  idempotencyKey: string | null = null,
): Promise<DecideAnswer<string> | "full"> {
  return new Promise((resolve) => {
    const taken = pool.submit({
      caller: { workspaceId, mode: "test", merchantScope: null },
      body: JSON.stringify(decisionBody({ order_id: orderId })),
      idempotencyKey,
      receivedAtMs: monotonicMs(),
      settle: (answer) => resolve(withText(answer)),
    });
    if (taken === "full") resolve("full");
  });
}

/** Copies an answer, so that it stays unchanged when its reply slot is reused. */
function withText(answer: DecideAnswer): DecideAnswer<string> {
  return "body" in answer ? { ...answer, body: bodyText(answer.body) } : answer;
}

/** The reply slot of an actor that gets one batch at a time. */
export const createTaskPage = (): TaskPage => openTaskPage(allocateTaskPages(1)[0] as SharedArrayBuffer);

/** The actor's answers to each request of its last batch. */
export const answersIn = (page: TaskPage, { bodies }: Pick<DecideTask, "bodies">, reply: DecideReply) =>
  bodies.map((_, index) => withText(unpackAnswer(page, reply, index)));
