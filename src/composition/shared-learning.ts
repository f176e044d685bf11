import type { Pool } from "pg";
import { createEvidenceFeed, type EvidenceFeed } from "../path/prober/evidence-feed.js";
import type { superviseProber } from "../path/prober/prober-thread.js";
import { dropOldEvidence, readEvidence } from "../path/prober/evidence-queries.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

export interface SharedLearningParts {
  database: Pool;
  databaseIsReachable(): boolean;
  prober: ReturnType<typeof superviseProber>;
  metrics: Metrics;
  log: Logger;
}

/** What outcomes of all nodes say about providers reaches this node's prober by way of PostgreSQL. */
export function composeSharedLearning(parts: SharedLearningParts): EvidenceFeed {
  const { database, databaseIsReachable, prober, metrics, log } = parts;
  return createEvidenceFeed({
    read: (after) => readEvidence(database, after, TUNING.evidenceWindowSeconds),
    dropOld: () => dropOldEvidence(database, TUNING.evidenceKeptSeconds),
    isReachable: databaseIsReachable,
    recall: prober.recall,
    record: prober.recordOutcomes,
    onSkipped(rows) {
      metrics.recordSkipped("evidence", rows);
      log.error({ rows }, "what outcomes say of providers cannot be read: the rows are passed over");
    },
    onError: (error) => log.warn({ err: error }, "what outcomes say cannot be read yet; trying again"),
  });
}
