/** The data that the thread is started with. */
export interface ErasureWorkerData {
  databaseUrl: string;
  /** ARCHIVE_URL's folder; null: there is none. */
  archiveDir: string | null;
  /** ANALYTICS_URL; null: there is none. */
  clickHouseUrl: string | null;
}

/** `look`: something may wait. */
export type ErasureCommand = { type: "look" } | { type: "stop" };

/** An erasure failed, or PostgreSQL did not answer. Texts of the server and of what is stored are left out. */
export interface ErasureReport {
  type: "failed";
  name: string;
  code: string | null;
}
