/** The data that the thread is started with. */
export interface LogCopyWorkerData {
  databaseUrl: string;
  clickHouseUrl: string;
  nodeId: string;
  /** The folder with ClickHouse's schema. */
  migrationsDir: string;
}

/** Front → thread. */
export type LogCopyCommand = { type: "stop" };

/** Thread → front. The numbers of rows and failures are counted since the last report. */
export interface LogCopyReport {
  type: "status";
  decisions: number;
  outcomes: number;
  /** Records that waited for too long and are left to reconciliation. */
  left: number;
  /** The reasons of failures: a code of ClickHouse or PostgreSQL, or the error's name. */
  failures: { where: "clickhouse" | "postgresql"; reason: string }[];
  /** Seconds that the oldest record has waited which ClickHouse lacks. Null if PostgreSQL did not say. */
  lagSeconds: number | null;
}
