import type { CacheServer } from "../platform/cache/cache-client.js";
import type { BacktestJob, WorkspaceOverrides, WorkspaceReports } from "./messages.js";
import type { JournalOptions } from "./journal/journal.js";

/** What each thread is started with. */
export interface DecideWorkerData extends DecideWorkerSettings {
  /** The pool's (path/decide/pool/task-page.ts). */
  pages: readonly SharedArrayBuffer[];
}

export interface DecideWorkerSettings {
  dataDir: string;
  providers: readonly string[];
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  /** See path/decide/identity/decision-identity.ts. */
  identity: SharedArrayBuffer;
  /** Null in the bench row without persistence only. */
  journal: JournalOptions | null;
  /** Null without CACHE_URL. */
  cache: SharedCache | null;
  /** See platform/threads/real-time.ts. */
  realTime: boolean;
}

/** The cache store that nodes share. */
export interface SharedCache extends CacheServer {
  /** How long a request waits for it before it goes on without. */
  timeoutMs: number;
  nodeId: string;
}

export interface WriterWorkerData {
  dataDir: string;
  journal: JournalOptions;
  databaseUrl: string;
  nodeId: string;
}

export interface ReaderWorkerData {
  databaseUrl: string;
}

export interface ProberWorkerData {
  dataDir: string;
  providers: readonly string[];
  currencies: readonly string[];
  intervalMs: number;
  seed: number;
  /** What is pinned from the first tick on. */
  overrides: readonly WorkspaceOverrides[];
  /** What providers have said of themselves. */
  reports: readonly WorkspaceReports[];
}

export interface BacktestWorkerData {
  databaseUrl: string;
  job: BacktestJob;
}
