import "../src/platform/threads/navigator.js";
import { workerData } from "node:worker_threads";
import { archivePart, type PartJob } from "../src/features/retention/archive/archive-part.js";
import { ArchiveError } from "../src/features/retention/archive/manifest.js";
import type { ArchiveReport, ArchiveWorkerData } from "../src/features/retention/archive/messages.js";
import { RETENTION_TUNING } from "../src/features/retention/retention-tuning.js";
import { RETENTION_PACE } from "../src/domain/vocabulary/tuning/retention.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { runThreadInBackground, runThreadInIdleTime } from "../src/platform/threads/background.js";
import { createPace } from "../src/platform/timing/pace.js";

const { databaseUrl, root, workShare } = workerData as ArchiveWorkerData;
if (workShare < 1) runThreadInIdleTime();
else runThreadInBackground();

export default async function storePart(job: PartJob): Promise<ArchiveReport> {
  const pool = createPool({
    connectionString: databaseUrl,
    connectionsMax: 1,
    statementTimeoutMs: RETENTION_TUNING.statementTimeoutMs,
    applicationName: "payinference-archive",
  });
  try {
    return {
      type: "stored",
      stored: await archivePart(pool, root, job, { pace: createPace({ ...RETENTION_PACE, workShare }) }),
    };
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    const text = error instanceof ArchiveError ? error.message : [code, name].join(" ").trim();
    return { type: "failed", text };
  } finally {
    await pool.end();
  }
}
