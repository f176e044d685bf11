import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createBatchLane } from "../../../../../src/path/decide/pool/batch-lane.js";
import type { Job } from "../../../../../src/path/decide/pool/batch-run.js";
import type {
  BatchReply,
  DecisionCaller,
  DecideAnswer,
} from "../../../../../src/path/decide/pool/messages.js";
import {
  packRequests,
  unpackRequest,
  type DecideRequest,
  packAnswers,
  type TaskPage,
  bodyText,
  retryTimesOf,
  unpackAnswer,
} from "../../../../../src/path/decide/pool/shared-memory.js";
import { TUNING } from "../../../../../src/domain/vocabulary/tuning.js";
import {
  MODES,
  ACTIONS,
  DECISION_MODES,
  MODEL_VERSIONS,
} from "../../../../../src/domain/vocabulary/vocabulary.js";
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
      slots: { take: () => 0, replied: () => undefined, free: () => undefined, hasIdleWorker: () => true },
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
      waits: () => false,
      hold: () => null,
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

/** Returns what the front reads from a reply slot that a worker has written. */
function roundTrip(answers: readonly DecideAnswer<string>[], page: TaskPage): DecideAnswer<string>[] {
  const oversize = packAnswers(answers, page);
  return answers.map((_, index) => {
    const answer = unpackAnswer(page, { oversize, retryNotBefore: retryTimesOf(answers) }, index);
    return "body" in answer ? { ...answer, body: bodyText(answer.body) } : answer;
  });
}

const invalid = (body: string): DecideAnswer<string> => ({ kind: "invalid", body });

/** Bodies in any script, without lone surrogates, which validation refuses. */
const bodies = fc.string({ unit: "grapheme", maxLength: 300 });
/** Unix milliseconds. Few answers have them. */
const retryNotBeforeMs = fc.option(fc.integer({ min: 0, max: 2 ** 45 }));
const plain = { noNullPrototype: true } as const;
const answers = fc.oneof(
  fc.record(
    {
      kind: fc.constant("decided" as const),
      body: bodies,
      action: fc.constantFrom(...ACTIONS),
      decisionMode: fc.constantFrom(...DECISION_MODES),
      model: fc.constantFrom(...MODEL_VERSIONS),
      latencyMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      retryNotBeforeMs,
    },
    plain,
  ),
  fc.record(
    { kind: fc.constant("replayed" as const), body: bodies, bodyDiffers: fc.boolean(), retryNotBeforeMs },
    plain,
  ),
  fc.record({ kind: fc.constant("invalid" as const), body: bodies }, plain),
  fc.record(
    {
      kind: fc.constant("forbidden" as const),
      reason: fc.constantFrom("merchant_scope" as const, "unknown_merchant" as const),
    },
    plain,
  ),
  fc.constantFrom({ kind: "held" } as const, { kind: "failed" } as const, { kind: "unavailable" } as const),
);

describe("answers in a task's page", () => {
  it("come out as they went in, of every kind, in any script, page after page", () => {
    const page = createTaskPage();
    fc.assert(
      fc.property(fc.array(answers, { maxLength: TUNING.batchRequestsMax }), (batch) => {
        assert.deepEqual(roundTrip(batch, page), batch);
      }),
    );
  });

  it("answers that do not fit are sent as text, and those after them have the remaining room", () => {
    const page = createTaskPage();
    const long = "ü".repeat(TUNING.taskPageBytes / 4);
    const batch = [invalid("first"), invalid(long), invalid(long), invalid("x".repeat(1e6)), invalid("last")];
    const oversize = packAnswers(batch, page);
    assert.deepEqual([...(oversize?.keys() ?? [])], [2, 3]);
    assert.deepEqual(roundTrip(batch, page), batch);
  });

  it("a full batch of replies of usual length fits", () => {
    const usual = Array.from({ length: TUNING.batchRequestsMax }, (_, i) => invalid(String(i).padEnd(1300)));
    assert.equal(packAnswers(usual, createTaskPage()), null);
  });

  it("are the front's view of the page: nothing is copied", () => {
    const page = createTaskPage();
    const oversize = packAnswers([invalid("before")], page);
    const answer = unpackAnswer(page, { oversize, retryNotBefore: null }, 0);
    assert.ok("body" in answer && answer.body instanceof Uint8Array);
    assert.equal(answer.body.buffer, page.bytes.buffer);
  });
});
