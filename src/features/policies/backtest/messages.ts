import type { Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { Policy } from "../../../domain/policy/policy.js";
import type { PolicyIssue } from "../../../platform/wire/validation-issue.js";
import type { BacktestProgressBody, BacktestResultBody } from "../wire/backtest-response-schema.js";

/** What the thread is started with. */
export interface BacktestWorkerData {
  databaseUrl: string;
  job: BacktestJob;
}

/** What a backtest is of; all in one message, for the thread's whole life. */
export interface BacktestJob {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  /** The draft in normal form. */
  policy: Policy;
  warnings: readonly PolicyIssue[];
  /** Unix milliseconds: decisions made at or after. */
  sinceMs: number;
  /** The newest so many. */
  limit: number;
}

/** Front → backtest: the last report has been taken. */
export type BacktestCommand = { type: "go_on" };

/** Backtest → front, and a line each for the client. */
export type BacktestReport = BacktestProgressBody | BacktestResultBody;
