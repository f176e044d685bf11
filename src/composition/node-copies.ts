import type { Pool } from "pg";
import type { superviseProber } from "../path/prober/prober-thread.js";
import { createApiKeyCache } from "../path/access/api-key-cache.js";
import { findStoredApiKey, findStoredApiKeys } from "../features/api-keys/find-api-key.js";
import { createKeyUses } from "../features/api-keys/key-uses.js";
import { rememberKeysInReplica } from "../path/access/remembered-keys.js";
import { copyApiKeys } from "../features/api-keys/api-key-copy.js";
import { copyMerchants } from "../features/workspaces/merchant-copy.js";
import { createNodeCopies, type NodeCopies, type NodeCopiesOptions } from "../path/changes/node-copies.js";
import { copyPins, heldPins } from "../features/overrides/pin-copy.js";
import { copyWebhookSecrets } from "../features/webhooks/webhook-secret-copy.js";
import { copyWorkspaces } from "../features/workspaces/workspace-copy.js";
import { listPublicIds } from "../features/api-keys/queries.js";
import {
  dropOldChanges,
  isChangeCursorGood,
  readChangeCursor,
  readChanges,
  readChangeSource,
} from "../path/changes/change-queries.js";
import { loadPolicies } from "../features/policies/queries.js";
import { listPinKeys, loadPins } from "../features/overrides/queries.js";
import { loadPrices } from "../features/pricing/queries/pricing.js";
import { listWebhookSecretKeys, loadWebhookSecrets } from "../features/webhooks/queries/webhook-secret.js";
import type { Replica } from "../path/replica/replica.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";
import { withinCloseTimeout, type Closers } from "./closers.js";
import { composeProviderReports } from "./provider-reports.js";
import { listWorkspaceKeys, loadWorkspaces } from "../features/workspaces/queries/workspace.js";
import { listMerchantKeys } from "../features/workspaces/queries/merchant.js";
import { loadMerchantHeads } from "../features/workspaces/queries/merchant-head.js";
import { now } from "../platform/timing/clock.js";

export interface NodeCopyParts {
  database: Pool;
  databaseIsReachable(): boolean;
  replica: Replica;
  prober: ReturnType<typeof superviseProber>;
  /** Wakes the other nodes. */
  announce(): void;
  /** A count that rises while this node makes decisions. */
  decisionsMade(): number;
  keyLookupPatienceMs: number;
  metrics: Metrics;
  log: Logger;
  closers: Closers;
}

/** What this node keeps of PostgreSQL: requests are admitted and decided by it, also while PostgreSQL is away. */
export interface Copies extends NodeCopies {
  keys: ReturnType<typeof createApiKeyCache>;
}

export function composeNodeCopies(parts: NodeCopyParts): Copies {
  const { database, databaseIsReachable, replica, prober, metrics, log, closers } = parts;
  const remembered = rememberKeysInReplica(replica);
  const keyUses = createKeyUses(database, databaseIsReachable);
  closers.push(() => withinCloseTimeout(keyUses.close()));
  const findKey = findStoredApiKey(database);
  const keys = createApiKeyCache(
    // A key whose cached grant ran out must not wait for the time-outs of a database that is known to be away.
    (publicId) =>
      databaseIsReachable() ? findKey(publicId) : Promise.reject(new Error("PostgreSQL is away")),
    remembered,
    metrics.keyLookup,
    keyUses.note,
    parts.keyLookupPatienceMs,
  );
  const find = findStoredApiKeys(database);
  const apiKeys = copyApiKeys({ remembered, find, invalidate: keys.invalidate });
  const providerReports = composeProviderReports({
    database,
    databaseIsReachable,
    show: prober.setReports,
    replica,
    log,
  });
  closers.push(() => providerReports.close());

  let madeBefore = parts.decisionsMade();
  const copies = createNodeCopies({
    kinds: {
      workspace: copyWorkspaces({
        load: (workspaceIds) => loadWorkspaces(database, workspaceIds),
        stored: (after, limit) => listWorkspaceKeys(database, after, limit),
        replica,
        async statusChanged(workspaceIds) {
          for (const workspaceId of workspaceIds) keys.invalidateWorkspace(workspaceId);
          const publicIds = await listPublicIds(database, workspaceIds);
          await apiKeys.copy(publicIds.map((key) => ({ workspaceId: "", key })));
        },
      }),
      pin: copyPins({
        load: (workspaceIds) => loadPins(database, workspaceIds),
        stored: (after, limit) => listPinKeys(database, after, limit),
        show: prober.setOverrides,
        replica,
      }),
      webhook_secret: copyWebhookSecrets({
        load: (records) => loadWebhookSecrets(database, records),
        stored: (after, limit) => listWebhookSecretKeys(database, after, limit),
        replica,
      }),
      api_key: apiKeys,
      merchant: copyMerchants({
        loadHeads: (merchants) => loadMerchantHeads(database, merchants),
        loadPolicies: (policies) => loadPolicies(database, policies),
        loadPrices: (versions) => loadPrices(database, versions, now()),
        stored: (after, limit) => listMerchantKeys(database, after, limit),
        replica,
      }),
    },
    incidentsChanged: providerReports.refreshSoon,
    feed: {
      source: () => readChangeSource(database),
      now: (source) => readChangeCursor(database, source),
      isGood: (cursor) => isChangeCursorGood(database, cursor),
      read: (cursor, target, after) => readChanges(database, cursor, target, after),
    },
    dropOldChanges: () => dropOldChanges(database, TUNING.changesKeptSeconds),
    replica,
    forget: () => prober.setOverrides(heldPins(replica).map((pins) => ({ ...pins, overrides: [] }))),
    isReachable: databaseIsReachable,
    announce: parts.announce,
    isServing() {
      const before = madeBefore;
      madeBefore = parts.decisionsMade();
      return madeBefore !== before;
    },
    onCopied: metrics.changesCopied,
    onCaughtUp: metrics.changesCaughtUp,
    onCopyingAll: metrics.copyingAll,
    onDifferences(count) {
      metrics.changesMissed(count);
      log.warn(
        { records: count },
        "copies differed from PostgreSQL though no change told of it; they are mended",
      );
    },
    onSkipped: logSkipped(metrics, log),
    onError: (error) => log.warn({ err: error }, "changes cannot be read from PostgreSQL yet; trying again"),
  });
  closers.push(() => withinCloseTimeout(copies.close()));
  return {
    ...copies,
    keys,
    async start() {
      await copies.start();
      await providerReports.refresh();
    },
  };
}

const logSkipped =
  (metrics: Metrics, log: Logger): NodeCopiesOptions["onSkipped"] =>
  (kind, { workspaceId }, error) => {
    metrics.recordSkipped("copy");
    log.error(
      { err: error, kind, workspace_id: workspaceId },
      "a record cannot be copied from PostgreSQL: it is passed over, and tried again when copies are compared",
    );
  };
