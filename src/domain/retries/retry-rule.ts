import type { RetryCategory, RetryCodeKind, RetryScheme } from "../vocabulary/vocabulary.js";

/** The most attempts with one credential within a sliding window, the first attempt included. */
export interface AttemptLimit {
  readonly attempts: number;
  readonly windowSeconds: number;
}

/** One row of the published table: a scheme's rule on another attempt after a reason code. */
export interface RetryRule {
  readonly ruleId: string;
  readonly scheme: RetryScheme;
  /** The code that providers pass on, compared exactly. Null for all codes of the scheme without a row of their own. */
  readonly code: string | null;
  readonly codeKind: RetryCodeKind;
  readonly meaning: string;
  readonly category: RetryCategory;
  /** The shortest time from the last attempt to the next one. */
  readonly waitSeconds: number;
  /** All of these limits apply. Empty if the category is `never`. */
  readonly limits: readonly AttemptLimit[];
  readonly source: string;
  /** ISO 8601: the day since which the newest part of the row applies. */
  readonly effectiveDate: string;
  /** The version of the table that introduced the row, from 1 on. */
  readonly version: number;
}
