import type { Validator } from "../api/body-validator.js";
import { validationErrorBody } from "../api/validation-issue.js";
import { decide } from "../decision/decide.js";
import type { Decision } from "../decision/decision.js";
import { renderEvaluations } from "../decision/evaluations-record.js";
import { renderDecision } from "../decision/render.js";
import { roundLatency } from "../decision/response.js";
import { renderSeen } from "../decision/seen.js";
import type { CacheRoundTrip } from "../cache/round-trip.js";
import { bodyHashOf, replyKey } from "../idempotency/reply-store.js";
import type { SharedReplies } from "../idempotency/shared-replies.js";
import { createBatchEncoder } from "../journal/batch-codec.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { DecisionRequest } from "../shared/decision-request.js";
import { idTimeMs, type IdGenerator } from "../shared/ids.js";
import { LIMITS } from "../shared/limits.js";
import { toDecisionContext, type DecisionContexts } from "./decision-contexts.js";
import type { HealthRecorder, RecordedHealth } from "./health-recorder.js";
import { packAnswers } from "./packed-answers.js";
import type { BatchReply, DecideAnswer, DecideReply, DecideTask, DecisionCaller } from "./messages.js";
import { claimKeys, shareReplies, type JournalledReply, type KeyedDecision } from "./shared-keys.js";

export interface DecideActorOptions {
  validator: Validator<DecisionRequest>;
  contexts: DecisionContexts;
  health: HealthRecorder;
  ids: IdGenerator;
  /** Null in the bench row without persistence only. */
  journal: Journal | null;
  /** Null where this node's idempotency is its own. */
  shared: SharedIdempotency | null;
  /** Unix milliseconds. */
  now(): number;
  /** See shared/clock.ts. */
  monotonicMs(): number;
}

/** CACHE_URL: the replies that all nodes share. */
export interface SharedIdempotency {
  replies: SharedReplies;
  /** The round trips since the last call. */
  takeRoundTrips(): CacheRoundTrip[];
}

/** A decision that is answered once its batch is committed. */
interface Candidate extends KeyedDecision {
  reply: string;
  record: DecisionRecord;
  /** What it saw; journalled with it unless it has been. */
  health: RecordedHealth;
  answer: DecideAnswer;
}

/** The body of a decide worker: one batch in, one batch of finished answers out, journalled in between. */
export function createDecideActor(
  options: DecideActorOptions & { shared: null },
): (task: DecideTask) => DecideReply;
export function createDecideActor(
  options: DecideActorOptions,
): (task: DecideTask) => DecideReply | Promise<DecideReply>;
export function createDecideActor(
  options: DecideActorOptions,
): (task: DecideTask) => DecideReply | Promise<DecideReply> {
  const { validator, contexts, ids, journal, shared } = options;
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

  /**
   * Commits records and replies together. A key that has its reply already is answered with it, and not recorded.
   * Where other nodes are to know, the replies go to `journalledReplies` too.
   */
  const commit = (
    journalled: Journal,
    candidates: readonly Candidate[],
    answers: DecideAnswer[],
    nowMs: number,
    journalledReplies: JournalledReply[] | null,
  ): number => {
    const healthGroups: RecordedHealth[] = [];
    const sequence = journalled.transaction(() => {
      const records: DecisionRecord[] = [];
      for (const { index, replyKey: key, body, reply, record, health, answer } of candidates) {
        if (key !== null) {
          const { workspaceId } = record;
          const requestHash = bodyHashOf(body);
          const stored = journalled.replies.find(key, nowMs);
          if (stored !== null) {
            const { bodyHash, expiresAtMs } = stored;
            answers[index] = { kind: "replayed", body: stored.body, bodyDiffers: bodyHash !== requestHash };
            const leftMs = expiresAtMs - nowMs;
            journalledReplies?.push({ ...stored, index, workspaceId, replyKey: key, requestHash, leftMs });
            continue;
          }
          journalled.replies.store(key, requestHash, reply, nowMs);
          journalledReplies?.push({
            index,
            workspaceId,
            replyKey: key,
            requestHash,
            bodyHash: requestHash,
            body: reply,
            leftMs: LIMITS.idempotencyWindowMs,
          });
        }
        records.push(record);
        if (!health.journalled && !healthGroups.includes(health)) healthGroups.push(health);
        answers[index] = answer;
      }
      if (records.length === 0) return 0;
      return journalled.append(encoder.encode(records, healthGroups), records.length + healthGroups.length);
    });
    // Not before the commit: what was rolled back is journalled with the next decision that saw it.
    for (const group of healthGroups) group.journalled = true;
    return sequence;
  };

  const finish = (
    candidates: readonly Candidate[],
    answers: DecideAnswer[],
    nowMs: number,
    journalledReplies: JournalledReply[] | null,
  ): Pick<BatchReply, "sequence" | "journalError"> => {
    let sequence = 0;
    let journalError: string | null = null;
    if (journal !== null && candidates.length > 0) {
      try {
        sequence = commit(journal, candidates, answers, nowMs, journalledReplies);
      } catch (error) {
        // A full disk or a full journal: nothing of this batch is recorded, so none of it is acknowledged.
        journalError = String(error);
        for (const { index } of candidates) answers[index] = { kind: "unavailable" };
      }
    }
    return { sequence, journalError };
  };

  /**
   * Claim, commit, share, in this order: no other node may replay what a killed process could still lose. The journal
   * stays this node's truth: it has the last word on a claimed key, and what the cache has forgotten comes back from it.
   */
  const finishShared = async (
    { replies, takeRoundTrips }: SharedIdempotency,
    candidates: readonly Candidate[],
    answers: DecideAnswer[],
    nowMs: number,
    bug: string | null,
  ): Promise<DecideReply> => {
    const { decided, ours } = await claimKeys(replies, candidates, answers);
    const journalledReplies: JournalledReply[] = [];
    const { sequence, journalError } = finish(
      decided,
      answers,
      nowMs,
      ours.length > 0 ? journalledReplies : null,
    );
    if (journalError !== null) void replies.release(ours);
    else if (journalledReplies.length > 0) await shareReplies(replies, journalledReplies, answers);
    return {
      answers: packAnswers(answers),
      sequence,
      journalError,
      bug,
      cacheRoundTrips: takeRoundTrips(),
    };
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
    if (shared !== null && shared.replies.isUp() && candidates.some(({ replyKey }) => replyKey !== null)) {
      return finishShared(shared, candidates, answers, nowMs, bug);
    }
    const { sequence, journalError } = finish(candidates, answers, nowMs, null);
    return { answers: packAnswers(answers), sequence, journalError, bug };
  };
}

function toRecord(
  workspaceId: string,
  request: DecisionRequest,
  decision: Decision,
  latencyMs: number,
  doc: readonly string[],
): DecisionRecord {
  return {
    workspaceId,
    decisionId: decision.decisionId,
    mode: decision.mode,
    decisionMode: decision.decisionMode,
    action: decision.instruction.action,
    paymentMethod: request.transaction.payment_method,
    riskBand: decision.risk.band,
    riskScore: decision.risk.score,
    amountMinor: request.transaction.amount,
    latencyMs,
    merchantId: request.merchant_id,
    orderId: request.order_id,
    currency: request.transaction.currency,
    primaryProvider: decision.instruction.route?.primaryProvider ?? "",
    fallbackProvider: decision.instruction.route?.fallbackProvider ?? "",
    doc,
  };
}
