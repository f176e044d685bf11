import { within } from "../timing/within.js";

/** The pending questions to a thread. Each has a ticket, and the answer repeats the ticket. */
export interface Tickets<T> {
  /** Sends a question. Resolves with its answer, or with `otherwise` after `withinMs`. */
  ask(send: (ticket: number) => void, withinMs: number, otherwise: T): Promise<T>;
  /** Delivers an answer. Does nothing if the question no longer waits. */
  answer(ticket: number, answer: T): void;
  /** Returns the pending questions, so that the caller can answer them in another way. */
  waiting(): ((answer: T) => void)[];
}

export function createTickets<T>(): Tickets<T> {
  const waiting = new Map<number, (answer: T) => void>();
  let last = 0;
  return {
    async ask(send, withinMs, otherwise) {
      const ticket = ++last;
      const answered = new Promise<T>((resolve) => waiting.set(ticket, resolve));
      send(ticket);
      const answer = await within(answered, withinMs, otherwise);
      waiting.delete(ticket);
      return answer;
    },
    answer: (ticket, answer) => waiting.get(ticket)?.(answer),
    waiting: () => [...waiting.values()],
  };
}
