import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecideActor } from "../../../../src/path/decide/decide-actor.js";
import {
  createDecisionContexts,
  type DecisionContexts,
} from "../../../../src/path/decide/context/decision-contexts.js";
import { createHealthRecorder } from "../../../../src/path/document/decision-document.js";
import type { DecideAnswer, DecideReply, DecisionCaller } from "../../../../src/path/decide/pool/messages.js";
import { packRequests } from "../../../../src/path/decide/pool/shared-memory.js";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";
import { openReplica, type Replica, amountsKey, merchantKey } from "../../../../src/path/replica/replica.js";
import {
  answersIn,
  createDataDir,
  createTaskPage,
  testDecisionIds,
  journalled,
  PROVIDERS,
  type DataDir,
} from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";
import { decisionBody } from "../../../support/service/service.js";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);

interface Answered extends DecideReply {
  answers: DecideAnswer<string>[];
}

interface Actor extends DataDir {
  replica: Replica;
  /** The actor's clock, in Unix milliseconds. */
  clock: { nowMs: number };
  /**
   * Decides one batch under demo_merchant's test key, with one request per body. All requests carry the idempotency
   * key, if one is given.
   */
  decide(bodies: readonly Record<string, unknown>[], idempotencyKey?: string): Answered;
}

async function createActor(wrap = (contexts: DecisionContexts) => contexts): Promise<Actor> {
  const dir = await createDataDir();
  const replica = openReplica(dir.dataDir);
  closeLater(() => replica.close());
  const clock = { nowMs: NOW_MS };
  const page = createTaskPage();
  const actor = createDecideActor({
    validator: createDecisionValidator(PROVIDERS),
    contexts: wrap(createDecisionContexts(replica, 90)),
    health: createHealthRecorder(PROVIDERS),
    decisionIds: testDecisionIds,
    journal: dir.journal,
    pages: [page],
    shared: null,
    now: () => clock.nowMs,
    monotonicMs: () => 1000,
  });
  return {
    ...dir,
    replica,
    clock,
    decide(bodies, idempotencyKey) {
      const caller: DecisionCaller = { workspaceId: dir.workspaceId, mode: "test", merchantScope: null };
      const requests = bodies.map((body) => ({
        caller,
        body: JSON.stringify(body),
        idempotencyKey: idempotencyKey ?? null,
        receivedAtMs: 999,
      }));
      const task = packRequests(requests, 0, page);
      const reply = actor(task);
      return { ...reply, answers: answersIn(page, task, reply) };
    },
  };
}

const kindsOf = ({ answers }: Answered): string[] => answers.map(({ kind }) => kind);
const bodyOf = (answer: DecideAnswer<string> | undefined): Record<string, unknown> =>
  JSON.parse(answer !== undefined && "body" in answer ? answer.body : "{}") as Record<string, unknown>;

describe("Idempotent decision replay", () => {
  it("IDEM-3, IDEM-4: replays after 59:59.999 and decides again, for another hour, after 60:00.000", async () => {
    const { decide, clock, journal } = await createActor();
    const at = (ms: number): DecideAnswer<string> | undefined => {
      clock.nowMs = NOW_MS + ms;
      return decide([decisionBody()], "key").answers[0];
    };
    const first = bodyOf(at(0));
    const last = at(HOUR_MS - 1);
    assert.equal(last?.kind, "replayed");
    assert.deepEqual(bodyOf(last), first);
    const second = at(HOUR_MS);
    assert.equal(second?.kind, "decided");
    assert.notEqual(bodyOf(second)["decision_id"], first["decision_id"]);
    assert.deepEqual(bodyOf(at(2 * HOUR_MS - 1)), bodyOf(second));
    assert.equal(at(2 * HOUR_MS)?.kind, "decided");
    assert.equal(journalled(journal).length, 3);
  });
});

describe("a bug that one request meets", () => {
  it("ERR-18: fails that request alone; the rest of its batch is decided and journalled", async () => {
    const { decide, journal, workspaceId, replica } = await createActor((contexts) => ({
      ...contexts,
      merchant(workspace, mode, merchantId) {
        if (merchantId === "cursed") throw new Error("the bug");
        return contexts.merchant(workspace, mode, merchantId);
      },
    }));
    replica.putCatalog([{ key: merchantKey(workspaceId, "cursed"), value: { policy: null, prices: null } }]);
    const reply = decide([
      decisionBody({ order_id: "before" }),
      decisionBody({ order_id: "hit", merchant_id: "cursed" }),
      decisionBody({ order_id: "" }),
      decisionBody({ order_id: "after" }),
    ]);
    assert.deepEqual(kindsOf(reply), ["decided", "failed", "invalid", "decided"]);
    assert.match(reply.bug ?? "", /the bug/);
    assert.equal(reply.journalError, null);
    assert.ok(reply.sequence > 0);
    assert.deepEqual(
      journalled(journal).map(({ orderId }) => orderId.toString()),
      ["before", "after"],
    );
    const next = decide([decisionBody({ order_id: "later" })]);
    assert.deepEqual([kindsOf(next), next.bug], [["decided"], null]);
  });
});

describe("NORMAL_AMOUNT_FOR_MERCHANT in a decision", () => {
  it("RISK-13: follows the replica: absent before the merchant's amounts are known, in that mode and currency, there after", async () => {
    const { decide, replica, workspaceId } = await createActor();
    const codes = (amount: number, currency = "USD"): unknown => {
      const transaction = { amount, currency, country: "US", payment_method: "card" };
      const { risk } = bodyOf(decide([decisionBody({ transaction })]).answers[0]) as {
        risk: { reason_codes: unknown };
      };
      return risk.reason_codes;
    };
    const unknown = ["RISK_ACCEPTABLE"];
    const normal = ["RISK_ACCEPTABLE", "NORMAL_AMOUNT_FOR_MERCHANT"];
    assert.deepEqual(codes(5000), unknown);
    replica.putCatalog([{ key: amountsKey(workspaceId, "live", "demo_merchant"), value: { USD: 5000 } }]);
    assert.deepEqual(codes(5000), unknown, "another mode's");
    replica.putCatalog([{ key: amountsKey(workspaceId, "test", "demo_merchant"), value: { USD: 5000 } }]);
    assert.deepEqual(codes(5000), normal);
    assert.deepEqual(codes(5001), unknown);
    assert.deepEqual(codes(5000, "EUR"), unknown);
    replica.putCatalog([{ key: amountsKey(workspaceId, "test", "demo_merchant"), value: { USD: 5001 } }]);
    assert.deepEqual(codes(5001), normal, "refreshed");
  });
});
