import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { accountRoutes } from "./account-routes.js";
import { createAlertSync } from "./actors/alert-sync.js";
import { createBacktests } from "./actors/backtest-thread.js";
import { createCatalogSync } from "./actors/catalog-sync.js";
import { claimDataDir, nodeId } from "./actors/data-dir.js";
import { startDatabase } from "./actors/database-start.js";
import { watchDatabase } from "./actors/database-watch.js";
import { createDecisionContexts } from "./actors/decision-contexts.js";
import { createDecisionPool } from "./actors/decision-pool.js";
import { createHealthReader } from "./actors/health-reader.js";
import type { WorkspaceOverrides, WorkspaceReports } from "./actors/messages.js";
import { createRememberedSync, rememberedBy } from "./actors/remembered-sync.js";
import { superviseProber } from "./actors/prober-thread.js";
import { supervisePasswords } from "./actors/password-thread.js";
import { superviseReader } from "./actors/reader-thread.js";
import type { DecideWorkerSettings, SharedCache } from "./actors/worker-data.js";
import { superviseTranslations } from "./actors/translate-thread.js";
import { superviseWriter } from "./actors/writer-thread.js";
import { ownSecretKey } from "./actors/secret-key.js";
import { createSecretBox } from "./auth/secret-box.js";
import { WebhookKeys } from "./auth/webhook-secrets.js";
import { createSessionCheck } from "./auth/sessions.js";
import { adminRoutes } from "./admin-routes.js";
import { createOutcomeValidator } from "./api/outcome-schema.js";
import { createApiKeyCache } from "./auth/api-key-cache.js";
import { findStoredApiKey, findStoredApiKeys } from "./auth/find-api-key.js";
import { createKeyUses } from "./auth/key-uses.js";
import { createRememberedKeysSync } from "./auth/remembered-keys-sync.js";
import { rememberKeysInReplica } from "./auth/remembered-keys.js";
import type { Settings } from "./config/settings.js";
import { composeCache } from "./compose-cache.js";
import { composeDocs } from "./compose-docs.js";
import { composePricingRoutes, composePricingSync } from "./compose-pricing.js";
import { composeProviderReports } from "./compose-provider-reports.js";
import { composePriceObserver, composeWebhookKeysSync, composeWebhookRoutes } from "./compose-webhooks.js";
import { ensureDemo, type Demo } from "./demo.js";
import { createPolicyValidator } from "./api/policy-validator.js";
import { createAdmission } from "./http/admission.js";
import { createAttemptAdmission } from "./http/attempt-admission.js";
import type { Route } from "./http/route.js";
import { decisionAggregateRoute } from "./http/routes/decision-aggregate.js";
import { decisionDetailRoute } from "./http/routes/decision-detail.js";
import { decisionListRoute } from "./http/routes/decision-list.js";
import { decisionReplayRoute } from "./http/routes/decision-replay.js";
import { decisionReviewRoute } from "./http/routes/decision-review.js";
import { decisionRoute } from "./http/routes/decision.js";
import { dashboardRoutes } from "./http/routes/dashboard.js";
import { livenessRoute } from "./http/routes/liveness.js";
import { metricsRoute } from "./http/routes/metrics.js";
import { outcomesRoute } from "./http/routes/outcomes.js";
import { providerHealthRoute } from "./http/routes/provider-health.js";
import { readinessRoute } from "./http/routes/readiness.js";
import { shadowReportRoute } from "./http/routes/shadow-report.js";
import { startHttpServer, type HttpServerOptions } from "./http/server.js";
import { loadStaticFiles } from "./http/static-files.js";
import { createSessionAdmission } from "./http/session-admission.js";
import { createDiskRoomCheck } from "./journal/disk-room.js";
import type { JournalOptions } from "./journal/journal.js";
import { storeAlerts } from "./persistence/alert-writer.js";
import { loadCatalog } from "./persistence/catalog-queries.js";
import { isCatalogTable, listenToCatalog, type CatalogTable } from "./persistence/catalog-listener.js";
import { findDecisionFacts } from "./persistence/decision-facts.js";
import { startEmbeddedPostgres } from "./persistence/embedded-postgres.js";
import { migrate } from "./persistence/migrate.js";
import { loadOverrides } from "./persistence/override-queries.js";
import { readOtherStandings } from "./persistence/journal-standings.js";
import { createPool } from "./persistence/pool.js";
import { createTenantDb } from "./persistence/tenant-db.js";
import { resolveReview, type ReviewRequest, type ReviewResult } from "./persistence/review-queries.js";
import { policyRoutes } from "./policy-routes.js";
import { ensurePlatformAdmin } from "./platform-admin.js";
import { amountBucket } from "./read/amount-bucket.js";
import { createAggregateCache } from "./read/aggregate-cache.js";
import { createDatabaseRead } from "./read/database-read.js";
import { createDecisionLookup } from "./read/decision-lookup.js";
import type { ReadLog } from "./read/read-log.js";
import { merchantKey, openReplica } from "./replica/replica.js";
import { monotonicMs } from "./shared/clock.js";
import { coalesce } from "./shared/coalesce.js";
import { createIdGenerator } from "./shared/ids.js";
import { createRandomSource } from "./shared/random-source.js";
import { LIMITS } from "./shared/limits.js";
import { within } from "./shared/within.js";
import type { Logger } from "./telemetry/logger.js";
import { createMetrics, type Metrics } from "./telemetry/metrics.js";
import { createSpanExporter } from "./telemetry/span-exporter.js";
import { createTracer, type Tracer } from "./telemetry/tracer.js";

export interface Service {
  port: number;
  metricsPort: number;
  /** Every endpoint it answers, and to whom; /metrics has its own listener. */
  routes: readonly Route[];
  databaseUrl: string;
  /** False while PostgreSQL has not answered since the start: decisions are made from what this node knew last. */
  isReady(): boolean;
  /** Null without DEMO, and until PostgreSQL has answered. */
  demo(): Demo | null;
  /** contract §9 SIGTERM: everything accepted is answered and the journal drained within SHUTDOWN_GRACE_MS. */
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const workerFile = (name: string): string => fileURLToPath(new URL(`../workers/${name}.js`, import.meta.url));

/** What `npm run build` makes of src/dashboard. */
const DASHBOARD_DIR = resolve(root, "dist/dashboard");

/** The mock providers' seed: the same probes on every node. */
const PROBE_SEED = 1;
/** How long the start waits for PostgreSQL before the node opens its doors without it (ready again within 5 s). */
const DATABASE_PATIENCE_MS = 3000;
/** A connection to a frozen PostgreSQL never closes by itself. */
const CONNECTION_CLOSE_TIMEOUT_MS = 250;
/** The part of SHUTDOWN_GRACE_MS that is kept for closing everything once the journal had its time. */
const CLOSE_RESERVE_MS = 4 * CONNECTION_CLOSE_TIMEOUT_MS;
/** Of each of the two pools of the front thread. */
const DATABASE_CONNECTIONS_MAX = 6;
/** Tables whose changes go to copies of their own. */
const NOT_IN_THE_CATALOG: ReadonlySet<CatalogTable> = new Set([
  "provider_overrides",
  "merchant_prices",
  "webhook_secrets",
  "provider_incidents",
]);

/** The one composition root: builds every part from the settings and starts it; undone in reverse. */
export async function startService(settings: Settings, log: Logger): Promise<Service> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) {
      try {
        await closer();
      } catch (error) {
        log.error({ err: error }, "a part did not close");
      }
    }
  };
  try {
    return await compose(settings, log, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function compose(
  settings: Settings,
  log: Logger,
  closers: (() => Promise<unknown> | void)[],
  close: () => Promise<void>,
): Promise<Service> {
  const dataDir = resolve(settings.dataDir);
  closers.push(await claimDataDir(dataDir));
  const ids = createIdGenerator(createRandomSource());
  const nextId = (): string => ids.next(Date.now());
  /** Until when the journal may drain; a start that fails has no time for it. */
  let drainUntilMs = 0;
  const metrics = createMetrics();
  const replica = openReplica(dataDir, createDiskRoomCheck(dataDir));
  closers.push(() => replica.close());

  // Threads that need no database start while it does.
  const journal: JournalOptions = {
    dataDir,
    bytesMax: settings.journalMaxBytes,
    syncEveryCommit: settings.journalSync === "always",
  };
  const ownNodeId = await nodeId(dataDir, nextId);
  const sharedCache: SharedCache | null =
    settings.cacheUrl === null
      ? null
      : { url: settings.cacheUrl, timeoutMs: settings.cacheTimeoutMs, nodeId: ownNodeId };
  const cache = await composeCache({ shared: sharedCache, metrics, log });
  closers.push(() => cache.close());
  const alerts = createAlertSync({
    store: (batch) => storeAlerts(database, ownNodeId, batch, nextId),
    isReachable: () => databaseIsReachable(),
    now: Date.now,
    onError: (error) => log.warn({ err: error }, "alerts are not stored yet; trying again"),
  });
  const prober = superviseProber({
    file: workerFile("prober"),
    workerData: {
      dataDir,
      providers: settings.providers,
      currencies: settings.probeCurrencies,
      intervalMs: settings.probeIntervalMs,
      seed: PROBE_SEED,
      overrides: rememberedBy<WorkspaceOverrides>(replica, "provider_overrides"),
      reports: rememberedBy<WorkspaceReports>(replica, "provider_reports"),
    },
    metrics,
    onHealthChanges: alerts.note,
    log,
  });
  closers.push(() => prober.stop());
  const decideData: DecideWorkerSettings = {
    dataDir,
    providers: settings.providers,
    journal: settings.benchNoPersistence ? null : journal,
    cache: sharedCache,
  };
  const pool = createDecisionPool({
    workerFile: workerFile("decide"),
    workerData: decideData,
    workers: settings.decisionWorkers,
    workersHaveConnections: sharedCache !== null,
    onBatch: metrics.batchDispatched,
    onCacheRoundTrip: metrics.cacheRoundTrip,
    onWorkerError: (error) => log.error({ err: error }, "a decide worker failed; its batch is decided again"),
    onWorkerDeath: () => metrics.workerCrashed("decide"),
    onJournalChange: (reason) => {
      if (reason === null) log.info("the journal takes records again");
      else log.error({ reason }, "the journal takes no records; decisions are answered 503");
    },
    stuckAfterMs: LIMITS.decisionStuckMs,
    onStuck: () => {
      log.fatal(
        "no decide worker ends its task: the journal's lock is held by a dead one; ending the process",
      );
      // An orderly exit would wait for the thread that never ends.
      process.kill(process.pid, "SIGKILL");
    },
  });
  closers.push(() => pool.close());
  const threadsReady = Promise.all([prober.ready, pool.warmUp()]);
  // A failure is reported where it is awaited.
  threadsReady.catch(() => undefined);

  let databaseUrl: string;
  if (settings.database.kind === "embedded") {
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    closers.push(() => embedded.stop());
    databaseUrl = embedded.url;
  } else {
    databaseUrl = settings.database.url;
  }
  const database = createPool({
    connectionString: databaseUrl,
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
    applicationName: "payinference-front",
  });
  closers.push(() => withinCloseTimeout(database.end()));
  const tenants = createTenantDb({
    connectionString: databaseUrl,
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
    applicationName: "payinference-tenants",
  });
  closers.push(() => withinCloseTimeout(tenants.end()));
  closers.push(() => alerts.close());

  const catalog = createCatalogSync({
    load: () => loadCatalog(database),
    replica,
    riskBlockThreshold: settings.riskBlockThreshold,
    onError: (error) => log.warn({ err: error }, "the catalog could not be refreshed"),
  });
  const pricing = composePricingSync({ database, replica, log });
  const secretKey =
    settings.secretKey ?? (settings.database.kind === "embedded" ? await ownSecretKey(dataDir) : null);
  const secretBox = secretKey === null ? null : createSecretBox(secretKey);
  const webhookKeys = new WebhookKeys(secretBox);
  const webhookKeysSync = composeWebhookKeysSync(database, webhookKeys, log);
  const findKey = findStoredApiKey(database);
  const rememberedKeys = rememberKeysInReplica(replica);
  const rememberedKeysSync = createRememberedKeysSync({
    remembered: rememberedKeys,
    find: findStoredApiKeys(database),
    rowsMax: LIMITS.keyRecallRowsMax,
    onError: (error) => log.warn({ err: error }, "remembered keys could not be compared with PostgreSQL"),
  });
  const keyUses = createKeyUses(database, () => databaseIsReachable());
  closers.push(() => withinCloseTimeout(keyUses.close()));
  const overrides = createRememberedSync({
    name: "provider_overrides",
    load: () => loadOverrides(database),
    show: prober.setOverrides,
    replica,
    onError: (error) => log.warn({ err: error }, "provider overrides could not be refreshed"),
  });
  const providerReports = composeProviderReports({
    database,
    databaseIsReachable: () => databaseIsReachable(),
    show: prober.setReports,
    replica,
    log,
  });
  closers.push(() => providerReports.close());
  const keys = createApiKeyCache(
    // A key whose cached grant ran out must not wait for the time-outs of a database that is known to be away.
    (publicId) =>
      databaseIsReachable() ? findKey(publicId) : Promise.reject(new Error("PostgreSQL is away")),
    rememberedKeys,
    metrics.keyLookup,
    keyUses.note,
  );

  const onCatalogChange = (table: CatalogTable | null): void => {
    if (table === null || table === "merchant_prices") pricing.refreshSoon();
    if (table === null || table === "webhook_secrets" || table === "workspaces")
      webhookKeysSync.refreshSoon();
    if (table === null || table === "provider_overrides") overrides.refreshSoon();
    if (table === null || table === "provider_incidents") providerReports.refreshSoon();
    if (table !== null && NOT_IN_THE_CATALOG.has(table)) return;
    if (table === null || table === "workspaces" || table === "api_keys") {
      keys.invalidateAll();
      rememberedKeysSync.refreshSoon();
    }
    if (table !== "api_keys") catalog.refreshSoon();
  };
  /** What this node changes and sees by `refresh`, the others hear of as well. */
  const announced = (changed: CatalogTable, refresh: () => Promise<void>) => (): Promise<void> => {
    cache.announce({ changed });
    return refresh();
  };

  let demo: Demo | null = null;
  const databaseStart = startDatabase({
    async prepare() {
      await migrate(databaseUrl, resolve(root, "migrations"));
      if (settings.platformAdmin !== null)
        await ensurePlatformAdmin(database, settings.platformAdmin, nextId);
      if (settings.demo) demo = await ensureDemo(database, dataDir, nextId);
      await catalog.refresh();
      await overrides.refresh();
      await pricing.refresh();
      await webhookKeysSync.refresh();
      await providerReports.refresh();
    },
    patienceMs: DATABASE_PATIENCE_MS,
    onPrepared() {
      // Later than the patience of the start: nobody else would say so.
      metrics.database(true);
      const listener = listenToCatalog({
        connectionString: databaseUrl,
        onChange: onCatalogChange,
      });
      closers.push(() => withinCloseTimeout(listener.close()));
    },
    onFailure: (error) => log.warn({ err: error }, "PostgreSQL cannot be used yet; trying again"),
  });
  closers.push(() => databaseStart.close());
  cache.listen(({ changed, revokedKey }) => {
    // Forgotten even where PostgreSQL cannot be asked.
    if (revokedKey !== undefined) keys.revoke(revokedKey);
    if (isCatalogTable(changed)) onCatalogChange(changed);
  });
  // Compiled while the database is waited for.
  const policyValidator = createPolicyValidator({ providers: settings.providers, nextId });
  await databaseStart.settled;

  const writer = superviseWriter({
    file: workerFile("writer"),
    workerData: { dataDir, journal, databaseUrl, nodeId: ownNodeId },
    journalMaxBytes: settings.journalMaxBytes,
    metrics,
    log,
  });
  closers.push(() => writer.stop(drainUntilMs - performance.now()));
  const watchPool = createPool({
    connectionString: databaseUrl,
    connectionsMax: 1,
    statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
    applicationName: "payinference-watch",
  });
  closers.push(() => withinCloseTimeout(watchPool.end()));
  const watch = watchDatabase(watchPool, (reachable) => {
    metrics.database(reachable);
    if (reachable) log.info("PostgreSQL answers again");
    else log.warn("PostgreSQL does not answer");
  });
  metrics.database(databaseStart.isPrepared());
  closers.push(() => watch.close());
  const databaseIsReachable = (): boolean => databaseStart.isPrepared() && watch.reachable();
  await Promise.all([threadsReady, writer.ready, cache.started]);

  alerts.start();
  const health = createHealthReader(replica);
  const read = createDatabaseRead({
    isReachable: databaseIsReachable,
    persisted: (timeoutMs) => writer.persistedThrough(pool.committedSequence(), timeoutMs),
    timeoutMs: LIMITS.databaseReadTimeoutMs,
  });
  const attempt = createDatabaseRead({
    isReachable: databaseIsReachable,
    // Accounts are read and written at once, not through the journal.
    persisted: () => Promise.resolve(true),
    timeoutMs: LIMITS.databaseReadTimeoutMs,
  });
  let reviews = 0;
  const resolveAsked = (request: Omit<ReviewRequest, "nowMs">): Promise<ReviewResult | "unavailable"> => {
    // Before the commit: an aggregate that is computed meanwhile is not kept.
    reviews++;
    return read(() =>
      resolveReview(tenants.of(request.workspaceId), { ...request, nowMs: Date.now() }),
    ).finally(() => reviews++);
  };
  const reader = superviseReader({ file: workerFile("reader"), workerData: { databaseUrl }, metrics, log });
  closers.push(() => reader.stop());
  const passwordWork = supervisePasswords({ file: workerFile("password"), metrics, log });
  closers.push(() => passwordWork.stop());
  const translations = superviseTranslations({ file: workerFile("translate"), metrics, log });
  closers.push(() => translations.stop());
  const readLog: ReadLog = (request) =>
    read(async () => {
      const json = await reader.read(request);
      return json === null ? null : { json };
    });
  const aggregates = createAggregateCache({
    aggregate: async (scope) => (await readLog({ kind: "aggregate", scope })) ?? "unavailable",
    writes: () => pool.committedSequence() + reviews,
    now: () => performance.now(),
  });
  const prices = composePriceObserver(database, tenants, databaseIsReachable, log);
  closers.push(() => withinCloseTimeout(prices.close()));
  let tracer: Tracer | null = null;
  if (settings.otlpEndpoint !== null) {
    const exporter = createSpanExporter({
      endpoint: settings.otlpEndpoint,
      onChange: (reason) => {
        if (reason === null) log.info("the collector takes traces again");
        else log.warn({ reason }, "the collector takes no traces; they are dropped");
      },
    });
    closers.push(() => withinCloseTimeout(exporter.close()));
    tracer = createTracer({ exporter, amountBucket, now: Date.now });
  }
  const contexts = createDecisionContexts(replica);
  const backtests = createBacktests({ file: workerFile("backtest"), databaseUrl, log });
  closers.push(() => backtests.close());
  let accepting = true;
  const limiting = {
    rateWindow: cache.window("principal", settings.rateLimitPerMinute),
    now: Date.now,
    onRateLimited: metrics.rateLimited,
  };
  const admitSession = createSessionAdmission({
    authenticateKey: keys.authenticate,
    authenticateSession: createSessionCheck(database, attempt),
    ...limiting,
  });
  const shared = {
    admit: createAdmission({ authenticate: keys.authenticate, admitSession, ...limiting }),
    admitSession,
    admitAttempt: createAttemptAdmission({
      ...limiting,
      rateWindow: cache.window("attempt", settings.authRateLimitPerMinute),
    }),
    trustProxyHops: settings.trustProxyHops,
    observerOf: metrics.httpObserver,
    nextRequestId: () => ids.nextUnwritten(Date.now()),
    onHandlerError: (error: unknown) => log.error({ err: error }, "a request handler failed"),
  };
  const metricsPage = metricsRoute({
    text: () => metrics.text(pool.stats()),
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
      metrics,
      trace: tracer?.noteDecision ?? null,
    }),
    outcomesRoute({
      validator: createOutcomeValidator(settings.providers),
      lookUp: createDecisionLookup({
        find: (keys) => findDecisionFacts(database, keys),
        isReachable: databaseIsReachable,
        persisted: () => writer.persistedThrough(pool.committedSequence(), LIMITS.databaseReadTimeoutMs),
        standings: coalesce(() => readOtherStandings(database, ownNodeId)),
        backForMs: () => watch.backForMs(),
        now: monotonicMs,
      }),
      submit: pool.submitOutcome,
      journalIsFull: writer.journalIsFull,
      onStored: prober.recordOutcome,
      metrics,
    }),
    providerHealthRoute(health.snapshots),
    decisionListRoute(readLog, Date.now),
    decisionAggregateRoute(aggregates),
    shadowReportRoute(readLog),
    decisionReviewRoute(resolveAsked),
    decisionDetailRoute(readLog),
    decisionReplayRoute(readLog),
    ...policyRoutes({
      tenants,
      isReachable: databaseIsReachable,
      timeoutMs: LIMITS.databaseReadTimeoutMs,
      onError: (error) => log.warn({ err: error }, "policies cannot be read or written"),
      nextId,
      decideByNow: announced("policies", catalog.refresh),
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
      now: Date.now,
    }),
    ...composePricingRoutes({
      tenants,
      replica,
      log,
      sync: { ...pricing, refresh: announced("merchant_prices", pricing.refresh) },
      providers: settings.providers,
      databaseIsReachable,
      nextId,
    }),
    ...composeWebhookRoutes({
      tenants,
      keys: webhookKeys,
      sync: { ...webhookKeysSync, refresh: announced("webhook_secrets", webhookKeysSync.refresh) },
      box: secretBox,
      log,
      providers: settings.providers,
      rateWindow: cache.window("webhook", settings.webhookRateLimitPerMinute),
      trustProxyHops: settings.trustProxyHops,
      onRateLimited: metrics.rateLimited,
      databaseIsReachable,
      nextId,
      feeStored: prices.feeStored,
    }),
    ...adminRoutes({
      tenants,
      read: readLog,
      isReachable: databaseIsReachable,
      timeoutMs: LIMITS.databaseReadTimeoutMs,
      onError: (error) => log.warn({ err: error }, "what is administered cannot be read or changed"),
      nextId,
      decideByNow: announced("merchants", catalog.refresh),
      pinByNow: announced("provider_overrides", overrides.refresh),
      providers: settings.providers,
      now: Date.now,
    }),
    ...accountRoutes({
      pool: database,
      tenants,
      attempt,
      passwordWork,
      decisionsMade: pool.committedSequence,
      settings: {
        listenHost: settings.host,
        trustProxyHops: settings.trustProxyHops,
      },
      nextId,
      now: Date.now,
      forgetKey(publicId) {
        keys.revoke(publicId);
        cache.announce({ changed: "api_keys", revokedKey: publicId });
      },
      decideByNow: announced("merchants", catalog.refresh),
      async admitByNow() {
        cache.announce({ changed: "workspaces" });
        keys.invalidateAll();
        await Promise.all([catalog.refresh(), rememberedKeysSync.refresh(), webhookKeysSync.refresh()]);
      },
    }),
    ...dashboardRoutes(await loadStaticFiles(DASHBOARD_DIR)),
    livenessRoute(() => new Date()),
    readinessRoute(() => ({
      accepting,
      checks:
        cache.client === null
          ? { postgres: databaseIsReachable(), lmdb: replica.isReadable() }
          : { postgres: databaseIsReachable(), valkey: cache.client.isReachable() },
    })),
  ];
  const server = await startHttpServer({
    ...shared,
    observerOf: observerOfRoutes(metrics, tracer),
    host: settings.host,
    port: settings.port,
    routes: [...routes, ...(await composeDocs([...routes, metricsPage], settings.providers))],
  });
  // Half of the grace period at most: a peer that does not send its body must not keep the journal from draining.
  closers.push(() => server.stop(settings.shutdownGraceMs / 2));
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    routes: server.routes,
    databaseUrl,
    isReady: databaseIsReachable,
    demo: () => demo,
    async stop() {
      accepting = false;
      drainUntilMs = performance.now() + settings.shutdownGraceMs - CLOSE_RESERVE_MS;
      await close();
    },
  };
}

/** Metrics of every route; traces of the interface's own, and not of the probes for its life. */
function observerOfRoutes(metrics: Metrics, tracer: Tracer | null): HttpServerOptions["observerOf"] {
  if (tracer === null) return metrics.httpObserver;
  return (route) => {
    const count = metrics.httpObserver(route);
    if (!route.startsWith("/v1/")) return count;
    const trace = tracer.observer(route);
    return (status, seconds, exchange) => {
      count(status, seconds);
      trace(status, seconds, exchange);
    };
  };
}

async function withinCloseTimeout(closing: Promise<unknown>): Promise<void> {
  await within(closing, CONNECTION_CLOSE_TIMEOUT_MS, undefined);
}
