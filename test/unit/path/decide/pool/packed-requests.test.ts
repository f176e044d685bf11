import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createBatchLane, type Job } from "../../../../../src/path/decide/pool/batch-lane.js";
import type { BatchReply, DecisionCaller } from "../../../../../src/path/decide/pool/messages.js";
import { packAnswers } from "../../../../../src/path/decide/pool/packed-answers.js";
import {
  packRequests,
  unpackRequest,
  type DecideRequest,
} from "../../../../../src/path/decide/pool/packed-requests.js";
import { TUNING } from "../../../../../src/domain/vocabulary/tuning.js";
import { MODES } from "../../../../../src/domain/vocabulary/vocabulary.js";
import { createTaskPage } from "../../../../support/service/actor-parts.js";

/** Grants, which have more fields than a worker receives. */
const callers = MODES.flatMap((mode) =>
  [null, "merchant_1"].map((merchantScope) => ({
    workspaceId: "ws_1",
    mode,
    merchantScope,
    scopes: new Set(["decision:write"]),
    notForWorkers: () => undefined,
  })),
);
const requests = fc.array(
  fc.record({
    caller: fc.constantFrom(...callers),
    body: fc.string({ unit: "grapheme", maxLength: 300 }),
    idempotencyKey: fc.option(fc.string(), { freq: 2 }),
    receivedAtMs: fc.double({ min: 0, max: 1e12, noNaN: true }),
  }),
  { maxLength: TUNING.batchRequestsMax },
);

describe("requests on their way to a decide worker", () => {
  it("arrive as they left, each with its own caller, key and time", () => {
    const page = createTaskPage();
    fc.assert(
      fc.property(requests, (sent) => {
        // The task in the form of a message, which cannot contain a function or a page.
        const task = structuredClone(packRequests(sent, 3, page));
        assert.equal(task.page, 3);
        const withoutGrants = ({ workspaceId, mode, merchantScope }: DecisionCaller): DecisionCaller => ({
          workspaceId,
          mode,
          merchantScope,
        });
        assert.deepEqual(
          sent.map((_, index) => unpackRequest(task, page, index)),
          sent.map((request) => ({ ...request, caller: withoutGrants(request.caller) })),
        );
      }),
    );
  });

  it("arrive again with the second worker, although the first died when it had written answers over them", async () => {
    const page = createTaskPage();
    const attempts: DecideRequest[][] = [];
    const settled: string[] = [];
    const lane = createBatchLane<Job<string> & DecideRequest, string, BatchReply>({
      slots: { take: () => 0, free: () => undefined, hasIdleWorker: () => true },
      unavailable: "unavailable",
      async run(jobs, slot) {
        const task = packRequests(jobs, slot, page);
        attempts.push(jobs.map((_, index) => unpackRequest(task, page, index)));
        packAnswers(
          jobs.map(() => ({ kind: "forbidden", reason: "unknown_merchant" })),
          page,
        );
        if (attempts.length === 1) throw new Error("the worker died");
        return { sequence: 0, journalError: null, bug: null };
      },
      answerOf: () => "answered",
      onBatch: () => undefined,
      onReply: () => undefined,
      onSettled: () => undefined,
      onWorkerError: () => undefined,
    });
    const [one, other] = MODES.map((mode) => ({ workspaceId: "ws_1", mode, merchantScope: null }));
    const sent = [one, other, one].map((caller, index) => ({
      caller: caller as DecisionCaller,
      body: `{"order_id":"${index}"}`,
      idempotencyKey: index === 1 ? "key" : null,
      receivedAtMs: 1.5 + index,
    }));
    await new Promise<void>((resolve) => {
      for (const request of sent) {
        const settle = (answer: string): void => {
          if (settled.push(answer) === sent.length) resolve();
        };
        lane.add({ ...request, settle });
      }
    });
    assert.deepEqual(attempts, [sent, sent]);
    assert.deepEqual(settled, ["answered", "answered", "answered"]);
  });

  it("name a caller once, however many requests it has", () => {
    const request = {
      caller: callers[0] as DecisionCaller,
      body: "{}",
      idempotencyKey: null,
      receivedAtMs: 1,
    };
    const { callers: named, idempotencyKeys } = packRequests([request, request], 0, createTaskPage());
    assert.equal(named.length, 1);
    assert.equal(idempotencyKeys, null);
  });
});
