import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { DecideAnswer } from "../../../../../src/path/decide/pool/messages.js";
import {
  bodyText,
  packAnswers,
  retryTimesOf,
  unpackAnswer,
} from "../../../../../src/path/decide/pool/packed-answers.js";
import type { TaskPage } from "../../../../../src/path/decide/pool/task-page.js";
import { TUNING } from "../../../../../src/domain/vocabulary/tuning.js";
import { ACTIONS, DECISION_MODES, MODEL_VERSIONS } from "../../../../../src/domain/vocabulary/vocabulary.js";
import { createTaskPage } from "../../../../support/service/actor-parts.js";

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
