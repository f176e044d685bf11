import { Agent } from "node:http";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLatencyHistogram, type LatencyHistogram } from "../../../bench/client/latency-histogram.js";
import type { Outcome } from "../../../src/domain/vocabulary/vocabulary.js";
import { attemptRequest, type HttpReply } from "../http/http-request.js";
import { openLedger, planDecision, type DecisionPlan, type MerchantLedger } from "./merchant-ledger.js";
import { decisionBody } from "../service/service.js";

export interface MerchantLoadOptions {
  url: string;
  /** A key with all scopes, in test mode. */
  key: string;
  /** The token of a session that may review. */
  reviewer: string;
  /** Requests started per second as long as a connection is free: decisions, outcomes and reviews together. */
  ratePerSecond?: number;
  connections?: number;
}

export interface MerchantLoad {
  ledger: MerchantLedger;
  /** Answers by kind and status: `decision 200`. */
  answers: ReadonlyMap<string, number>;
  /** Unanswered requests by reason: `ECONNREFUSED` if nobody listened, another word if a connection broke. */
  breaks: ReadonlyMap<string, number>;
  /** The latencies of decisions since the last call. */
  takeLatency(): LatencyHistogram;
  /**
   * Makes no new decisions, and resolves once every pending decision, outcome and review is acknowledged. Outcomes and
   * reviews are repeated until then.
   */
  finish(): Promise<void>;
  /** Stops sending, and resolves once the requests in flight have ended. */
  cut(): Promise<void>;
}

type Task =
  | { kind: "decision"; plan: DecisionPlan }
  | { kind: "outcome"; decisionId: string; plan: DecisionPlan; report: number }
  | { kind: "review"; decisionId: string; plan: DecisionPlan; attempts: number };

const TICK_MS = 10;
/** A payment takes some time before it has an outcome. A request that was not acknowledged is sent again later. */
const FOLLOW_UP_AFTER_MS = 100;
const RETRY_AFTER_MS = 500;
const FINISH_WITHIN_MS = 60_000;

let runs = 0;

/** A failing test must stop its load, or its file would never end. */
const timers = new Set<NodeJS.Timeout>();
after(() => timers.forEach((timer) => clearInterval(timer)));

/**
 * A merchant's backend on keep-alive connections. It decides, reports, reviews, and remembers every acknowledgement.
 */
export function startMerchantLoad(options: MerchantLoadOptions): MerchantLoad {
  const { url, key, reviewer, ratePerSecond = 500, connections = 32 } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ledger = openLedger(`merchant${process.pid}.${runs++}.`);
  const answers = new Map<string, number>();
  const breaks = new Map<string, number>();
  let latency = createLatencyHistogram();
  // All tasks of a queue wait for the same time, so the first task of a queue is always the next one due.
  const followUps = createQueue(FOLLOW_UP_AFTER_MS);
  const retries = createQueue(RETRY_AFTER_MS);
  let next = 0;
  let inFlight = 0;
  let owed = 0;
  let isFinishing = false;

  const asKey = { "x-api-key": key };
  const send = (task: Task): Promise<HttpReply | string> => {
    const { plan } = task;
    switch (task.kind) {
      case "decision": {
        const body = decisionBody({ order_id: plan.orderId });
        body["transaction"] = { ...(body["transaction"] as object), amount: plan.amount };
        const idempotency = plan.idempotencyKey === null ? {} : { "idempotency-key": plan.idempotencyKey };
        return attemptRequest({
          url: `${url}/v1/decision`,
          agent,
          body,
          headers: { ...asKey, ...idempotency },
        });
      }
      case "outcome":
        return attemptRequest({
          url: `${url}/v1/outcomes`,
          agent,
          headers: asKey,
          body: {
            decision_id: task.decisionId,
            order_id: plan.orderId,
            provider_used: "provider_1",
            outcome: plan.outcomes[task.report],
            provider_latency_ms: 150,
            amount: plan.amount,
            currency: "USD",
          },
        });
      case "review":
        return attemptRequest({
          url: `${url}/v1/decisions/${task.decisionId}/review?mode=test`,
          agent,
          headers: { authorization: `Bearer ${reviewer}` },
          body: { resolution: plan.review },
        });
    }
  };

  const reportNext = (decisionId: string, plan: DecisionPlan, report: number): void => {
    if (report < plan.outcomes.length) followUps.add({ kind: "outcome", decisionId, plan, report });
  };
  /** Records the acknowledgement of a task and queues the next task. */
  const acknowledge = (task: Task, text: string): void => {
    const { plan } = task;
    switch (task.kind) {
      case "decision": {
        const { decision_id: decisionId, action } = JSON.parse(text) as {
          decision_id: string;
          action: string;
        };
        ledger.acknowledged.set(decisionId, plan.orderId);
        if (plan.idempotencyKey !== null) {
          ledger.keyed.set(plan.idempotencyKey, { orderId: plan.orderId, text });
        }
        if (action === "hold") return followUps.add({ kind: "review", decisionId, plan, attempts: 0 });
        return reportNext(decisionId, plan, 0);
      }
      case "outcome":
        ledger.outcomes.set(task.decisionId, plan.outcomes[task.report] as Outcome);
        return reportNext(task.decisionId, plan, task.report + 1);
      case "review":
        ledger.reviews.set(task.decisionId, plan.review);
        if (plan.review === "approve") return reportNext(task.decisionId, plan, 0);
    }
  };
  const perform = async (task: Task): Promise<void> => {
    const startedMs = performance.now();
    const reply = await send(task);
    const count = typeof reply === "string" ? breaks : answers;
    const name = typeof reply === "string" ? reply : `${task.kind} ${reply.status}`;
    count.set(name, (count.get(name) ?? 0) + 1);
    if (typeof reply !== "string") {
      if (task.kind === "decision") latency.record(performance.now() - startedMs);
      if (reply.status === 200) return acknowledge(task, reply.text);
      // An earlier attempt stored the review, but its answer was lost.
      if (reply.status === 409 && task.kind === "review" && task.attempts > 0) return acknowledge(task, "");
      if (reply.status < 500) {
        ledger.contradictions.push(`${name}: ${reply.text}`);
        return;
      }
    }
    if (task.kind === "review") task.attempts++;
    // A decision without a key is not sent twice, because the first request may have made it.
    if (task.kind !== "decision" || task.plan.idempotencyKey !== null) retries.add(task);
  };
  const takeTask = (): Task | null =>
    retries.take() ??
    followUps.take() ??
    (isFinishing ? null : { kind: "decision", plan: planDecision(ledger.prefix, next++) });

  const timer = setInterval(() => {
    owed = Math.min(owed + (ratePerSecond * TICK_MS) / 1000, connections);
    while (owed >= 1 && inFlight < connections) {
      const task = takeTask();
      if (task === null) return;
      owed--;
      inFlight++;
      void perform(task).finally(() => inFlight--);
    }
  }, TICK_MS);
  timers.add(timer);

  const cut = async (): Promise<void> => {
    clearInterval(timer);
    while (inFlight > 0) await sleep(TICK_MS);
    agent.destroy();
  };
  return {
    ledger,
    answers,
    breaks,
    takeLatency() {
      const taken = latency;
      latency = createLatencyHistogram();
      return taken;
    },
    async finish() {
      isFinishing = true;
      const deadlineMs = performance.now() + FINISH_WITHIN_MS;
      while (inFlight + followUps.length() + retries.length() > 0) {
        if (performance.now() > deadlineMs) throw new Error("what was begun is never acknowledged");
        await sleep(TICK_MS);
      }
      await cut();
    },
    cut,
  };
}

/** A first-in first-out queue. Each task becomes due `delayMs` after it is added. */
function createQueue(delayMs: number) {
  let waiting: { task: Task; dueMs: number }[] = [];
  let taken = 0;
  return {
    length: () => waiting.length - taken,
    add(task: Task): void {
      waiting.push({ task, dueMs: performance.now() + delayMs });
    },
    take(): Task | null {
      const first = waiting[taken];
      if (first === undefined || first.dueMs > performance.now()) return null;
      if (++taken > 1000) {
        waiting = waiting.slice(taken);
        taken = 0;
      }
      return first.task;
    },
  };
}
