import type { MirrorGate } from "../../mirror/mirror-signal.js";
import type { BatchReply, DecideAnswer } from "./messages.js";

const UNAVAILABLE = { kind: "unavailable" } as const;

/** Delays a worker's reply until the mirror has the reply's batch (DUR-17). */
export type HoldBack = <Reply extends BatchReply>(running: Promise<Reply>) => Promise<Reply>;

/** Without a mirror, the returned function passes on the worker's promise itself and adds no wait. */
export function holdBackFor(mirror: MirrorGate | null): HoldBack {
  if (mirror === null) return (running) => running;
  return async (running) => {
    const reply = await running;
    if (reply.sequence === 0 || reply.isWithheld === true) return reply;
    return (await mirror.through(reply.sequence)) ? reply : { ...reply, isWithheld: true };
  };
}

/** True if the journal has the batch and, with JOURNAL_MIRROR, the mirror has it too. */
export function isKept({ journalError, isWithheld }: BatchReply): boolean {
  return journalError === null && isWithheld !== true;
}

/** Replaces a `decided` or `replayed` answer if the mirror may lack its batch. Such an answer must not be sent. */
export function withheldOr(reply: BatchReply, answer: DecideAnswer): DecideAnswer {
  if (reply.isWithheld !== true) return answer;
  return answer.kind === "decided" || answer.kind === "replayed" ? UNAVAILABLE : answer;
}
