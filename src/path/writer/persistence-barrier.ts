import type { WriterCommand, WriterReport } from "./messages.js";

/** DUR-8: waits until what this node has acknowledged is in PostgreSQL. */
export interface PersistenceBarrier {
  /** True once everything up to `sequence` is written; false when the writer cannot, or `timeoutMs` has passed. */
  through(sequence: number, timeoutMs: number): Promise<boolean>;
  /** Every report of the writer goes through here. */
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
  /** What was in the journal when the writer started: acknowledged too, by a process before this one. */
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
        // A writer that replaces a dead one knows nothing of who was waiting.
        for (const [ticket, { sequence }] of waiting) send({ type: "persist_through", sequence, ticket });
      }
    },
  };
}
