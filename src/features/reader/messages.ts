import type { OlderQuery } from "../../platform/telemetry/older-query.js";
import type { ReadRequest } from "./reads.js";

/** The data that the thread is started with. */
export interface ReaderWorkerData {
  databaseUrl: string;
  /** RETENTION_DAYS */
  retentionDays: number;
  statementTimeoutMs: number;
  /** ANALYTICS_URL */
  clickHouseUrl: string | null;
}

/** The commands from the front thread to the reader thread. */
export type ReaderCommand = { type: "read"; ticket: number; request: ReadRequest } | { type: "stop" };

/** The reports from the reader thread to the front thread. */
export type ReaderReport =
  | ReadReport
  | OlderQueryReport
  /** The thread has loaded its modules, and answers at once. */
  | { type: "loaded" };

/** CH-23: a query of ClickHouse has ended. */
export interface OlderQueryReport {
  type: "older_query";
  query: OlderQuery;
}

/** The end of a read. */
export type ReadReport =
  | { type: "answer"; ticket: number; json: string | null }
  /** `bug`: the stack of a bug in our code, or null when a server could not answer. `refusal`: see refusalOf. */
  | { type: "failed"; ticket: number; bug: string | null; refusal: string | null }
  /** CH-18: ClickHouse could not answer. */
  | { type: "older_unavailable"; ticket: number };
