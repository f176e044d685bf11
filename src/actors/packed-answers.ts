import { ACTIONS, DECISION_MODES, MODEL_VERSIONS } from "../shared/vocabulary.js";
import type { Action, DecisionMode, ModelVersion } from "../shared/vocabulary.js";
import { unreachable } from "../shared/unreachable.js";
import type { DecideAnswer, PackedAnswers } from "./messages.js";

/**
 * An answer's code: the kind in the low three bits; above it, for `decided` action, decision mode and model by their
 * position in the vocabulary, for `replayed` whether the body differs, for `forbidden` the reason.
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

export function packAnswers(answers: readonly DecideAnswer[]): PackedAnswers {
  const bodies: string[] = [];
  const codes: number[] = [];
  const latenciesMs: number[] = [];
  for (const answer of answers) {
    bodies.push("body" in answer ? answer.body : "");
    codes.push((detailOf(answer) << KIND_BITS) | KINDS.indexOf(answer.kind));
    latenciesMs.push(answer.kind === "decided" ? answer.latencyMs : 0);
  }
  return { bodies, codes, latenciesMs };
}

function detailOf(answer: DecideAnswer): number {
  if (answer.kind === "replayed") return answer.bodyDiffers ? 1 : 0;
  if (answer.kind === "forbidden") return REASONS.indexOf(answer.reason);
  if (answer.kind !== "decided") return 0;
  const modes = (MODEL_VERSIONS.indexOf(answer.model) << 1) | DECISION_MODES.indexOf(answer.decisionMode);
  return (modes << ACTION_BITS) | ACTIONS.indexOf(answer.action);
}

/** The answer at a position; the inverse of `packAnswers`. */
export function unpackAnswer({ bodies, codes, latenciesMs }: PackedAnswers, index: number): DecideAnswer {
  const code = codes[index] as number;
  const body = bodies[index] as string;
  const detail = code >> KIND_BITS;
  const kind = KINDS[code & ((1 << KIND_BITS) - 1)];
  switch (kind) {
    case "decided": {
      const modes = detail >> ACTION_BITS;
      return {
        kind: "decided",
        body,
        action: ACTIONS[detail & ((1 << ACTION_BITS) - 1)] as Action,
        decisionMode: DECISION_MODES[modes & 1] as DecisionMode,
        model: MODEL_VERSIONS[modes >> 1] as ModelVersion,
        latencyMs: latenciesMs[index] as number,
      };
    }
    case "replayed":
      return { kind: "replayed", body, bodyDiffers: detail === 1 };
    case "invalid":
      return { kind: "invalid", body };
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
