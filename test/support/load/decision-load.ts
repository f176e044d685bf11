import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { closeLater } from "../closing.js";
import { attemptRequest, type HttpReply } from "../http/http-request.js";
import { decisionBody } from "../service/service.js";

export interface DecisionLoadOptions {
  url: string;
  key: string;
  /** Requests started per second, as long as a connection is free. */
  ratePerSecond?: number;
  connections?: number;
}

/** The results of a run, as a merchant's backend knows them. */
export interface DecisionLoad {
  /** Every order id of this run starts with it. */
  prefix: string;
  /** decision_id → order id, for every decision that was answered with 200. */
  acknowledged: ReadonlyMap<string, string>;
  /** Idempotency-Key → the text of the last 200 for it, and its order id. */
  keyed: ReadonlyMap<string, { orderId: string; text: string }>;
  /** Answers by status. */
  statuses: ReadonlyMap<number, number>;
  /** The number of requests without an answer. */
  unanswered(): number;
  /** Unanswered requests by reason: `ECONNREFUSED` if nobody listened, another word if a connection broke. */
  breaks: ReadonlyMap<string, number>;
  /** Each unanswered request with the time it was sent, by `performance.now()`. */
  broken: readonly { reason: string; startedMs: number }[];
  /** Keys that got two different 200s. */
  contradictions: readonly string[];
  /** The slowest answer since the last call, in milliseconds. */
  takeSlowestMs(): number;
  /** Stops sending, and resolves once the requests in flight have ended. */
  stop(): Promise<void>;
}

const TICK_MS = 10;
/** Every third request carries an Idempotency-Key. It is sent again with that key until it is acknowledged. */
const KEYED_EVERY = 3;

let runs = 0;

/** Sends POST /v1/decision over keep-alive connections and remembers every acknowledgement. */
export function startDecisionLoad(options: DecisionLoadOptions): DecisionLoad {
  const { url, key, ratePerSecond = 600, connections = 24 } = options;
  const agent = new (url.startsWith("https:") ? TlsAgent : Agent)({
    keepAlive: true,
    maxSockets: connections,
  });
  const prefix = `load${process.pid}.${runs++}.`;
  const acknowledged = new Map<string, string>();
  const keyed = new Map<string, { orderId: string; text: string }>();
  const statuses = new Map<number, number>();
  const breaks = new Map<string, number>();
  const broken: { reason: string; startedMs: number }[] = [];
  const contradictions: string[] = [];
  const again: number[] = [];
  let unanswered = 0;
  let slowestMs = 0;
  let next = 0;
  let inFlight = 0;
  let owed = 0;
  let idle: (() => void) | null = null;

  const send = async (n: number): Promise<void> => {
    const orderId = prefix + n;
    const idempotencyKey = n % KEYED_EVERY === 0 ? orderId : null;
    const startedMs = performance.now();
    const reply = await attemptDecision({
      url,
      key,
      agent,
      body: decisionBody({ order_id: orderId }),
      idempotencyKey,
    });
    if (typeof reply === "string") {
      unanswered++;
      breaks.set(reply, (breaks.get(reply) ?? 0) + 1);
      broken.push({ reason: reply, startedMs });
    } else {
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    }
    if (typeof reply === "string" || reply.status !== 200) {
      if (idempotencyKey !== null) again.push(n);
      return;
    }
    acknowledged.set((JSON.parse(reply.text) as { decision_id: string }).decision_id, orderId);
    if (idempotencyKey === null) return;
    const first = keyed.get(idempotencyKey);
    if (first !== undefined && first.text !== reply.text) contradictions.push(idempotencyKey);
    keyed.set(idempotencyKey, { orderId, text: reply.text });
  };

  const timer = setInterval(() => {
    owed = Math.min(owed + (ratePerSecond * TICK_MS) / 1000, connections);
    for (; owed >= 1 && inFlight < connections; owed--) {
      inFlight++;
      void send(again.shift() ?? next++).finally(() => {
        inFlight--;
        if (inFlight === 0) idle?.();
      });
    }
  }, TICK_MS);

  // A failing test must stop its load, or its file would never end.
  closeLater(() => clearInterval(timer));

  return {
    prefix,
    acknowledged,
    keyed,
    statuses,
    contradictions,
    unanswered: () => unanswered,
    breaks,
    broken,
    takeSlowestMs() {
      const taken = slowestMs;
      slowestMs = 0;
      return taken;
    },
    async stop() {
      clearInterval(timer);
      if (inFlight > 0) await new Promise<void>((resolve) => (idle = resolve));
      agent.destroy();
    },
  };
}

export interface DecisionPost {
  url: string;
  key: string;
  agent?: Agent;
  body: unknown;
  idempotencyKey?: string | null;
}

/** Sends one decision request. Null if no answer came. */
export async function postDecision(post: DecisionPost): Promise<HttpReply | null> {
  const reply = await attemptDecision(post);
  return typeof reply === "string" ? null : reply;
}

/** Returns the answer, or the reason why there is none. */
function attemptDecision({
  url,
  key,
  agent,
  body,
  idempotencyKey,
}: DecisionPost): Promise<HttpReply | string> {
  return attemptRequest({
    url: `${url}/v1/decision`,
    ...(agent === undefined ? {} : { agent }),
    body,
    headers: {
      "x-api-key": key,
      ...(idempotencyKey === null || idempotencyKey === undefined
        ? {}
        : { "idempotency-key": idempotencyKey }),
    },
  });
}
