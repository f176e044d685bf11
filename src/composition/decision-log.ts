import { superviseReader } from "../features/reader/reader-thread.js";
import type { ReadRequest } from "../features/reader/reads.js";
import { monotonicMs, now } from "../platform/timing/clock.js";
import type { Route } from "../path/front/route.js";
import { decisionAggregateRoute } from "../features/decisions/routes/decision-aggregate.js";
import { decisionDetailRoute } from "../features/decisions/routes/decision-detail.js";
import { decisionListRoute } from "../features/decisions/routes/decision-list.js";
import { decisionReplayRoute } from "../features/decisions/routes/decision-replay.js";
import { decisionReviewRoute } from "../features/reviews/routes.js";
import { shadowReportRoute } from "../features/decisions/routes/shadow-report.js";
import { resolveReview, type ReviewRequest, type ReviewResult } from "../features/reviews/queries.js";
import type { Patience } from "../domain/vocabulary/patience.js";
import { createAggregateCache } from "../features/decisions/aggregate-cache.js";
import type { DatabaseRead, ReadLog } from "../platform/postgres/database-read.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";
import type { Closers } from "./closers.js";
import type { Database } from "./database.js";
import { ownFile } from "../platform/node/own-files.js";

export interface DecisionLogParts {
  database: Pick<Database, "url" | "tenants">;
  patience: Patience;
  read: DatabaseRead;
  /** The newest journal sequence this node has committed. */
  committedSequence(): number;
  metrics: Metrics;
  log: Logger;
  closers: Closers;
}

export interface DecisionLog {
  /** What the reader thread finds; later than all that this node has acknowledged. */
  read: ReadLog<ReadRequest>;
  routes: Route[];
}

/** Decisions as they are read again: the reader thread, the aggregate kept from it, and their routes. */
export function composeDecisionLog(parts: DecisionLogParts): DecisionLog {
  const { read, committedSequence, patience, metrics, log, closers } = parts;
  const { url: databaseUrl, tenants } = parts.database;
  const reader = superviseReader({
    file: ownFile("workers/reader.js"),
    workerData: { databaseUrl, statementTimeoutMs: patience.databaseReadTimeoutMs },
    patience,
    metrics,
    log,
    now: monotonicMs,
  });
  closers.push(() => reader.stop());
  const readLog: ReadLog<ReadRequest> = (request) =>
    read(async () => {
      const json = await reader.read(request);
      return json === null ? null : { json };
    });
  let reviews = 0;
  const resolveAsked = (request: Omit<ReviewRequest, "nowMs">): Promise<ReviewResult | "unavailable"> => {
    // Before the commit: an aggregate that is computed meanwhile is not kept.
    reviews++;
    return read(() => resolveReview(tenants.of(request.workspaceId), { ...request, nowMs: now() })).finally(
      () => reviews++,
    );
  };
  const aggregates = createAggregateCache({
    aggregate: async (scope) => (await readLog({ kind: "aggregate", scope })) ?? "unavailable",
    writes: () => committedSequence() + reviews,
    now: () => performance.now(),
  });
  return {
    read: readLog,
    routes: [
      decisionListRoute(readLog, now),
      decisionAggregateRoute(aggregates),
      shadowReportRoute(readLog),
      decisionReviewRoute(resolveAsked),
      decisionDetailRoute(readLog),
      decisionReplayRoute(readLog),
    ],
  };
}
