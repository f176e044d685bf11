import type { Validator } from "../../platform/wire/body-validator.js";
import { validationErrorBody } from "../../platform/wire/validation-issue.js";
import { decide } from "../../domain/decision/decide.js";
import type { Decision, DecisionContext } from "../../domain/decision/decision.js";
import { seenBy } from "../../domain/decision/seen.js";
import { writeDocument, type HealthRecorder } from "../document/decision-document.js";
import { writeReply } from "../document/reply.js";
import { replyKey } from "../idempotency/reply-store.js";
import type { Journal } from "../journal/journal.js";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import type { DecisionIds } from "../../domain/ids/decision-id.js";
import { roundTo2 } from "../../domain/vocabulary/rounding.js";
import { createBatchCommit, type Candidate, type SharedIdempotency } from "./batch-commit.js";
import { CountedAttempts, isAttempt, retryNotBeforeMs } from "./counted-attempts.js";
import { toDecisionContext, type DecisionContexts } from "./context/decision-contexts.js";
import type { DecideAnswer, DecideReply, DecideTask } from "./pool/messages.js";
import { type TaskPage, unpackRequest, type DecideRequest } from "./pool/shared-memory.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import { retryNumber, type KnownAttempts } from "../../domain/decision/scheme-retry.js";
import type { RetryRecord } from "../journal/retry-record.js";
import { previousOutcome } from "../../domain/outcomes/normalize-outcome.js";
import { compareCosts, type CostComparison } from "../../domain/pricing/cost-comparison.js";

const UNAVAILABLE = { kind: "unavailable" } as const satisfies DecideAnswer<string>;

export interface DecideActorOptions {
  validator: Validator<DecisionRequest>;
  contexts: DecisionContexts;
  health: HealthRecorder;
  /** Null until the node knows its number. Until then, requests are answered `unavailable`. */
  decisionIds(): DecisionIds | null;
  /** The pages of the pool. Each task names its page. */
  pages: readonly TaskPage[];
  /** Null only in the bench without persistence. */
  journal: Journal | null;
  /** Null if this node does not share idempotency with other nodes. */
  shared: SharedIdempotency | null;
  /** Unix milliseconds. */
  now(): number;
  /** The clock of platform/timing/clock.ts. */
  monotonicMs(): number;
}

/** A request of a batch. */
interface Asked {
  request: DecideRequest;
  /** The request's position in the batch. */
  index: number;
  ids: DecisionIds;
  /** The task slot of the batch, which is also the number of its page. */
  slot: number;
}

/** A decision with its inputs and its answer. */
interface Made extends Pick<Candidate, "answer" | "counting"> {
  request: DecisionRequest;
  context: DecisionContext;
  decision: Decision;
}

/** Makes the journal's record of a decision. `doc` is the decision's document in parts. */
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
    country: request.transaction.country,
    cardNetwork: request.transaction.card_network ?? null,
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

/** Compares the costs of a decision. Null without real pricing. */
function toCost({ model, evaluations }: Decision): CostComparison | null {
  // Most decisions are deterministic-v1, which has no costs to compare.
  if (model.price === null) return null;
  return compareCosts(
    model.price.quote,
    evaluations.map(({ quote }) => quote),
  );
}

/**
 * Makes the record of a retry. Null without a previous attempt. `known` has the order's attempts, if they are counted.
 */
function toRetryRecord(
  workspaceId: string,
  { previous_attempt: attempt }: DecisionRequest,
  { decisionId, mode }: Decision,
  known: KnownAttempts | undefined,
): RetryRecord | null {
  if (attempt === undefined) return null;
  const failedOutcome = previousOutcome(attempt);
  const retry = { workspaceId, decisionId, mode, failedProvider: attempt.provider, failedOutcome };
  const code = attempt.provider_reason_code;
  // RTRY-19: if attempts are counted, the service learns the retry's result by code and attempt number.
  return known === undefined || code === undefined ? retry : { ...retry, code, attempt: retryNumber(known) };
}

/** Prepares the parts of a decision that are stored. */
function toCandidate(
  { request: { caller, body, idempotencyKey }, index }: Asked,
  recorder: HealthRecorder,
  { request, context, decision, answer, counting }: Made,
): Candidate {
  const { workspaceId, mode } = caller;
  const { transaction, merchant_id: merchantId } = request;
  const health = recorder.of(context.health, transaction.payment_method, transaction.currency);
  const retry = counting?.counted.recorded(decision.schemeRetry);
  const seen = seenBy(context, transaction, decision.evaluations, recorder.providers, health.name, retry);
  const document = writeDocument(body, answer.body, decision, seen);
  return {
    index,
    replyKey: idempotencyKey === null ? null : replyKey(workspaceId, mode, merchantId, idempotencyKey),
    body,
    record: toRecord(workspaceId, request, decision, answer.latencyMs, document),
    cost: toCost(decision),
    retry: toRetryRecord(workspaceId, request, decision, counting?.counted.known()),
    health,
    counting,
    answer,
  };
}

/**
 * The body of a decide worker. It takes one batch of requests, decides and journals them, and returns their answers.
 */
export function createDecideActor(
  options: DecideActorOptions & { shared: null },
): (task: DecideTask) => DecideReply;
export function createDecideActor(
  options: DecideActorOptions,
): (task: DecideTask) => DecideReply | Promise<DecideReply>;
export function createDecideActor(
  options: DecideActorOptions,
): (task: DecideTask) => DecideReply | Promise<DecideReply> {
  const { validator, contexts, journal, shared } = options;
  /** `list` contains the order's attempts. Null if they are not known yet. */
  const decideOne = (asked: Asked, nowMs: number, list: Buffer | null): DecideAnswer<string> | Candidate => {
    const { caller, body, receivedAtMs } = asked.request;
    const { ids } = asked;
    const parsed = validator.parse(body);
    if (!parsed.ok) return { kind: "invalid", body: validationErrorBody(parsed.issues) };
    const request = parsed.value;
    if (caller.merchantScope !== null && caller.merchantScope !== request.merchant_id) {
      return { kind: "forbidden", reason: "merchant_scope" };
    }
    const merchant = contexts.merchant(caller.workspaceId, caller.mode, request.merchant_id);
    if (merchant === null) return { kind: "forbidden", reason: "unknown_merchant" };

    const healthView = contexts.health(caller.workspaceId, caller.mode);
    let owner = merchant.idOwner;
    if (owner?.ids !== ids) {
      owner = merchant.idOwner = ids.owner(caller.workspaceId, caller.mode, request.merchant_id);
    }
    const { lane } = options.pages[asked.slot] as TaskPage;
    const decisionId = ids.next(nowMs, lane, owner, request.order_id);
    // The time inside the id. If the clock stepped back, it is later than `nowMs`. A replay also takes the time from
    // the id.
    const decidedAtMs = ids.lastMs();
    const context = toDecisionContext(merchant, healthView, request.transaction, decidedAtMs);
    // RTRY-14: attempts are looked up only for merchants whose policy counts them.
    const counts = journal !== null && merchant.policy?.compiled.countsAttempts === true;
    const recoveriesOf = () => contexts.recoveries(caller.workspaceId, caller.mode);
    const counted = counts ? CountedAttempts.of(journal, caller, request, list, recoveriesOf) : null;
    const attempts = counted?.known();
    const { mode } = caller;
    const decision = decide({ request, context, mode, decisionId, nowMs: decidedAtMs, attempts });
    // The clocks of two threads may differ, but a negative latency could not be written to the record.
    const latencyMs = roundTo2(Math.max(0, options.monotonicMs() - receivedAtMs));
    const { action } = decision.instruction;
    const answer: Candidate["answer"] = {
      kind: "decided",
      body: writeReply(decision, latencyMs),
      action,
      decisionMode: decision.decisionMode,
      model: decision.model.version,
      latencyMs,
      retryNotBeforeMs: counted === null ? null : retryNotBeforeMs(action, decision.schemeRetry),
    };
    // Without a journal nothing is stored, so no record is needed.
    if (journal === null) return answer;
    const counting = counted && {
      counted,
      isAttempt: isAttempt(action),
      decideAgain: (newest: Buffer) => decideAgain(asked, newest),
    };
    return toCandidate(asked, options.health, { request, context, decision, answer, counting });
  };

  /** RTRY-14: repeats a decision inside the commit's transaction, after the whole batch was decided. */
  const decideAgain = (asked: Asked, list: Buffer): DecideAnswer<string> | Candidate => {
    contexts.refresh();
    try {
      return decideOne(asked, options.now(), list);
    } finally {
      contexts.release();
    }
  };

  const commitBatch = createBatchCommit(journal, shared);

  return (task) => {
    contexts.refresh();
    const nowMs = options.now();
    options.health.begin(nowMs);
    const ids = options.decisionIds();
    const page = options.pages[task.page] as TaskPage;
    const answers: DecideAnswer<string>[] = [];
    const candidates: Candidate[] = [];
    let bug: string | null = null;
    for (let index = 0; index < task.bodies.length; index++) {
      try {
        const request = unpackRequest(task, page, index);
        const result =
          ids === null ? UNAVAILABLE : decideOne({ request, index, ids, slot: task.page }, nowMs, null);
        if ("record" in result) candidates.push(result);
        answers.push("record" in result ? result.answer : result);
      } catch (error) {
        // A bug that one request triggers must not affect the other requests of its batch.
        bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
        answers.push({ kind: "failed" });
      }
    }
    contexts.release();
    return commitBatch(candidates, answers, nowMs, bug, page);
  };
}
