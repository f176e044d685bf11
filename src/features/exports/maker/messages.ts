/** The data that the thread is started with. */
export interface ExportWorkerData {
  databaseUrl: string;
  /** RETENTION_DAYS */
  retentionDays: number;
  nodeId: string;
  /** ANALYTICS_URL */
  clickHouseUrl: string | null;
}

/** `look`: something may wait. */
export type ExportCommand = { type: "look" } | { type: "stop" };

/** PostgreSQL failed, or an export failed. Texts of the server and stored texts are left out. */
export interface ExportReport {
  type: "failed";
  name: string;
  code: string | null;
}
