import type { WriterCommand, WriterReport } from "./messages.js";

type PersistThrough = Extract<WriterCommand, { type: "persist_through" }>;

/** The requests that wait until the writer has stored everything up to a sequence. */
export function createPersistWaiters(report: (report: WriterReport) => void) {
  let waiting: PersistThrough[] = [];
  const settle = (due: readonly PersistThrough[], ok: boolean): void => {
    for (const { ticket } of due) report({ type: "persisted", ticket, ok });
  };
  return {
    add: (command: PersistThrough): void => void waiting.push(command),
    isAwaited: (): boolean => waiting.length > 0,
    answer(position: number): void {
      const due = waiting.filter(({ sequence }) => sequence <= position);
      if (due.length === 0) return;
      waiting = waiting.filter(({ sequence }) => sequence > position);
      settle(due, true);
    },
    refuse(): void {
      settle(waiting, false);
      waiting = [];
    },
  };
}
