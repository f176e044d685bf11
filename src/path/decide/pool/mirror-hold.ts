import type { MirrorGate } from "../../mirror/mirror-signal.js";
import type { Hold } from "./batch-run.js";
import type { BatchReply, DecideAnswer, OutcomeAnswer } from "./messages.js";

/** DUR-17: an answer leaves only once the mirror has its batch. Without a mirror, nothing waits. */

type HoldOf<Answer> = (reply: BatchReply) => Hold<Answer> | null;

const UNAVAILABLE = { kind: "unavailable" } as const;

export const holdDecisions = (mirror: MirrorGate | null): HoldOf<DecideAnswer> => holdFor(mirror, withheld);

export const holdOutcomes = (mirror: MirrorGate | null): HoldOf<OutcomeAnswer> =>
  holdFor(mirror, () => UNAVAILABLE);

/** Returns the answer that may leave, if the worker itself has found that the mirror lacks its batch. */
export const leavingAnswer = (reply: BatchReply, answer: DecideAnswer): DecideAnswer =>
  reply.isWithheld === true ? withheld(answer) : answer;

function holdFor<Answer>(mirror: MirrorGate | null, withheld: Hold<Answer>["withheld"]): HoldOf<Answer> {
  if (mirror === null) return () => null;
  return ({ sequence, isWithheld }) =>
    sequence === 0 || isWithheld === true ? null : { released: mirror.through(sequence), withheld };
}

/** An answer that rests on the journal must not leave. A refusal may. */
function withheld(answer: DecideAnswer): DecideAnswer {
  return answer.kind === "decided" || answer.kind === "replayed" ? UNAVAILABLE : answer;
}
