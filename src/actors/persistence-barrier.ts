import type { WriterCommand, WriterReport } from "./messages.js";

/** contract §9 "Read your writes": waits until what this node has acknowledged is in PostgreSQL. */
export interface PersistenceBarrier {
  /** True once everything up to `sequence` is written; false when the writer cannot, or `timeoutMs` has passed. */
  through(sequence: number, timeoutMs: number): Promise<boolean>;
  /** Every report of the writer goes through here. */
  onReport(report: WriterReport): void;
}

export function createPersistenceBarrier(send: (command: WriterCommand) => void): PersistenceBarrier {
  const waiting = new Map<number, (ok: boolean) => void>();
  let lastTicket = 0;
  let position = 0;
  return {
    through(sequence, timeoutMs) {
      if (sequence <= position) return Promise.resolve(true);
      const ticket = ++lastTicket;
      return new Promise((resolve) => {
        const settle = (ok: boolean): void => {
          clearTimeout(timer);
          waiting.delete(ticket);
          resolve(ok);
        };
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiting.set(ticket, settle);
        send({ type: "persist_through", sequence, ticket });
      });
    },
    onReport(report) {
      if (report.type === "status") position = Math.max(position, report.position);
      if (report.type === "persisted") waiting.get(report.ticket)?.(report.ok);
    },
  };
}
