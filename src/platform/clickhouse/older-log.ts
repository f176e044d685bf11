import { bulkhead, circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleAll, wrap } from "cockatiel";
import { OLDER_LOG } from "../../domain/vocabulary/tuning/older-log.js";
import { openClickHouse, type Texts } from "./clickhouse.js";
import { OlderLogUnavailableError, type OlderLogs } from "../postgres/tenant-db.js";

export interface OlderLogsOptions {
  url: string;
  /** For one query. */
  timeoutMs: number;
  atOnceMax?: number;
}

const TABLES = ["decisions", "outcomes", "reviews"];

/**
 * CH-18: a query is refused at once while too many others run, and while ClickHouse has failed several times in a row.
 * So no read waits for a server that does not answer, and PostgreSQL's connections are free for other reads.
 */
export function openOlderLogs({
  url,
  timeoutMs,
  atOnceMax = OLDER_LOG.atOnceMax,
}: OlderLogsOptions): OlderLogs {
  const clickHouse = openClickHouse({
    url,
    requestTimeoutMs: timeoutMs,
    applicationName: "payinference-older-log",
    connectionsMax: atOnceMax,
  });
  const guarded = wrap(
    bulkhead(atOnceMax),
    circuitBreaker(handleAll, {
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: OLDER_LOG.pauseMsMin,
        maxDelay: OLDER_LOG.pauseMsMax,
      }),
      breaker: new ConsecutiveBreaker(OLDER_LOG.failuresMax),
    }),
  );
  return {
    async rows<Row>(workspaceHex: string, sql: string, texts?: Texts) {
      try {
        return await guarded.execute(() =>
          clickHouse.rows<Row>(`${sql} settings ${settingsOf(workspaceHex, timeoutMs)}`, texts),
        );
      } catch (error) {
        throw new OlderLogUnavailableError("the older log cannot be read", { cause: error });
      }
    },
    close: () => clickHouse.close(),
  };
}

/**
 * The filter is what PostgreSQL's row-level security is there: a query that forgets the workspace sees no other one's
 * rows. The server stops a query whose client has given up.
 */
function settingsOf(workspaceHex: string, timeoutMs: number): string {
  const filters = TABLES.map((table) => `'${table}': 'workspace_id = toUUID(\\'${workspaceHex}\\')'`);
  return `additional_table_filters = {${filters.join(", ")}}, max_execution_time = ${timeoutMs / 1000},
    join_use_nulls = 1`;
}
