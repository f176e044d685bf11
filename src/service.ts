import { createPolicyValidator } from "./features/policies/wire/policy-validator.js";
import { createClosers, FAILED_START, stopTimes, type AllClosers } from "./composition/closers.js";
import { openDatabase } from "./composition/database.js";
import { startDecisionThreads } from "./composition/decision-threads.js";
import { startReader } from "./composition/feature-parts.js";
import { composeFeatures } from "./composition/features.js";
import { listen } from "./composition/listen.js";
import { openNode } from "./composition/node.js";
import { startPersistence, type Prepared } from "./composition/persistence.js";
import type { Route } from "./path/front/route.js";
import type { Settings } from "./platform/settings/settings.js";
import type { Logger } from "./platform/telemetry/logger.js";

export interface Service {
  port: number;
  metricsPort: number;
  /** Every endpoint with its permissions. /metrics is not listed, because it has its own listener. */
  routes: readonly Route[];
  databaseUrl: string;
  /** Resolves once PostgreSQL has been prepared. Until then the node decides with its last copies. Never rejects. */
  prepared: Promise<Prepared>;
  /** OPS-7: SIGTERM calls this. It answers every accepted request, and drains the journal within SHUTDOWN_GRACE_MS. */
  stop(): Promise<void>;
}

/**
 * The one composition root. It builds every part from the settings and starts it. A stop ends the parts in reverse
 * order. If `signal` is aborted during the start, every part that has begun is ended, and then this rejects with an
 * AbortError.
 */
export async function startService(settings: Settings, log: Logger, signal?: AbortSignal): Promise<Service> {
  const closers = createClosers(log);
  try {
    return await compose(settings, log, closers, signal ?? new AbortController().signal);
  } catch (error) {
    await closers.closeAll(FAILED_START);
    throw error;
  }
}

/** Each phase uses the results of the phases before it. */
async function compose(
  settings: Settings,
  log: Logger,
  closers: AllClosers,
  stopping: AbortSignal,
): Promise<Service> {
  const node = await openNode({ settings, log, closers });
  const threads = startDecisionThreads(node);
  const database = await openDatabase(node, stopping);
  const reader = startReader(node, database);
  const persistence = startPersistence(node, threads, database, stopping);
  // The start waits for the database anyway, so the schema is compiled in that time.
  const policyValidator = createPolicyValidator({ providers: settings.providers, nextId: node.nextId });
  // Otherwise the first read would wait for the reader thread, and be 503 on a busy host.
  await Promise.all([persistence.begin(), reader.loaded()]);
  const built = { node, threads, database, reader, persistence };
  const leaving = new AbortController();
  const features = await composeFeatures(built, policyValidator, () => !leaving.signal.aborted);
  const { server, metricsServer } = await listen(built, features);
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    routes: server.routes,
    databaseUrl: database.url,
    prepared: persistence.prepared,
    async stop() {
      leaving.abort();
      await closers.closeAll(stopTimes(settings));
    },
  };
}
