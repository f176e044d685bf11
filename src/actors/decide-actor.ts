import type { Validator } from "../api/body-validator.js";
import { validationErrorBody } from "../api/validation-issue.js";
import { decide } from "../decision/decide.js";
import { renderEvaluations } from "../decision/evaluations-record.js";
import { renderDecision } from "../decision/render.js";
import { roundLatency } from "../decision/response.js";
import { renderSeen } from "../decision/seen.js";
import { replyKey, type FirstReply, type StoredReply } from "../idempotency/reply-store.js";
import { createBatchEncoder } from "../journal/batch-codec.js";
import type { CostRecord } from "../journal/cost-record.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { CostComparison } from "../pricing/cost-comparison.js";
import type { DecisionRequest } from "../shared/decision-request.js";
import { idTimeMs, type IdGenerator } from "../shared/ids.js";
import { toDecisionContext, type DecisionContexts } from "./decision-contexts.js";
import { toCost, toRecord, toRetryRecord } from "./decision-records.js";
import type { HealthRecorder, RecordedHealth } from "./health-recorder.js";
import { packAnswers } from "./packed-answers.js";
import type { DecideAnswer, DecideReply, DecideTask, DecisionCaller } from "./messages.js";

export interface DecideActorOptions {
  validator: Validator<DecisionRequest>;
  contexts: DecisionContexts;
  health: HealthRecorder;
  ids: IdGenerator;
  /** Null in the bench row without persistence only. */
  journal: Journal | null;
  /** Unix milliseconds. */
  now(): number;
  /** See shared/clock.ts. */
  monotonicMs(): number;
}

/** A decision that is answered once its batch is committed. */
interface Candidate {
  index: number;
  /** Null without an Idempotency-Key. */
  replyKey: string | null;
  body: string;
  reply: string;
  record: DecisionRecord;
  /** Null without real pricing. */
  cost: CostComparison | null;
  /** Null without a previous attempt. */
  retry: RetryRecord | null;
  /** What it saw; journalled with it unless it has been. */
  health: RecordedHealth;
  answer: DecideAnswer;
}

/** The body of a decide worker: one batch in, one batch of finished answers out, journalled in between. */
export function createDecideActor(options: DecideActorOptions): (task: DecideTask) => DecideReply {
  const { validator, contexts, ids, journal } = options;
  const encoder = createBatchEncoder();

  const decideOne = (task: DecideTask, index: number, nowMs: number): DecideAnswer | Candidate => {
    const caller = task.callers[task.caller[index] as number] as DecisionCaller;
    const body = task.bodies[index] as string;
    const parsed = validator.parse(body);
    if (!parsed.ok) return { kind: "invalid", body: validationErrorBody(parsed.issues) };
    const request = parsed.value;
    if (caller.merchantScope !== null && caller.merchantScope !== request.merchant_id) {
      return { kind: "forbidden", reason: "merchant_scope" };
    }
    const merchant = contexts.merchant(caller.workspaceId, caller.mode, request.merchant_id);
    if (merchant === null) return { kind: "forbidden", reason: "unknown_merchant" };

    const { transaction } = request;
    const seen = contexts.health(caller.workspaceId, caller.mode);
    const decisionId = `dec_${ids.next(nowMs)}`;
    // The id's own time, which a clock that stepped back leaves ahead of `nowMs`: it is the one a replay finds.
    const decidedAtMs = idTimeMs(decisionId);
    const context = toDecisionContext(merchant, seen, transaction.currency, decidedAtMs);
    const decision = decide({
      request,
      context,
      mode: caller.mode,
      decisionId,
      nowMs: decidedAtMs,
    });
    const health = options.health.of(context.health, transaction.payment_method, transaction.currency);
    // Whatever the clocks of two threads say, no latency is below zero: a record of one could not be written.
    const latencyMs = roundLatency(Math.max(0, options.monotonicMs() - (task.receivedAtMs[index] as number)));
    const reply = renderDecision(decision, latencyMs);
    const idempotencyKey = task.idempotencyKeys[index] as string | null;
    return {
      index,
      replyKey:
        idempotencyKey === null
          ? null
          : replyKey(caller.workspaceId, caller.mode, request.merchant_id, idempotencyKey),
      body,
      reply,
      record: toRecord(
        caller.workspaceId,
        request,
        decision,
        latencyMs,
        // In parts: joined, the text would be copied once more before it is written.
        [
          '{"request":',
          body,
          ',"response":',
          reply,
          `,"evaluations":${renderEvaluations(decision.evaluations)}`,
          `,"provider_health_source":"${decision.providerHealthSource}","seen":${renderSeen(context, transaction, options.health.providers, health.name)}}`,
        ],
      ),
      cost: toCost(decision),
      retry: toRetryRecord(caller.workspaceId, request, decision),
      health,
      answer: {
        kind: "decided",
        body: reply,
        action: decision.instruction.action,
        decisionMode: decision.decisionMode,
        model: decision.model.version,
        latencyMs,
      },
    };
  };

  /** Commits records and replies together. A key that has its reply already is answered with it, and not recorded. */
  const commit = (
    journalled: Journal,
    candidates: readonly Candidate[],
    answers: DecideAnswer[],
    nowMs: number,
  ): number => {
    const healthGroups: RecordedHealth[] = [];
    const sequence = journalled.transaction(() => {
      const records: DecisionRecord[] = [];
      const costs: CostRecord[] = [];
      const retries: RetryRecord[] = [];
      const firstReplies = new Map<string, FirstReply>();
      const findReply = (key: string, body: string): StoredReply | null => {
        const first = firstReplies.get(key);
        return first === undefined
          ? journalled.replies.find(key, body, nowMs)
          : { body: first.reply, bodyDiffers: first.requestBody !== body };
      };
      for (const { index, replyKey: key, body, reply, record, cost, retry, health, answer } of candidates) {
        const stored = key === null ? null : findReply(key, body);
        if (stored !== null) {
          answers[index] = { kind: "replayed", body: stored.body, bodyDiffers: stored.bodyDiffers };
          continue;
        }
        if (key !== null) firstReplies.set(key, { key, requestBody: body, reply });
        if (cost !== null) costs.push({ ...cost, decisionAt: records.length });
        records.push(record);
        if (retry !== null) retries.push(retry);
        if (!health.journalled && !healthGroups.includes(health)) healthGroups.push(health);
        answers[index] = answer;
      }
      if (records.length === 0) return 0;
      journalled.replies.store([...firstReplies.values()], nowMs);
      return journalled.append(
        encoder.encode(records, { healthGroups, costs, retries }),
        records.length + healthGroups.length + costs.length + retries.length,
      );
    });
    // Not before the commit: what was rolled back is journalled with the next decision that saw it.
    for (const group of healthGroups) group.journalled = true;
    return sequence;
  };

  return (task) => {
    contexts.refresh();
    const nowMs = options.now();
    const answers: DecideAnswer[] = [];
    const candidates: Candidate[] = [];
    let bug: string | null = null;
    for (let index = 0; index < task.bodies.length; index++) {
      try {
        const result = decideOne(task, index, nowMs);
        if ("record" in result) candidates.push(result);
        answers.push("record" in result ? result.answer : result);
      } catch (error) {
        // A bug that one request meets must not reach the others of its batch.
        bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
        answers.push({ kind: "failed" });
      }
    }
    let sequence = 0;
    let journalError: string | null = null;
    if (journal !== null && candidates.length > 0) {
      try {
        sequence = commit(journal, candidates, answers, nowMs);
      } catch (error) {
        // A full disk or a full journal: nothing of this batch is recorded, so none of it is acknowledged.
        journalError = String(error);
        for (const { index } of candidates) answers[index] = { kind: "unavailable" };
      }
    }
    return { answers: packAnswers(answers), sequence, journalError, bug };
  };
}
