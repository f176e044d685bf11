import {
  ACTIONS,
  DECISION_MODES,
  MODEL_VERSIONS,
  type Action,
  type DecisionMode,
  type ModelVersion,
} from "../../../domain/vocabulary/vocabulary.js";
import { unreachable } from "../../../domain/vocabulary/unreachable.js";
import type { AnswerBody, DecideAnswer, DecideReply, OversizeBodies, RetryTimes } from "./messages.js";
import { ANSWERS_AT, type TaskPage } from "./task-page.js";

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
