import {
  beginLane,
  LANE_WORDS,
  type DecisionIdLane,
  createDecisionIds,
  DECISION_ID_KEY_BYTES,
  type DecisionIds,
} from "../../../domain/ids/decision-id.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type {
  DecideTask,
  DecisionCaller,
  AnswerBody,
  DecideAnswer,
  DecideReply,
  OversizeBodies,
  RetryTimes,
} from "./messages.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODEL_VERSIONS,
  type Action,
  type DecisionMode,
  type ModelVersion,
} from "../../../domain/vocabulary/vocabulary.js";
import { unreachable } from "../../../domain/vocabulary/unreachable.js";

/**
 * Memory that the front thread and all decide workers share, with one page for each task slot. A worker writes
 * finished answers into the page, and the front sends them from there. As strings in a message, each answer would be
 * copied into the message, out of it, and into bytes. The numbers of a request are in the page too, because a message
 * would write and read each number as a separate value (bench (c) is 1.03 times as fast this way).
 *
 * The page belongs to the worker from the task's message until its reply. Before and after that it belongs to the
 * front, until the task's slot is free again. The messages order the memory accesses of the two threads.
 *
 * Layout: for each request, the index of its caller (u32) and its time of arrival (f64). The answer overwrites these
 * with its code (packed-answers.ts) and the end of its bytes (u32 each), and with its latency (f64). Then follow the
 * lane of the page's decision ids, and the bytes of all answers, without gaps.
 */
export interface TaskPage {
  /** Two words for each request. */
  readonly words: Uint32Array;
  /** One time for each request, in milliseconds. */
  readonly timesMs: Float64Array;
  /** The lane of ids for the decisions of this page's tasks, whichever worker has the task. */
  readonly lane: DecisionIdLane;
  /** All bytes of the page, including the other fields' memory. */
  readonly bytes: Buffer;
}

const WORDS_BYTES = TUNING.batchRequestsMax * 2 * Uint32Array.BYTES_PER_ELEMENT;
const TIMES_BYTES = TUNING.batchRequestsMax * Float64Array.BYTES_PER_ELEMENT;
const LANE_AT = WORDS_BYTES + TIMES_BYTES;
/** The offset at which the answers' bytes begin. */
const ANSWERS_AT = LANE_AT + LANE_WORDS * Int32Array.BYTES_PER_ELEMENT;

/**
 * Allocates `count` pages. The lane of each page has the number of its slot. The operating system provides a page's
 * memory only when it is first written.
 */
export function allocateTaskPages(count: number): SharedArrayBuffer[] {
  return Array.from({ length: count }, (_, slot) => {
    const memory = new SharedArrayBuffer(TUNING.taskPageBytes);
    beginLane(new Int32Array(memory, LANE_AT, LANE_WORDS), slot, count);
    return memory;
  });
}

export function openTaskPage(memory: SharedArrayBuffer): TaskPage {
  return {
    words: new Uint32Array(memory, 0, TUNING.batchRequestsMax * 2),
    timesMs: new Float64Array(memory, WORDS_BYTES, TUNING.batchRequestsMax),
    lane: new Int32Array(memory, LANE_AT, LANE_WORDS),
    bytes: Buffer.from(memory),
  };
}

/** What a decide worker gets of a request. */
export interface DecideRequest {
  caller: DecisionCaller;
  body: string;
  idempotencyKey: string | null;
  /** When the last byte of the body was received (`monotonicMs`). */
  receivedAtMs: number;
}

/**
 * Packs requests into the task of a slot, with their numbers in the slot's page. Pack them again for each attempt: a
 * worker that died may have overwritten numbers with answers.
 */
export function packRequests(requests: readonly DecideRequest[], slot: number, page: TaskPage): DecideTask {
  // A grant contains more than a worker needs. So each distinct grant is reduced, one time per batch.
  const grants: DecisionCaller[] = [];
  const callers: DecisionCaller[] = [];
  const bodies: string[] = [];
  let idempotencyKeys: (string | null)[] | null = null;
  for (let index = 0; index < requests.length; index++) {
    const { caller, body, idempotencyKey, receivedAtMs } = requests[index] as DecideRequest;
    let at = grants.indexOf(caller);
    if (at === -1) {
      at = grants.push(caller) - 1;
      const { workspaceId, mode, merchantScope } = caller;
      callers.push({ workspaceId, mode, merchantScope });
    }
    page.words[2 * index] = at;
    page.timesMs[index] = receivedAtMs;
    bodies.push(body);
    if (idempotencyKey !== null) {
      idempotencyKeys ??= requests.map(() => null);
      idempotencyKeys[index] = idempotencyKey;
    }
  }
  return { page: slot, callers, bodies, idempotencyKeys };
}

/** Returns the request at an index, from what `packRequests` wrote. Use it only until the task's answers are packed. */
export function unpackRequest(task: DecideTask, page: TaskPage, index: number): DecideRequest {
  return {
    caller: task.callers[page.words[2 * index] as number] as DecisionCaller,
    body: task.bodies[index] as string,
    idempotencyKey: task.idempotencyKeys?.[index] ?? null,
    receivedAtMs: page.timesMs[index] as number,
  };
}

/**
 * The kinds of answers. An answer's code has its kind in the low three bits. What the higher bits mean depends on the
 * kind. For `decided` they are action, decision mode and model, by their positions in the vocabulary. For `replayed`
 * they tell whether the body differs. For `forbidden` they are the reason.
 */
const KINDS = [
  "decided",
  "replayed",
  "invalid",
  "forbidden",
  "unavailable",
  "failed",
  "held",
] as const satisfies DecideAnswer["kind"][];
const REASONS = ["merchant_scope", "unknown_merchant"] as const;
const KIND_BITS = 3;
const ACTION_BITS = 3;
const UTF8_BYTES_PER_UNIT_MAX = 3;

/** Writes answers into the page. Returns the bodies that did not fit. */
export function packAnswers(answers: readonly DecideAnswer<string>[], page: TaskPage): OversizeBodies | null {
  const { words, timesMs, bytes } = page;
  let oversize: Map<number, string> | null = null;
  let end = ANSWERS_AT;
  for (let index = 0; index < answers.length; index++) {
    const answer = answers[index] as DecideAnswer<string>;
    if ("body" in answer) {
      const { body } = answer;
      if (end + body.length * UTF8_BYTES_PER_UNIT_MAX <= bytes.length) end += bytes.write(body, end, "utf8");
      else (oversize ??= new Map()).set(index, body);
    }
    words[2 * index] = (detailOf(answer) << KIND_BITS) | KINDS.indexOf(answer.kind);
    words[2 * index + 1] = end;
    timesMs[index] = answer.kind === "decided" ? answer.latencyMs : 0;
  }
  return oversize;
}

/** The times for the answers' retry headers. Null if no answer has one, which is the usual case. */
export function retryTimesOf(answers: readonly DecideAnswer<string>[]): RetryTimes | null {
  let times: Map<number, number> | null = null;
  for (let index = 0; index < answers.length; index++) {
    const answer = answers[index] as DecideAnswer<string>;
    if (answer.kind !== "decided" && answer.kind !== "replayed") continue;
    if (answer.retryNotBeforeMs !== null) (times ??= new Map()).set(index, answer.retryNotBeforeMs);
  }
  return times;
}

function detailOf(answer: DecideAnswer<string>): number {
  if (answer.kind === "replayed") return answer.bodyDiffers ? 1 : 0;
  if (answer.kind === "forbidden") return REASONS.indexOf(answer.reason);
  if (answer.kind !== "decided") return 0;
  const modes = (MODEL_VERSIONS.indexOf(answer.model) << 1) | DECISION_MODES.indexOf(answer.decisionMode);
  return (modes << ACTION_BITS) | ACTIONS.indexOf(answer.action);
}

/** Returns the answer at an index, from what `packAnswers` and `retryTimesOf` wrote. */
export function unpackAnswer(
  page: TaskPage,
  { oversize, retryNotBefore: retryTimes }: Pick<DecideReply, "oversize" | "retryNotBefore">,
  index: number,
): DecideAnswer {
  const code = page.words[2 * index] as number;
  const detail = code >> KIND_BITS;
  const kind = KINDS[code & ((1 << KIND_BITS) - 1)];
  switch (kind) {
    case "decided": {
      const modes = detail >> ACTION_BITS;
      return {
        kind: "decided",
        body: bodyAt(page, oversize, index),
        action: ACTIONS[detail & ((1 << ACTION_BITS) - 1)] as Action,
        decisionMode: DECISION_MODES[modes & 1] as DecisionMode,
        model: MODEL_VERSIONS[modes >> 1] as ModelVersion,
        latencyMs: page.timesMs[index] as number,
        retryNotBeforeMs: retryTimes?.get(index) ?? null,
      };
    }
    case "replayed":
      return {
        kind: "replayed",
        body: bodyAt(page, oversize, index),
        bodyDiffers: detail === 1,
        retryNotBeforeMs: retryTimes?.get(index) ?? null,
      };
    case "invalid":
      return { kind: "invalid", body: bodyAt(page, oversize, index) };
    case "forbidden":
      return { kind: "forbidden", reason: REASONS[detail] as (typeof REASONS)[number] };
    case "failed":
      return { kind: "failed" };
    case "held":
      return { kind: "held" };
    case "unavailable":
    case undefined:
      return { kind: "unavailable" };
    default:
      return unreachable(kind);
  }
}

function bodyAt({ words, bytes }: TaskPage, oversize: OversizeBodies | null, index: number): AnswerBody {
  const text = oversize?.get(index);
  if (text !== undefined) return text;
  const start = index === 0 ? ANSWERS_AT : (words[2 * index - 1] as number);
  return new Uint8Array(bytes.buffer, start, (words[2 * index + 1] as number) - start);
}

/** Copies the body as text. Use it to keep an answer after it is settled, because the page is reused then. */
export function bodyText(body: AnswerBody): string {
  if (typeof body === "string") return body;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}

/**
 * The inputs of decision ids: a key that all nodes of one database share, and a number that belongs to this node alone.
 */
export interface DecisionIdentity {
  node: number;
  /** DECISION_ID_KEY_BYTES bytes. */
  key: Uint8Array;
}

/*
 * The memory by which the front thread passes the identity to the decide workers, because a node may learn its number
 * after its workers have started. Layout: version u32 (0 while the identity is unknown) · node u32 · the key.
 */
const VERSION = 0;
const NODE = 1;
const KEY_AT = 2 * Uint32Array.BYTES_PER_ELEMENT;

export interface SharedIdentity {
  readonly memory: SharedArrayBuffer;
  /** Sets the identity for all threads. Workers use it from their next batch on. */
  set(identity: DecisionIdentity): void;
}

export function createSharedIdentity(): SharedIdentity {
  const memory = new SharedArrayBuffer(KEY_AT + DECISION_ID_KEY_BYTES);
  const words = new Int32Array(memory, 0, 2);
  return {
    memory,
    set({ node, key }) {
      new Uint8Array(memory).set(key, KEY_AT);
      words[NODE] = node;
      Atomics.add(words, VERSION, 1);
    },
  };
}

/**
 * Returns a function that reads the identity last given to `set`. It returns null before the first `set`, and the same
 * object until the identity changes.
 */
export function createIdentityReader(memory: SharedArrayBuffer): () => DecisionIds | null {
  const words = new Int32Array(memory, 0, 2);
  let version = 0;
  let ids: DecisionIds | null = null;
  return () => {
    const now = Atomics.load(words, VERSION);
    if (now !== version) {
      version = now;
      const key = Uint8Array.from(new Uint8Array(memory, KEY_AT, DECISION_ID_KEY_BYTES));
      ids = createDecisionIds(key, words[NODE] as number);
    }
    return ids;
  };
}
