import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDocument, createHealthRecorder } from "../../../../src/path/document/decision-document.js";
import { attemptTimesMs } from "../../../../src/path/attempts/attempt-list.js";
import { orderAttemptKey } from "../../../../src/path/attempts/attempt-store.js";
import { createDecisionContexts } from "../../../../src/path/decide/context/decision-contexts.js";
import { createDecideActor } from "../../../../src/path/decide/decide-actor.js";
import {
  allocateTaskPages,
  openTaskPage,
  type TaskPage,
  packRequests,
} from "../../../../src/path/decide/pool/shared-memory.js";
import type { Journal } from "../../../../src/path/journal/journal.js";
import { openReplica } from "../../../../src/path/replica/replica.js";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";
import { closeLater } from "../../../support/closing.js";
import { newId, rules, type RuleSpec } from "../../../support/people/tenants.js";
import { putPolicy } from "../../../support/rows/replica-policies.js";
import {
  answersIn,
  createDataDir,
  type DataDir,
  journalledRecords,
  PROVIDERS,
  testDecisionIds,
} from "../../../support/service/actor-parts.js";
import { decisionBody } from "../../../support/service/service.js";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const WITHIN: RuleSpec = { name: "within", then: { type: "retry_within_scheme_rules" } };
const HOLD_LARGE: RuleSpec = { name: "hold", when: { amount_gte: 1000 }, then: { type: "hold" } };
/** Mastercard allows ten attempts of an order in 24 hours. */
const MOST = 10;

interface Asked {
  orderId?: string;
  code?: string | null;
  amount?: number;
  idempotencyKey?: string;
}

interface WorkerOptions {
  /** The number of the worker's reply slot, 0 or 1. Two workers at once have two slots. */
  slot?: number;
  /** Runs between deciding and committing. */
  beforeCommit?(this: void): void;
  journal?: Journal;
}

/** A decide worker on `dir`. */
async function createWorker(dir: DataDir, options: WorkerOptions = {}) {
  const { slot = 0, beforeCommit = () => undefined, journal = dir.journal } = options;
  const replica = openReplica(dir.dataDir);
  closeLater(() => replica.close());
  const pages = allocateTaskPages(2).map(openTaskPage);
  const page = pages[slot] as TaskPage;
  const actor = createDecideActor({
    validator: createDecisionValidator(PROVIDERS),
    contexts: createDecisionContexts(replica, 90),
    health: createHealthRecorder(PROVIDERS),
    decisionIds: testDecisionIds,
    journal: {
      ...journal,
      transaction(write) {
        beforeCommit();
        return journal.transaction(write);
      },
    },
    pages,
    shared: null,
    now: () => NOW_MS,
    monotonicMs: () => 1000,
  });
  /** Returns the actions for one batch. */
  return (batch: readonly Asked[]): (string | undefined)[] => {
    const task = packRequests(
      batch.map(({ orderId = "order_1", code = "02", amount = 100, idempotencyKey = null }) => ({
        caller: { workspaceId: dir.workspaceId, mode: "test", merchantScope: null },
        body: JSON.stringify(
          decisionBody({
            order_id: orderId,
            transaction: {
              amount,
              currency: "USD",
              country: "US",
              payment_method: "card",
              card_network: "mastercard",
            },
            ...(code === null
              ? {}
              : {
                  previous_attempt: {
                    provider: "provider_1",
                    outcome: "declined",
                    provider_reason_code: code,
                  },
                }),
          }),
        ),
        idempotencyKey,
        receivedAtMs: 999,
      })),
      slot,
      page,
    );
    return answersIn(page, task, actor(task)).map((answer) =>
      answer.kind === "decided" ? answer.action : answer.kind,
    );
  };
}

async function createCountingDir(specs: readonly RuleSpec[] = [WITHIN, HOLD_LARGE]): Promise<DataDir> {
  const dir = await createDataDir();
  const replica = openReplica(dir.dataDir);
  closeLater(() => replica.close());
  putPolicy(replica, dir.workspaceId, "demo_merchant", {
    policy_id: newId("pol"),
    name: "Retries",
    status: "published",
    version: "v1",
    default_provider: null,
    rules: rules(specs),
    updated_at: new Date(NOW_MS).toISOString(),
  });
  return dir;
}

const timesOf = ({ journal, workspaceId }: DataDir, orderId = "order_1"): number[] =>
  journal.reading(() =>
    attemptTimesMs(journal.attempts.find(orderAttemptKey(workspaceId, "test", "demo_merchant", orderId))),
  );
const many = (count: number, asked: Asked = {}): Asked[] => Array.from({ length: count }, () => asked);
const count = (actions: readonly (string | undefined)[], action: string): number =>
  actions.filter((one) => one === action).length;

/** The attempts that each journalled decision saw. */
function seenBy({ journal }: DataDir): (number | undefined)[] {
  return journalledRecords(journal).decisions.map(
    ({ doc }) => readDocument(doc.toString()).seen.retry?.attempts.length,
  );
}

describe("attempts of an order, counted where a batch is committed", () => {
  it("RTRY-14: decisions of one batch count each other", async () => {
    const dir = await createCountingDir();
    const decide = await createWorker(dir);
    const actions = decide(many(15));
    assert.deepEqual(actions.slice(0, MOST), Array(MOST).fill("retry"));
    assert.deepEqual(actions.slice(MOST), Array(5).fill("block"));
    assert.equal(timesOf(dir).length, MOST);
    // RTRY-13: each document has the attempts that its decision used in the end.
    assert.deepEqual(seenBy(dir), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10]);
  });

  it("RTRY-14: attempts of another worker that come between deciding and committing count", async () => {
    const dir = await createCountingDir();
    const other = await createWorker(dir, { slot: 1 });
    let between = 7;
    const decide = await createWorker(dir, {
      beforeCommit() {
        assert.equal(count(other(many(between)), "retry"), between);
        between = 0;
      },
    });
    const actions = decide(many(8));
    assert.deepEqual([count(actions, "retry"), count(actions, "block")], [3, 5]);
    assert.equal(timesOf(dir).length, MOST);
  });

  it("RTRY-14: a first attempt counts, and a block, a hold and a replay do not", async () => {
    const dir = await createCountingDir();
    const decide = await createWorker(dir);
    assert.deepEqual(decide([{ code: null }, { code: null, amount: 5000 }, { code: "03" }]), [
      "route",
      "hold",
      "block",
    ]);
    assert.equal(timesOf(dir).length, 1);
    const keyed = { idempotencyKey: "once" };
    assert.deepEqual(decide([keyed, keyed]), ["retry", "replayed"]);
    assert.deepEqual(decide([keyed]), ["replayed"]);
    assert.equal(timesOf(dir).length, 2);
  });

  it("RTRY-14: orders are counted apart, and a journal record names each attempt", async () => {
    const dir = await createCountingDir();
    const decide = await createWorker(dir);
    decide([...many(3), { orderId: "order_2" }, { code: "03" }]);
    assert.deepEqual([timesOf(dir).length, timesOf(dir, "order_2").length], [3, 1]);
    const { attempts, decisions } = journalledRecords(dir.journal);
    assert.deepEqual(
      attempts.map(({ decisionId }) => decisionId.toString("hex")),
      decisions.slice(0, 4).map(({ decisionId }) => decisionId.toString("hex")),
    );
  });

  it("RTRY-14: a batch that cannot be committed counts nothing", async () => {
    const dir = await createCountingDir();
    const full: Journal = {
      ...dir.journal,
      append() {
        throw new Error("the disk is full");
      },
    };
    const decide = await createWorker(dir, { journal: full });
    assert.deepEqual(decide(many(2)), ["unavailable", "unavailable"]);
    assert.deepEqual(timesOf(dir), []);
  });

  it("RTRY-14: a merchant whose policy has no such action is not looked up and not counted", async () => {
    const dir = await createCountingDir([{ ...WITHIN, enabled: false }, HOLD_LARGE]);
    const refuse = (): never => assert.fail("attempts were asked for");
    const untouched: Journal = {
      ...dir.journal,
      attempts: { find: refuse, add: refuse, sweep: refuse, position: refuse, movePosition: refuse },
      reading: refuse,
    };
    const decide = await createWorker(dir, { journal: untouched });
    assert.deepEqual(decide([{ code: "03" }, { code: null }]), ["route", "route"]);
    assert.deepEqual(journalledRecords(dir.journal).attempts, []);
  });
});
