import type { Pool } from "pg";
import { createCatalogSync } from "../actors/catalog-sync.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "../actors/coalesced-refresh.js";
import type { superviseProber } from "../actors/prober-thread.js";
import { createRememberedSync } from "../actors/remembered-sync.js";
import { createApiKeyCache } from "../auth/api-key-cache.js";
import { findStoredApiKey, findStoredApiKeys } from "../auth/find-api-key.js";
import { createKeyUses } from "../auth/key-uses.js";
import { compareRememberedKeys } from "../auth/remembered-keys-sync.js";
import { rememberKeysInReplica } from "../auth/remembered-keys.js";
import type { WebhookKeys } from "../auth/webhook-secrets.js";
import type { CatalogTable } from "../persistence/catalog-listener.js";
import { loadCatalog, loadLivePolicies } from "../persistence/catalog-queries.js";
import { loadOverrides } from "../persistence/override-queries.js";
import type { Replica } from "../replica/replica.js";
import { LIMITS } from "../shared/limits.js";
import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import { withinCloseTimeout, type Closers } from "./closers.js";
import { composePricingSync } from "./pricing.js";
import { composeProviderReports } from "./provider-reports.js";
import { composeWebhookKeysSync } from "./webhooks.js";

export interface NodeCopyParts {
  database: Pool;
  databaseIsReachable(): boolean;
  replica: Replica;
  prober: ReturnType<typeof superviseProber>;
  webhookKeys: WebhookKeys;
  /** RISK_BLOCK_THRESHOLD */
  riskBlockThreshold: number;
  metrics: Metrics;
  log: Logger;
  closers: Closers;
}

/** What this node keeps of PostgreSQL: requests are admitted and decided by it, also while PostgreSQL is away. */
export interface NodeCopies {
  keys: ReturnType<typeof createApiKeyCache>;
  catalog: CoalescedRefresh;
  pricing: CoalescedRefresh;
  overrides: CoalescedRefresh;
  webhookSecrets: CoalescedRefresh;
  /** Resolves when the node decides by what PostgreSQL holds now; rejects where it does not answer. */
  refresh(): Promise<void>;
  /** Resolves when the node admits by the keys and workspaces that PostgreSQL holds now. */
  admitByNow(): Promise<void>;
  /** A table changed, here or on another node; null: any of them may have. */
  changed(table: CatalogTable | null): void;
}

/** Tables whose changes go to copies of their own. */
const NOT_IN_THE_CATALOG: ReadonlySet<CatalogTable> = new Set([
  "provider_overrides",
  "merchant_prices",
  "webhook_secrets",
  "provider_incidents",
]);

export function composeNodeCopies(parts: NodeCopyParts): NodeCopies {
  const { database, databaseIsReachable, replica, prober, metrics, log, closers } = parts;
  const catalog = createCatalogSync({
    load: () => loadCatalog(database),
    loadPolicies: (merchants) => loadLivePolicies(database, merchants),
    replica,
    riskBlockThreshold: parts.riskBlockThreshold,
    onError: (error) => log.warn({ err: error }, "the catalog could not be refreshed"),
  });
  const pricing = composePricingSync({ database, replica, log });
  const webhookSecrets = composeWebhookKeysSync(database, parts.webhookKeys, log);
  const findKey = findStoredApiKey(database);
  const rememberedKeys = rememberKeysInReplica(replica);
  const rememberedKeysSync = createCoalescedRefresh(
    compareRememberedKeys({
      remembered: rememberedKeys,
      find: findStoredApiKeys(database),
      rowsMax: LIMITS.keyRecallRowsMax,
    }),
    (error) => log.warn({ err: error }, "remembered keys could not be compared with PostgreSQL"),
  );
  const keyUses = createKeyUses(database, databaseIsReachable);
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
    databaseIsReachable,
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

  return {
    keys,
    catalog,
    pricing,
    overrides,
    webhookSecrets,
    async refresh() {
      await catalog.refresh();
      await overrides.refresh();
      await pricing.refresh();
      await webhookSecrets.refresh();
      await providerReports.refresh();
    },
    async admitByNow() {
      keys.invalidateAll();
      await Promise.all([catalog.refresh(), rememberedKeysSync.refresh(), webhookSecrets.refresh()]);
    },
    changed(table) {
      if (table === null || table === "merchant_prices") pricing.refreshSoon();
      if (table === null || table === "webhook_secrets" || table === "workspaces")
        webhookSecrets.refreshSoon();
      if (table === null || table === "provider_overrides") overrides.refreshSoon();
      if (table === null || table === "provider_incidents") providerReports.refreshSoon();
      if (table !== null && NOT_IN_THE_CATALOG.has(table)) return;
      if (table === null || table === "workspaces" || table === "api_keys") {
        keys.invalidateAll();
        rememberedKeysSync.refreshSoon();
      }
      if (table !== "api_keys") catalog.refreshSoon();
    },
  };
}
