import { createBatchEncoder } from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";
import type { OutcomeReply, OutcomeTask } from "./pool/messages.js";

export interface OutcomeActorOptions {
  journal: Journal;
  /** Unix milliseconds. */
  now(): number;
}

/** The outcome side of a decide worker. It writes the reports of a task to the journal as one entry. */
export function createOutcomeActor({
  journal,
  now,
}: OutcomeActorOptions): (task: OutcomeTask) => OutcomeReply {
  const encoder = createBatchEncoder();
  /** This time never goes back with the host's clock, because the later of two reports of a decision wins. */
  let reportedAtMs = 0;
  return ({ reports }) => {
    reportedAtMs = Math.max(reportedAtMs, now());
    try {
      const batch = encoder.encodeOutcomes(reports.map((report) => ({ ...report, reportedAtMs })));
      const sequence = journal.transaction(() => journal.append(batch, reports.length));
      return { sequence, journalError: null, bug: null };
    } catch (error) {
      return { sequence: 0, journalError: String(error), bug: null };
    }
  };
}
