import { createBatchEncoder } from "../journal/batch-codec.js";
import { findJournalledDecision } from "../journal/find-decision.js";
import type { Journal } from "../journal/journal.js";
import type { OutcomeRecord } from "../journal/outcome-record.js";
import { refuseReport } from "../outcomes/reported-outcome.js";
import type { OutcomeAnswer, OutcomeReply, OutcomeTask } from "./messages.js";

export interface OutcomeActorOptions {
  journal: Journal;
  /** Unix milliseconds. */
  now(): number;
}

/** The outcome side of a decide worker: reports in, one journal entry, answers out. */
export function createOutcomeActor({
  journal,
  now,
}: OutcomeActorOptions): (task: OutcomeTask) => OutcomeReply {
  const encoder = createBatchEncoder();
  /** Does not go back with the host's clock: of two reports of one decision the later one is kept. */
  let reportedAtMs = 0;
  return ({ reports }) => {
    reportedAtMs = Math.max(reportedAtMs, now());
    const records: OutcomeRecord[] = [];
    const answers = reports.map(({ report, caller, decision }): OutcomeAnswer => {
      const facts = decision ?? findJournalledDecision(journal, report.decisionId);
      // Only PostgreSQL knows of older decisions, and it was not asked.
      if (facts === null) return { kind: "decision_not_at_hand" };
      const refusal = refuseReport(report, caller, facts);
      if (refusal !== null) return { kind: "refused", refusal };
      records.push({ workspaceId: facts.workspaceId, mode: facts.mode, reportedAtMs, ...report });
      const { paymentMethod, retryOf } = facts;
      return { kind: "stored", reportedAtMs, paymentMethod, retryOf };
    });
    if (records.length === 0) return { answers, sequence: 0, journalError: null, bug: null };
    try {
      const batch = encoder.encodeOutcomes(records);
      const sequence = journal.transaction(() => journal.append(batch, records.length));
      return { answers, sequence, journalError: null, bug: null };
    } catch (error) {
      const unavailable = answers.map((answer): OutcomeAnswer =>
        answer.kind === "stored" ? { kind: "unavailable" } : answer,
      );
      return { answers: unavailable, sequence: 0, journalError: String(error), bug: null };
    }
  };
}
