import type { MessagePort } from "node:worker_threads";
import type { Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { Policy } from "../../../domain/policy/policy.js";
import type { PolicyIssue } from "../../../platform/wire/validation-issue.js";
import type { BacktestProgressBody, BacktestResultBody } from "../wire/backtest-response-schema.js";

/** The data that the thread is started with. */
export interface BacktestWorkerData {
  databaseUrl: string;
  /** RETENTION_DAYS */
  retentionDays: number;
  /** The longest wait for a connection to PostgreSQL. */
  connectionTimeoutMs: number;
}

/** The task of the thread. Reports go to `port`, and commands come from it. */
export interface BacktestTask {
  job: BacktestJob;
  port: MessagePort;
}

/** What a backtest decides again. The thread gets all of it in one message. */
export interface BacktestJob {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  /** The draft in normal form. */
  policy: Policy;
  warnings: readonly PolicyIssue[];
  /** Only decisions made at or after this time are used. Unix milliseconds. */
  sinceMs: number;
  /** The largest number of decisions to use, newest first. */
  limit: number;
}

/** Front → backtest. The front thread has taken the last report, so the backtest may go on. */
export type BacktestCommand = { type: "go_on" };

/** A message from the backtest to the front. Each report is also one line for the client. */
export type BacktestReport = BacktestProgressBody | BacktestResultBody;
