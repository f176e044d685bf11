import type { WriterCommand, WriterReport } from "./messages.js";

/** DUR-8: lets reads wait until PostgreSQL has everything that this node has acknowledged. */
export interface PersistenceBarrier {
  /**
   * Resolves to true when everything up to `sequence` is stored. Resolves to false if the writer cannot store it, or
   * after `timeoutMs`.
   */
  through(sequence: number, timeoutMs: number): Promise<boolean>;
  /** Call this with every report of the writer. */
  onReport(report: WriterReport): void;
}

interface Waiter {
  sequence: number;
  settle(ok: boolean): void;
}

export function createPersistenceBarrier(send: (command: WriterCommand) => void): PersistenceBarrier {
  const waiting = new Map<number, Waiter>();
  let lastTicket = 0;
  let position = 0;
  /**
   * The last sequence in the journal when the writer started. An earlier process has acknowledged all records up to it.
   */
  let inherited = 0;
  return {
    through(acknowledged, timeoutMs) {
      const sequence = Math.max(acknowledged, inherited);
      if (sequence <= position) return Promise.resolve(true);
      const ticket = ++lastTicket;
      return new Promise((resolve) => {
        const settle = (ok: boolean): void => {
          clearTimeout(timer);
          waiting.delete(ticket);
          resolve(ok);
        };
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiting.set(ticket, { sequence, settle });
        send({ type: "persist_through", sequence, ticket });
      });
    },
    onReport(report) {
      if (report.type === "status") position = Math.max(position, report.position);
      if (report.type === "persisted") waiting.get(report.ticket)?.settle(report.ok);
      if (report.type === "ready") {
        inherited = Math.max(inherited, report.lastSequence);
        // A writer that replaces a dead one does not know the waiting requests, so they are sent again.
        for (const [ticket, { sequence }] of waiting) send({ type: "persist_through", sequence, ticket });
      }
    },
  };
}
