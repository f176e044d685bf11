import { createBatchEncoder } from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";
import type { OutcomeReply, OutcomeTask } from "./pool/messages.js";

export interface OutcomeActorOptions {
  journal: Journal;
  /** Unix milliseconds. */
  now(): number;
}

/** The part of a decide worker that handles outcomes. It writes a task's reports to the journal as one entry. */
export function createOutcomeActor({
  journal,
  now,
}: OutcomeActorOptions): (task: OutcomeTask) => OutcomeReply {
  const encoder = createBatchEncoder();
  /** Never goes back, even if the host's clock does, because the later of two reports of a decision wins. */
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
