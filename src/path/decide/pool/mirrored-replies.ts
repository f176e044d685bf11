import type { MirrorGate } from "../../mirror/mirror-signal.js";
import type { BatchReply, DecideAnswer } from "./messages.js";

const UNAVAILABLE = { kind: "unavailable" } as const;

/** Holds a worker's reply back until the mirror has its batch (DUR-17). */
export type HoldBack = <Reply extends BatchReply>(running: Promise<Reply>) => Promise<Reply>;

/** Without a mirror the reply is the worker's promise itself, and nothing else is awaited. */
export function holdBackFor(mirror: MirrorGate | null): HoldBack {
  if (mirror === null) return (running) => running;
  return async (running) => {
    const reply = await running;
    if (reply.sequence === 0 || reply.isWithheld === true) return reply;
    return (await mirror.through(reply.sequence)) ? reply : { ...reply, isWithheld: true };
  };
}

/** True if the journal has the batch, and the mirror too if there is one. */
export function isKept({ journalError, isWithheld }: BatchReply): boolean {
  return journalError === null && isWithheld !== true;
}

/** An answer that only this disk holds must not leave. */
export function withheldOr(reply: BatchReply, answer: DecideAnswer): DecideAnswer {
  if (reply.isWithheld !== true) return answer;
  return answer.kind === "decided" || answer.kind === "replayed" ? UNAVAILABLE : answer;
}
