import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import type { Mode, Outcome } from "../../domain/vocabulary/vocabulary.js";

/**
 * A decision that was requested after a failed attempt. It is stored as JSON, because such decisions are few and JSON
 * needs no fixed layout.
 */
export interface RetryRecord {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  failedProvider: ProviderId;
  failedOutcome: Outcome;
  /** Why it failed, as the provider passed it on. Absent, like `attempt`, where attempts are not counted. */
  code?: string;
  /** The number of attempts before, from 1 on. */
  attempt?: number;
}

export function readRetryRecord(source: Buffer, offset: number, end: number): RetryRecord {
  return JSON.parse(source.toString("utf8", offset, end)) as RetryRecord;
}
