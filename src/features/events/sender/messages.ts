/** The data that the thread is started with. */
export interface EventWorkerData {
  databaseUrl: string;
  statementTimeoutMs: number;
  nodeId: string;
  secretKey: string;
  /** EVENTS_ALLOW_PRIVATE */
  allowsPrivate: boolean;
}

/** `look`: something may be due. */
export type EventCommand = { type: "look" } | { type: "stop" };

/** PostgreSQL failed. Neither PostgreSQL's message nor stored text is included. */
export interface EventReport {
  type: "failed";
  name: string;
  code: string | null;
}
