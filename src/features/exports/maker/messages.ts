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

/** PostgreSQL failed, or an export failed. Neither PostgreSQL's message nor stored text is included. */
export interface ExportReport {
  type: "failed";
  name: string;
  code: string | null;
}
