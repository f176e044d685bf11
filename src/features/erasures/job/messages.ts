/** The data that the thread is started with. */
export interface ErasureWorkerData {
  databaseUrl: string;
  /** ARCHIVE_URL's folder. Null if there is no archive. */
  archiveDir: string | null;
  /** ANALYTICS_URL. Null if there is no ClickHouse. */
  clickHouseUrl: string | null;
}

/** `look`: an erasure may be due. */
export type ErasureCommand = { type: "look" } | { type: "stop" };

/** An erasure failed, or PostgreSQL did not answer. Neither PostgreSQL's message nor stored text is included. */
export interface ErasureReport {
  type: "failed";
  name: string;
  code: string | null;
}
