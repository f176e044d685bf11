import "../src/platform/threads/navigator.js";
import { workerData } from "node:worker_threads";
import { runBacktest } from "../src/features/policies/backtest/backtest-actor.js";
import type {
  BacktestReport,
  BacktestTask,
  BacktestWorkerData,
} from "../src/features/policies/backtest/messages.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { createTenantDb } from "../src/platform/postgres/tenant-db.js";
import { now } from "../src/platform/timing/clock.js";
import { TUNING } from "../src/domain/vocabulary/tuning.js";

runThreadInBackground();
const { databaseUrl, retentionDays, connectionTimeoutMs } = workerData as BacktestWorkerData;

export default async function backtest({ job, port }: BacktestTask): Promise<void> {
  const tenants = createTenantDb({
    retention: { days: retentionDays, now },
    connectionString: databaseUrl,
    connectionsMax: 2,
    connectionTimeoutMs,
    statementTimeoutMs: TUNING.backtestStatementTimeoutMs,
    applicationName: "payinference-backtest",
  });
  let resume: () => void = () => undefined;
  port.on("message", () => resume());
  /** Sends one report, and waits until the front asks for the next report. */
  const report = (line: BacktestReport): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve;
      port.postMessage(line);
    });
  try {
    await runBacktest({ tenant: tenants.of(job.workspaceId), job, report });
  } finally {
    port.close();
    await tenants.end();
  }
}
