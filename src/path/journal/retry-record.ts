import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import type { Mode, Outcome } from "../../domain/vocabulary/vocabulary.js";

/**
 * A decision that followed a failed attempt. It is JSON, because there are few such decisions, and JSON needs no fixed
 * layout.
 */
export interface RetryRecord {
  workspaceId: string;
  decisionId: string;
  mode: Mode;
  failedProvider: ProviderId;
  failedOutcome: Outcome;
  /**
   * The code with which the attempt failed, as the provider passed it on. `code` and `attempt` are absent if attempts
   * are not counted, or if the request names no code.
   */
  code?: string;
  /** The number of attempts before the decision, at least 1. */
  attempt?: number;
}

export function readRetryRecord(source: Buffer, offset: number, end: number): RetryRecord {
  return JSON.parse(source.toString("utf8", offset, end)) as RetryRecord;
}
