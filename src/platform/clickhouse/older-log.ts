import { ClickHouseError } from "@clickhouse/client";
import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  ConstantBackoff,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  retry,
  wrap,
} from "cockatiel";
import { OLDER_LOG } from "../../domain/vocabulary/tuning/older-log.js";
import { openClickHouse, type Texts } from "./clickhouse.js";
import type { OlderQuery } from "../telemetry/older-query.js";
import { OlderLogUnavailableError, type OlderLogs } from "../postgres/tenant-db.js";

export interface OlderLogsOptions {
  url: string;
  /** The time limit of one query. */
  timeoutMs: number;
  atOnceMax?: number;
  onQuery?: (query: OlderQuery) => void;
}

/** The codes TIMEOUT_EXCEEDED and TOO_SLOW of ClickHouse's src/Common/ErrorCodes.cpp. */
const TOO_HEAVY: readonly string[] = ["159", "160"];

/**
 * True if the error is the server's fault. A server that stops a query for its cost still works. If such errors
 * counted, one workspace's queries would close the log for all workspaces.
 */
const isOfServer = (error: unknown): boolean =>
  !(error instanceof ClickHouseError && TOO_HEAVY.includes(error.code));

/** True if the server closed a kept connection at the moment at which it was used. A read can be asked again. */
const isReset = (error: Error): boolean => "code" in error && error.code === "ECONNRESET";

function resultOf(error: unknown): OlderQuery["result"] {
  if (isBulkheadRejectedError(error) || isBrokenCircuitError(error)) return "refused";
  return isOfServer(error) ? "error" : "too_heavy";
}

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
  onQuery = () => undefined,
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
    retry(handleWhen(isReset), { maxAttempts: 1, backoff: new ConstantBackoff(0) }),
  );
  return {
    async rows<Row>(workspaceHex: string, sql: string, texts?: Texts) {
      const beganMs = performance.now();
      const note = (result: OlderQuery["result"]): void =>
        onQuery({ result, seconds: result === "refused" ? 0 : (performance.now() - beganMs) / 1000 });
      try {
        const rows = await guarded.execute(() =>
          clickHouse.rows<Row>(`${sql} settings ${settingsOf(workspaceHex, timeoutMs)}`, texts),
        );
        note("ok");
        return rows;
      } catch (error) {
        note(resultOf(error));
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
