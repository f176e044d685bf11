import { within } from "../timing/within.js";

/** The pending questions to a thread. Each question has a ticket, which its answer repeats. */
export interface Tickets<T> {
  /** Sends a question. Resolves to its answer, or to `otherwise` after `withinMs`. */
  ask(send: (ticket: number) => void, withinMs: number, otherwise: T): Promise<T>;
  /** Delivers an answer. Does nothing if the question is no longer pending. */
  answer(ticket: number, answer: T): void;
  /** Returns the functions that answer the pending questions, for a caller that gets the answers elsewhere. */
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
