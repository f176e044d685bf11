import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import type { Mode, Outcome } from "../../domain/vocabulary/vocabulary.js";

/** A decision that was asked for after a failed attempt. Few beside decisions, and without a layout to keep: JSON. */
export interface RetryRecord {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  failedProvider: ProviderId;
  failedOutcome: Outcome;
}

export function readRetryRecord(source: Buffer, offset: number, end: number): RetryRecord {
  return JSON.parse(source.toString("utf8", offset, end)) as RetryRecord;
}
