import type { OutcomeCaller, ReportedOutcome } from "../../domain/outcomes/reported-outcome.js";

/**
 * A reported outcome in the journal. It is JSON, because there are few outcomes compared with decisions, and JSON needs
 * no fixed layout.
 */
export interface OutcomeRecord extends ReportedOutcome, OutcomeCaller {
  /** Unix milliseconds. */
  reportedAtMs: number;
}

export function readOutcomeRecord(source: Buffer, offset: number, end: number): OutcomeRecord {
  return JSON.parse(source.toString("utf8", offset, end)) as OutcomeRecord;
}
