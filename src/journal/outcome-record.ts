import type { ReportedOutcome } from "../outcomes/reported-outcome.js";
import type { Mode } from "../shared/vocabulary.js";

/** A reported outcome in the journal. Few beside decisions, and without a layout to keep: JSON. */
export interface OutcomeRecord extends ReportedOutcome {
  workspaceId: string;
  mode: Mode;
  /** Unix milliseconds. */
  reportedAtMs: number;
}

export function readOutcomeRecord(source: Buffer, offset: number, end: number): OutcomeRecord {
  return JSON.parse(source.toString("utf8", offset, end)) as OutcomeRecord;
}
