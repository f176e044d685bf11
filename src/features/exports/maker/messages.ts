import type { OlderQuery } from "../../../platform/telemetry/older-query.js";

/** The data that the thread is started with. */
export interface ExportWorkerData {
  databaseUrl: string;
  /** RETENTION_DAYS. */
  retentionDays: number;
  nodeId: string;
  /** ANALYTICS_URL. */
  clickHouseUrl: string | null;
}

/** `look`: an export may be waiting. */
export type ExportCommand = { type: "look" } | { type: "stop" };

export type ExportReport =
  /** PostgreSQL failed, or an export failed. Neither PostgreSQL's message nor stored text is included. */
  | { type: "failed"; name: string; code: string | null }
  /** CH-23: a query of ClickHouse has ended. */
  | { type: "older_query"; query: OlderQuery };
