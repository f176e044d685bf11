/** The data that the thread is started with. */
export interface LogCopyWorkerData {
  databaseUrl: string;
  clickHouseUrl: string;
  nodeId: string;
  /** The folder with the migrations of ClickHouse's schema. */
  migrationsDir: string;
}

/** A message from the front to the thread. */
export type LogCopyCommand = { type: "stop" };

/** A message from the thread to the front. It counts rows and failures since the last report. */
export interface LogCopyReport {
  type: "status";
  decisions: number;
  outcomes: number;
  reviews: number;
  /** Records that waited too long and were dropped from the queue. Reconciliation copies them later. */
  left: number;
  /** `reason` is an error code of ClickHouse or PostgreSQL, or the error's name. */
  failures: { where: "clickhouse" | "postgresql"; reason: string }[];
  /** The age in seconds of the oldest record that ClickHouse does not have. Null if PostgreSQL did not answer. */
  lagSeconds: number | null;
}
