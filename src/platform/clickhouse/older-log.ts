import { ClickHouseError } from "@clickhouse/client";
import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  wrap,
} from "cockatiel";
import { OLDER_LOG } from "../../domain/vocabulary/tuning/older-log.js";
import { openClickHouse, type Texts } from "./clickhouse.js";
import { OlderLogUnavailableError, type OlderLogs } from "../postgres/tenant-db.js";

export interface OlderLogsOptions {
  url: string;
  /** The time limit of one query. */
  timeoutMs: number;
  atOnceMax?: number;
}

/** The codes TIMEOUT_EXCEEDED and TOO_SLOW of ClickHouse's src/Common/ErrorCodes.cpp. */
const TOO_HEAVY: readonly string[] = ["159", "160"];

/**
 * True if the error is the server's fault. A server that stops a query for its cost still works. If such errors
 * counted, one workspace's queries would close the log for all workspaces.
 */
const isOfServer = (error: Error): boolean =>
  !(error instanceof ClickHouseError && TOO_HEAVY.includes(error.code));

const TABLES = ["decisions", "outcomes", "reviews"];

/**
 * CH-18: a query is refused at once while `atOnceMax` others run, and for a while after ClickHouse has failed several
 * times in a row. So no read waits for a server that does not answer, and PostgreSQL's connections stay free for other
 * reads.
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
    circuitBreaker(handleWhen(isOfServer), {
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
 * The filters replace PostgreSQL's row-level security: even a query that forgets the workspace sees only this
 * workspace's rows. The server stops a query shortly before the client would give up, so that the error shows who
 * stopped it.
 */
function settingsOf(workspaceHex: string, timeoutMs: number): string {
  const filters = TABLES.map((table) => `'${table}': 'workspace_id = toUUID(\\'${workspaceHex}\\')'`);
  return `additional_table_filters = {${filters.join(", ")}}, max_execution_time = ${(OLDER_LOG.serverShare * timeoutMs) / 1000},
    join_use_nulls = 1`;
}
