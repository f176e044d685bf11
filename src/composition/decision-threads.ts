import type { WorkspaceReports } from "../path/prober/messages.js";
import { createDecisionPool, type DecisionPool } from "../path/decide/pool/decision-pool.js";
import { superviseProber } from "../path/prober/prober-thread.js";
import { rememberedBy } from "../path/prober/remembered-sync.js";
import { createAlertSync, type AlertSync } from "../features/alerts/alert-sync.js";
import { heldPins } from "../features/overrides/pin-copy.js";
import { ownFile } from "../platform/node/own-files.js";
import { now } from "../platform/timing/clock.js";
import { logAlertsWait } from "./alerts.js";
import type { OpenNode } from "./node.js";

export interface DecisionThreads {
  prober: ReturnType<typeof superviseProber>;
  pool: DecisionPool;
  /** Collects the prober's reports. They are stored as alerts when there is a database. */
  healthAlerts: AlertSync;
  /** Resolves when all threads have loaded. */
  ready: Promise<unknown>;
}

/** The seed of the mock providers. It must be the same on every node, so that all nodes make the same probes. */
const PROBE_SEED = 1;

/**
 * The second phase of a start: starts the threads that decide. They need no database, so they load while the database
 * starts.
 */
export function startDecisionThreads(node: OpenNode): DecisionThreads {
  const { settings, dataDir, sharedCache: cache, replica, metrics, log, closers } = node;
  const healthAlerts = createAlertSync({ now, onError: logAlertsWait(log) });
  const prober = superviseProber({
    file: ownFile("workers/prober.js"),
    workerData: {
      dataDir,
      providers: settings.providers,
      currencies: settings.probeCurrencies,
      intervalMs: settings.probeIntervalMs,
      seed: PROBE_SEED,
      overrides: heldPins(replica),
      reports: rememberedBy<WorkspaceReports>(replica, "provider_reports"),
    },
    metrics,
    onHealthChanges: healthAlerts.note,
    onOutcomeAlerts: healthAlerts.noteAlerts,
    log,
  });
  closers.push(() => prober.stop());
  const pool = createDecisionPool({
    workerFile: ownFile("workers/decide.js"),
    workerData: {
      dataDir,
      providers: settings.providers,
      riskBlockThreshold: settings.riskBlockThreshold,
      identity: node.decisionIds.memory,
      journal: settings.benchNoPersistence ? null : node.journal,
      cache,
      mirror: node.mirror.memory,
      // Without persistence there is no background work to overtake. Real-time scheduling would only interrupt the
      // front. In row (c) of BENCHMARKS.md it cost 1 to 12 %.
      realTime: settings.decisionRealTime && !settings.benchNoPersistence,
    },
    workers: settings.decisionWorkers,
    workersHaveConnections: cache !== null,
    mirror: node.mirror.gate,
    onBatch: metrics.batchDispatched,
    onCacheRoundTrip: metrics.cacheRoundTrip,
    onWorkerError: (error) => log.error({ err: error }, "a decide worker failed; its batch is decided again"),
    onWorkerDeath: () => metrics.workerCrashed("decide"),
    onJournalChange: (reason) => {
      if (reason === null) log.info("the journal takes records again");
      else log.error({ reason }, "the journal takes no records; decisions are answered 503");
    },
    answerMsMax: settings.patience.decisionAnswerMsMax,
    stuckAfterMs: settings.patience.decisionStuckMs,
    onStuck: () => {
      log.fatal(
        "no decide worker ends its task: the journal's lock is held by a dead one; ending the process",
      );
      // SIGKILL, because an orderly exit would wait for the hanging thread forever.
      process.kill(process.pid, "SIGKILL");
    },
  });
  closers.push(() => pool.close());
  const ready = Promise.all([prober.ready, pool.warmUp()]);
  // Prevents an unhandled rejection. The code that awaits `ready` reports the failure.
  ready.catch(() => undefined);
  return { prober, pool, healthAlerts, ready };
}
