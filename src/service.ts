import { dirname, resolve } from "node:path";
import { createBacktests } from "./features/policies/backtest/backtest-thread.js";
import { claimDataDir, nodeId } from "./platform/node/data-dir.js";
import { startDatabase } from "./platform/postgres/database-start.js";
import { watchDatabase } from "./platform/postgres/database-watch.js";
import { createDecisionContexts, SIMULATION_BOUNDS } from "./path/decide/context/decision-contexts.js";
import type { EvidenceFeed } from "./path/prober/evidence-feed.js";
import { createHealthReader } from "./features/provider-health/health-reader.js";
import { supervisePasswords } from "./features/accounts/password-thread.js";
import { createRefusalLog } from "./platform/postgres/refusals.js";
import { ownSecretKey } from "./platform/node/secret-key.js";
import { superviseTranslations } from "./features/policies/translate-thread.js";
import type { SharedCache } from "./platform/cache/cache-client.js";
import { superviseWriter } from "./path/writer/writer-thread.js";
import { createOutcomeValidator } from "./features/outcomes/wire/outcome-schema.js";
import { createPolicyValidator } from "./features/policies/wire/policy-validator.js";
import { createSecretBox } from "./platform/node/secret-box.js";
import { accountRoutes } from "./composition/accounts.js";
import { adminRoutes } from "./composition/administration.js";
import { composeAlerts } from "./composition/alerts.js";
import { composeAdmission } from "./composition/admission.js";
import { composeClock } from "./composition/clock.js";
import { composeCache } from "./composition/cache.js";
import {
  CLOSE_RESERVE_MS,
  createClosers,
  SERVER_STOP_MS,
  withinCloseTimeout,
  type AllClosers,
} from "./composition/closers.js";
import { composeDatabase } from "./composition/database.js";
import { composeDecisionIds } from "./composition/decision-ids.js";
import { composeDecisionLog } from "./composition/decision-log.js";
import { composeDecisionThreads } from "./composition/decision-threads.js";
import { composeDocs } from "./composition/docs.js";
import { composeNodeCopies } from "./composition/node-copies.js";
import { policyRoutes } from "./composition/policies.js";
import { composePricingRoutes } from "./composition/pricing.js";
import { composeReadiness, watchJournalRoom } from "./composition/readiness.js";
import { composeSharedLearning } from "./composition/shared-learning.js";
import { composeTracer, observerOfRoutes } from "./composition/tracing.js";
import {
  composePriceObserver,
  composeWebhookKeys,
  composeWebhookRoutes,
  logWrongSecretKey,
} from "./composition/webhooks.js";
import { ownFile } from "./platform/node/own-files.js";
import { readCaFile } from "./platform/settings/ca-file.js";
import type { Settings } from "./platform/settings/settings.js";
import { ensureDemo, type Demo } from "./composition/demo.js";
import type { Route } from "./path/front/route.js";
import { decisionRoute } from "./path/front/decision-route.js";
import { dashboardRoutes } from "./features/dashboard-files/routes.js";
import { livenessRoute } from "./features/operations/routes/liveness.js";
import { metricsRoute } from "./features/operations/routes/metrics.js";
import { outcomesRoute } from "./features/outcomes/routes.js";
import { providerHealthRoute } from "./features/provider-health/routes.js";
import { startHttpServer } from "./path/front/server.js";
import { loadStaticFiles } from "./platform/http/static-files.js";
import { createDiskRoomCheck } from "./platform/node/disk-room.js";
import type { JournalOptions } from "./path/journal/journal.js";
import { listenToChanges } from "./path/changes/change-listener.js";
import { migrate } from "./platform/postgres/migrate.js";
import { ensurePlatformAdmin } from "./features/platform-admin/platform-admin.js";
import { createDatabaseRead } from "./platform/postgres/database-read.js";
import { merchantKey, openReplica } from "./path/replica/replica.js";
import { createIdGenerator } from "./domain/ids/ids.js";
import { createRandomSource } from "./platform/node/random-source.js";
import type { Logger } from "./platform/telemetry/logger.js";
import { createMetrics } from "./platform/telemetry/metrics.js";
import { now } from "./platform/timing/clock.js";

export interface Prepared {
  /** Null without DEMO. */
  demo: Demo | null;
}

export interface Service {
  port: number;
  metricsPort: number;
  /** Every endpoint it answers, and to whom; /metrics has its own listener. */
  routes: readonly Route[];
  databaseUrl: string;
  /** Once PostgreSQL has been prepared; until then decisions are made from what this node knew last. Never rejects. */
  prepared: Promise<Prepared>;
  /** OPS-7: SIGTERM: everything accepted is answered and the journal drained within SHUTDOWN_GRACE_MS. */
  stop(): Promise<void>;
}

/** What `npm run build` makes of src/dashboard, in the build that this process started from. */
const DASHBOARD_DIR = dirname(ownFile("dashboard/index.html"));
/** How long the start waits for PostgreSQL before the node opens its doors without it (ready again within 5 s). */
const DATABASE_PATIENCE_MS = 3000;

/**
 * The one composition root: builds every part from the settings and starts it; undone in reverse. Where `signal` is
 * aborted before that, rejects with an AbortError once what had begun has ended.
 */
export async function startService(settings: Settings, log: Logger, signal?: AbortSignal): Promise<Service> {
  const closers = createClosers(log);
  try {
    return await compose(settings, log, closers, signal ?? new AbortController().signal);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function compose(
  settings: Settings,
  log: Logger,
  closers: AllClosers,
  stopping: AbortSignal,
): Promise<Service> {
  const cacheCa = await readCaFile("CACHE_CA_FILE", settings.cacheCaFile);
  const dataDir = resolve(settings.dataDir);
  closers.push(await claimDataDir(dataDir));
  const assertRoom = createDiskRoomCheck(dataDir);
  composeClock(log, closers);
  const ids = createIdGenerator(createRandomSource());
  const nextId = (): string => ids.next(now());
  /** Until when the journal may drain, and all has to be closed. A start that fails only closes, and takes its time. */
  let drainUntilMs = 0;
  let closeUntilMs = Number.POSITIVE_INFINITY;
  const metrics = createMetrics();
  const replica = openReplica(dataDir, assertRoom);
  closers.push(() => replica.close());
  const journal: JournalOptions = {
    dataDir,
    bytesMax: settings.journalMaxBytes,
    syncEveryCommit: settings.journalSync === "always",
  };
  const ownNodeId = await nodeId(dataDir, nextId);
  const secretKey =
    settings.secretKey ?? (settings.database.kind === "embedded" ? await ownSecretKey(dataDir) : null);
  const decisionIds = await composeDecisionIds({ dataDir, nodeId: ownNodeId, secretKey, log, closers });
  const sharedCache: SharedCache | null =
    settings.cacheUrl === null
      ? null
      : { url: settings.cacheUrl, ca: cacheCa, timeoutMs: settings.cacheTimeoutMs, nodeId: ownNodeId };
  const cache = await composeCache({ shared: sharedCache, metrics, log });
  closers.push(() => cache.close());
  const alerts = composeAlerts({
    nodeId: ownNodeId,
    database: () => database.pool,
    databaseIsReachable,
    nextId,
    metrics,
    log,
  });
  let learning: EvidenceFeed | null = null;
  const { prober, pool, ready } = composeDecisionThreads({
    settings,
    dataDir,
    journal,
    identity: decisionIds.memory,
    cache: sharedCache,
    replica,
    onHealthChanges: alerts.note,
    onProberReplaced: () => learning?.restart(),
    metrics,
    log,
    closers,
  });

  const database = await composeDatabase({
    settings,
    dataDir,
    closeWithinMs: () => closeUntilMs - performance.now(),
    stopping,
    log,
    closers,
  });
  const { tenants } = database;
  closers.push(() => withinCloseTimeout(decisionIds.giveBack(database.pool)));
  closers.push(() => alerts.close());
  const secretBox = secretKey === null ? null : createSecretBox(secretKey);
  const webhookKeys = composeWebhookKeys(replica, secretBox);
  const copies = composeNodeCopies({
    database: database.pool,
    databaseIsReachable,
    replica,
    prober,
    announce: () => cache.announce({}),
    decisionsMade: pool.committedSequence,
    keyLookupPatienceMs: settings.patience.keyLookupPatienceMs,
    metrics,
    log,
    closers,
  });
  const { keys, applyChangesNow } = copies;

  learning = composeSharedLearning({ database: database.pool, databaseIsReachable, prober, metrics, log });
  closers.push(() => learning?.close());
  let demo: Demo | null = null;
  let resolvePrepared: (prepared: Prepared) => void = () => undefined;
  const prepared = new Promise<Prepared>((resolve) => {
    resolvePrepared = resolve;
  });
  const databaseStart = startDatabase({
    async prepare() {
      await migrate(database.url, ownFile("migrations"), ownNodeId);
      await decisionIds.claim(database.pool, pool.committedSequence);
      if (await ensurePlatformAdmin(database.pool, settings.platformAdmin, nextId))
        log.warn("PLATFORM_ADMIN_EMAIL is not set: who was the platform admin is it no more");
      if (settings.demo) demo = await ensureDemo(database.pool, dataDir, nextId);
      await copies.start();
      // A start with a wrong SECRET_KEY says so in one line: of webhook secrets, where there are some.
      if (!logWrongSecretKey(webhookKeys, log)) decisionIds.logKeyMismatch();
      await learning?.start();
    },
    patienceMs: DATABASE_PATIENCE_MS,
    stopping,
    onPrepared() {
      resolvePrepared({ demo });
      // Later than the patience of the start: nobody else would say so.
      metrics.database(true);
      const listener = listenToChanges({ connectionString: database.url, onChange: copies.wake });
      closers.push(() => withinCloseTimeout(listener.close()));
    },
    onFailure: (error) => log.warn({ err: error }, "PostgreSQL cannot be used yet; trying again"),
  });
  closers.push(() => databaseStart.close());
  cache.listen(({ revokedKey }) => {
    // Forgotten even where PostgreSQL cannot be asked.
    if (revokedKey !== undefined) keys.revoke(revokedKey);
    copies.wake();
  });
  // Its thread is loaded while the database is prepared.
  const writer = superviseWriter({
    file: ownFile("workers/writer.js"),
    workerData: { dataDir, journal, databaseUrl: database.url, nodeId: ownNodeId },
    journalMaxBytes: settings.journalMaxBytes,
    committedSequence: pool.committedSequence,
    databaseIsReachable,
    metrics,
    log,
  });
  closers.push(() => writer.stop(drainUntilMs - performance.now()));
  // Compiled while the database is waited for.
  const policyValidator = createPolicyValidator({ providers: settings.providers, nextId });
  await databaseStart.settled;
  writer.begin();
  const timeoutMs = settings.patience.databaseReadTimeoutMs;
  const watch = watchDatabase(database.watchPool, timeoutMs, (reachable) => {
    metrics.database(reachable);
    if (reachable) log.info("PostgreSQL answers again");
    else log.warn("PostgreSQL does not answer");
  });
  metrics.database(databaseStart.isPrepared());
  closers.push(() => watch.close());
  /** Given to parts that are made above, which ask while PostgreSQL is being prepared as well. */
  function databaseIsReachable(): boolean {
    return databaseStart.isPrepared() && watch.reachable();
  }
  await Promise.all([ready, writer.ready, cache.started]);
  stopping.throwIfAborted();

  alerts.start();
  const persisted = (timeoutMs: number): Promise<boolean> =>
    writer.persistedThrough(pool.committedSequence(), timeoutMs);
  const onRefusal = createRefusalLog(log, "PostgreSQL refuses what is asked of it");
  const read = createDatabaseRead({ isReachable: databaseIsReachable, persisted, timeoutMs, onRefusal });
  const attempt = createDatabaseRead({
    isReachable: databaseIsReachable,
    // Accounts are read and written at once, not through the journal.
    persisted: () => Promise.resolve(true),
    timeoutMs,
    onRefusal,
  });
  const decisionLog = composeDecisionLog({
    database,
    patience: settings.patience,
    read,
    committedSequence: pool.committedSequence,
    metrics,
    log,
    closers,
  });
  const passwordWork = supervisePasswords({ file: ownFile("workers/password.js"), metrics, log });
  closers.push(() => passwordWork.stop());
  const translations = superviseTranslations({ file: ownFile("workers/translate.js"), metrics, log });
  closers.push(() => translations.stop());
  const prices = composePriceObserver(database.pool, tenants, databaseIsReachable, log);
  closers.push(() => withinCloseTimeout(prices.close()));
  const tracer = composeTracer(settings.otlpEndpoint, log, closers);
  const contexts = createDecisionContexts(replica, settings.riskBlockThreshold, SIMULATION_BOUNDS);
  const backtests = createBacktests({ file: ownFile("workers/backtest.js"), databaseUrl: database.url, log });
  closers.push(() => backtests.close());
  let accepting = true;
  const shared = {
    ...composeAdmission({
      settings,
      database: database.pool,
      attempt,
      keys,
      replica,
      cache,
      onRateLimited: metrics.rateLimited,
    }),
    trustProxyHops: settings.trustProxyHops,
    observerOf: metrics.httpObserver,
    nextRequestId: () => ids.nextUnwritten(now()),
    onHandlerError: (error: unknown) => log.error({ err: error }, "a request handler failed"),
  };
  const journalIsWritable = watchJournalRoom(dataDir, writer.journalIsFull);
  const metricsPage = metricsRoute({
    text: () => metrics.text(pool.stats(), journalIsWritable()),
    contentType: metrics.contentType,
  });
  const metricsServer = await startHttpServer({
    ...shared,
    host: settings.metricsHost,
    port: settings.metricsPort,
    routes: [metricsPage],
  });
  closers.push(() => metricsServer.stop(0));
  const routes: Route[] = [
    decisionRoute({
      submit: pool.submit,
      journalIsFull: writer.journalIsFull,
      lookUpMerchant: (workspaceId, merchantId) =>
        copies.mayLackRecords()
          ? attempt(() =>
              applyChangesNow([
                { kind: "workspace", workspaceId, key: "" },
                { kind: "merchant", workspaceId, key: merchantId },
              ]),
            ).then((looked) => looked !== "unavailable")
          : null,
      metrics,
      trace: tracer?.noteDecision ?? null,
    }),
    outcomesRoute({
      validator: createOutcomeValidator(settings.providers),
      decisionIds: decisionIds.ids,
      submit: pool.submitOutcome,
      journalIsFull: writer.journalIsFull,
      metrics,
    }),
    providerHealthRoute(createHealthReader(replica).snapshots),
    ...decisionLog.routes,
    ...policyRoutes({
      tenants,
      isReachable: databaseIsReachable,
      timeoutMs,
      onError: (err, suppressed) => log.warn({ err, suppressed }, "policies cannot be read or written"),
      nextId,
      applyChangesNow,
      kept: settings.kept,
      providers: settings.providers,
      validator: policyValidator,
      contexts,
      startBacktest: backtests.start,
      translations,
      readable: async () => (await read(async () => true)) === true,
      isMerchant: (workspaceId, merchantId) => {
        replica.refresh();
        return replica.read(merchantKey(workspaceId, merchantId)) !== undefined;
      },
      now,
    }),
    ...composePricingRoutes({
      tenants,
      log,
      applyChangesNow,
      settings,
      databaseIsReachable,
      nextId,
    }),
    ...composeWebhookRoutes({
      tenants,
      keys: webhookKeys,
      hasSecrets: copies.hasWebhookSecrets,
      applyChangesNow,
      box: secretBox,
      log,
      settings,
      rateWindow: cache.window("webhook", settings.webhookRateLimitPerMinute),
      metrics,
      databaseIsReachable,
      nextId,
      feeStored: prices.feeStored,
    }),
    ...adminRoutes({
      pool: database.pool,
      tenants,
      read: decisionLog.read,
      isReachable: databaseIsReachable,
      timeoutMs,
      onError: (err, suppressed) =>
        log.warn({ err, suppressed }, "what is administered cannot be read or changed"),
      nextId,
      applyChangesNow,
      kept: settings.kept,
      providers: settings.providers,
      riskBlockThreshold: settings.riskBlockThreshold,
      now,
    }),
    ...accountRoutes({
      pool: database.pool,
      tenants,
      attempt,
      passwordWork,
      decisionsMade: pool.committedSequence,
      settings,
      onRateLimited: metrics.rateLimited,
      nextId,
      now,
      forgetKey(publicId) {
        keys.revoke(publicId);
        cache.announce({ revokedKey: publicId });
      },
      applyChangesNow,
    }),
    ...dashboardRoutes(await loadStaticFiles(DASHBOARD_DIR)),
    livenessRoute(() => new Date(now())),
    composeReadiness({
      isAccepting: () => accepting,
      databaseIsReachable,
      isStalled: writer.isStalled,
      journalIsWritable,
      replicaIsReadable: replica.isReadable,
      cache: cache.client,
    }),
  ];
  const server = await startHttpServer({
    ...shared,
    observerOf: observerOfRoutes(metrics, tracer),
    host: settings.host,
    port: settings.port,
    routes: [...routes, ...composeDocs([...routes, metricsPage], settings.providers)],
  });
  // Half of the grace period at most: a peer that does not send its body must not keep the journal from draining.
  closers.push(() => server.stop(settings.shutdownGraceMs / 2));
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    routes: server.routes,
    databaseUrl: database.url,
    prepared,
    async stop() {
      accepting = false;
      closeUntilMs = performance.now() + settings.shutdownGraceMs;
      const serverStopMs = settings.database.kind === "embedded" ? SERVER_STOP_MS : 0;
      // Of a short grace period the journal has at least half.
      drainUntilMs = closeUntilMs - Math.min(CLOSE_RESERVE_MS + serverStopMs, settings.shutdownGraceMs / 2);
      await closers.closeAll();
    },
  };
}
