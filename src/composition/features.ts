import { dirname } from "node:path";
import { alertRoutes } from "../features/alerts/routes.js";
import { analyticsRoutes } from "../features/analytics/routes.js";
import { auditRoutes } from "../features/audit/routes.js";
import { dashboardRoutes, withSingleSignOn } from "../features/dashboard-files/routes.js";
import { decisionRoutes } from "../features/decisions/routes/decision-routes.js";
import { findCodes } from "../features/one-time-codes/queries.js";
import { metricsRoute, operationRoutes } from "../features/operations/routes.js";
import { outcomeRoutes } from "../features/outcomes/routes.js";
import { overrideRoutes } from "../features/overrides/routes.js";
import { createBacktests } from "../features/policies/backtest/backtest-thread.js";
import { policyRoutes } from "../features/policies/routes/policy-routes.js";
import { superviseTranslations } from "../features/policies/translate-thread.js";
import type { PolicyValidator } from "../features/policies/wire/policy-validator.js";
import { pricingRoutes } from "../features/pricing/routes/pricing-routes.js";
import { providerHealthRoutes } from "../features/provider-health/routes.js";
import { requestLogRoutes } from "../features/request-log/routes.js";
import { createRequestLog, type RequestLog } from "../features/request-log/service.js";
import { policyTemplateRoutes } from "../features/policy-templates/routes.js";
import { retryRuleRoutes } from "../features/retry-rules/routes.js";
import { reviewRoutes } from "../features/reviews/routes.js";
import { savedViewRoutes } from "../features/saved-views/routes.js";
import { usageRoutes } from "../features/usage/routes.js";
import { webhookRoutes } from "../features/webhooks/routes/webhook-routes.js";
import { workspaceRoutes } from "../features/workspaces/routes/workspace-routes.js";
import { createDecisionContexts, SIMULATION_BOUNDS } from "../path/decide/context/decision-contexts.js";
import { createKeptLookup } from "../features/retention/service.js";
import { decisionRoute } from "../path/front/decision-route.js";
import type { Route } from "../path/front/route.js";
import { merchantKey } from "../path/replica/replica.js";
import { loadStaticFiles } from "../platform/http/static-files.js";
import { ownFile } from "../platform/node/own-files.js";
import { createBoundedWork } from "../platform/postgres/bounded-work.js";
import type { Tracer } from "../platform/telemetry/tracer.js";
import { withinCloseTimeout } from "./closers.js";
import { composeFeatureParts, type Built, type FeatureParts } from "./feature-parts.js";
import { composeEvents } from "./events.js";
import { composeExports } from "./exports.js";
import { composePriceObserver } from "./observed-prices.js";
import { composePeople } from "./people.js";
import { composeTracer } from "./tracing.js";

/** The dashboard's files. They belong to the same build as the running code. */
const DASHBOARD_DIR = dirname(ownFile("dashboard/index.html"));

export interface Features {
  routes: readonly Route[];
  /** The route of /metrics. It has a listener of its own. */
  metricsPage: Route;
  requestLog: RequestLog;
  tracer: Tracer | null;
  attempt: FeatureParts["attempt"];
}

/** The fifth phase of a start: every subject's routes, in the order of the API's document. */
export async function composeFeatures(
  built: Built,
  policyValidator: PolicyValidator,
  isAccepting: () => boolean,
): Promise<Features> {
  const { node, threads, persistence } = built;
  const { journalIsWritable } = persistence;
  const parts = composeFeatureParts(built);
  const people = composePeople(parts);
  const policies = composePolicies(parts, policyValidator);
  const webhooks = composeWebhooks(parts);
  const requestLog = createRequestLog({ startId: node.nextId(), now: parts.now });
  const dashboard = await loadStaticFiles(DASHBOARD_DIR);
  const tracer = composeTracer(node.settings.otlpEndpoint, node.log, node.closers);
  return {
    routes: [
      ...decidingRoutes(parts, tracer),
      ...logRoutes(parts),
      ...policies,
      ...retryRuleRoutes(),
      ...policyTemplateRoutes(parts),
      ...pricingRoutes({ ...parts, ...parts.logsFailures("pricing cannot be read or written") }),
      ...webhooks,
      ...administrationRoutes(parts),
      ...people,
      ...requestLogRoutes({ ...parts, requestLog, nodeId: node.nodeId }),
      ...dashboardRoutes(node.settings.oidc === null ? dashboard : withSingleSignOn(dashboard)),
      ...operationRoutes({
        isAccepting,
        databaseIsReachable: parts.isReachable,
        isStalled: persistence.writer.isStalled,
        journalIsWritable,
        replicaIsReadable: node.replica.isReadable,
        cache: node.cache.client,
        now: parts.now,
      }),
    ],
    metricsPage: metricsRoute({
      text: () => node.metrics.text(threads.pool.stats(), journalIsWritable()),
      contentType: node.metrics.contentType,
    }),
    requestLog,
    tracer,
    attempt: parts.attempt,
  };
}

/** The routes that merchants call: decisions, outcomes and provider health. */
function decidingRoutes(parts: FeatureParts, tracer: Tracer | null): Route[] {
  const { node, threads, persistence, copies, attempt } = parts;
  const { metrics } = node;
  const { pool } = threads;
  const { journalIsFull } = persistence;
  return [
    decisionRoute({
      submit: pool.submit,
      journalIsFull,
      lookUpMerchant: (workspaceId, merchantId) =>
        copies.mayLackRecords()
          ? attempt(() =>
              copies.applyChangesNow([
                { kind: "workspace", workspaceId, key: "" },
                { kind: "merchant", workspaceId, key: merchantId },
              ]),
            ).then((looked) => looked !== "unavailable")
          : null,
      metrics,
      trace: tracer?.noteDecision ?? null,
    }),
    ...outcomeRoutes({
      providers: parts.providers,
      decisionIds: node.decisionIds.ids,
      submit: pool.submitOutcome,
      journalIsFull,
      isKept: createKeptLookup(node.replica, parts.retentionDays, parts.now),
      metrics,
    }),
    ...providerHealthRoutes({ replica: node.replica, details: parts.threads.prober.details }),
  ];
}

function logRoutes(parts: FeatureParts): Route[] {
  const { committedSequence } = parts.threads.pool;
  let reviews = 0;
  return decisionRoutes({
    ...parts,
    writes: () => committedSequence() + reviews,
    reviewRoutes: reviewRoutes({ ...parts, noteReview: () => void reviews++ }),
  });
}

function composePolicies(parts: FeatureParts, validator: PolicyValidator): Route[] {
  const { node, database, read } = parts;
  const { metrics, log, closers, replica, settings } = node;
  const translations = superviseTranslations({ file: ownFile("workers/translate.js"), metrics, log });
  closers.push(() => translations.stop());
  const backtests = createBacktests({
    file: ownFile("workers/backtest.js"),
    databaseUrl: database.url,
    retentionDays: settings.retentionDays,
    connectionTimeoutMs: settings.patience.databaseReadTimeoutMs,
    log,
  });
  closers.push(() => backtests.close());
  return policyRoutes({
    ...parts,
    ...parts.logsFailures("policies cannot be read or written"),
    validator,
    contexts: createDecisionContexts(replica, parts.riskBlockThreshold, SIMULATION_BOUNDS),
    startBacktest: backtests.start,
    translations,
    readable: async () => (await read(async () => true)) === true,
    isMerchant(workspaceId, merchantId) {
      replica.refresh();
      return replica.read(merchantKey(workspaceId, merchantId)) !== undefined;
    },
  });
}

function composeWebhooks(parts: FeatureParts): Route[] {
  const { node, persistence, copies } = parts;
  const { settings, log } = node;
  const prices = composePriceObserver(parts.pool, parts.tenants, parts.isReachable, log);
  node.closers.push(() => withinCloseTimeout(prices.close()));
  return webhookRoutes({
    ...parts,
    ...parts.logsFailures("webhooks cannot be stored or integrations read"),
    webhookKeys: persistence.webhookKeys,
    hasWebhookSecrets: copies.hasWebhookSecrets,
    secretBox: persistence.secretBox,
    rateWindow: node.cache.window("webhook", settings.webhookRateLimitPerMinute),
    feeStored: prices.feeStored,
    trustProxyHops: settings.trustProxyHops,
    metrics: node.metrics,
    log,
  });
}

/** The routes of a workspace's administration, for dashboard sessions. */
function administrationRoutes(parts: FeatureParts): Route[] {
  const attempt = createBoundedWork({
    ...parts,
    ...parts.logsFailures("what is administered cannot be read or changed"),
  });
  const administered = { ...parts, attempt };
  return [
    ...workspaceRoutes({
      ...administered,
      hasCodes: async (userId) => (await findCodes(parts.pool, userId))?.isOn === true,
    }),
    ...auditRoutes(administered),
    ...usageRoutes(parts),
    ...overrideRoutes(administered),
    ...savedViewRoutes(administered),
    ...alertRoutes(administered),
    ...composeEvents(administered),
    ...composeExports(administered),
    ...analyticsRoutes(parts),
  ];
}
