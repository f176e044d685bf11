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
} from "../path/changes/change-queries.js";
import { readDatabaseSource } from "../platform/postgres/database-source.js";
import { loadPolicies } from "../features/policies/queries.js";
import { listPinKeys, loadPins } from "../features/overrides/queries.js";
import { loadPrices } from "../features/pricing/queries/pricing.js";
import { listWebhookSecretKeys, loadWebhookSecrets } from "../features/webhooks/queries/webhook-secret.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import { withinCloseTimeout } from "./closers.js";
import type { Database } from "./database.js";
import type { DecisionThreads } from "./decision-threads.js";
import type { OpenNode } from "./node.js";
import { composeProviderReports } from "./provider-reports.js";
import { listWorkspaceKeys, loadWorkspaces } from "../features/workspaces/queries/workspace.js";
import { listMerchantKeys } from "../features/workspaces/queries/merchant.js";
import { loadMerchantHeads } from "../features/workspaces/queries/merchant-head.js";
import { now } from "../platform/timing/clock.js";

/**
 * The node's copies of PostgreSQL's records. Requests are admitted and decided with these copies, even while PostgreSQL
 * is away.
 */
export interface Copies extends NodeCopies {
  keys: ReturnType<typeof createApiKeyCache>;
}

export function composeNodeCopies(
  node: OpenNode,
  threads: DecisionThreads,
  database: Database,
  /** Called after some workspaces' status has changed, when this node admits their keys by the new status. */
  onStatusChanged: () => void,
): Copies {
  const { replica, cache, log, closers } = node;
  const { prober, pool } = threads;
  const { isReachable } = database;
  const known = composeKeys(node, database);
  const providerReports = composeProviderReports({
    database: database.pool,
    databaseIsReachable: isReachable,
    show: prober.setReports,
    replica,
    log,
  });
  closers.push(() => providerReports.close());
  let madeBefore = pool.committedSequence();
  const copies = createNodeCopies({
    kinds: copiedKinds(node, threads, database, { ...known, onStatusChanged }),
    incidentsChanged: providerReports.refreshSoon,
    feed: {
      source: () => readDatabaseSource(database.pool),
      now: (source) => readChangeCursor(database.pool, source),
      isGood: (cursor) => isChangeCursorGood(database.pool, cursor),
      read: (cursor, target, after) => readChanges(database.pool, cursor, target, after),
    },
    dropOldChanges: () => dropOldChanges(database.pool, TUNING.changesKeptSeconds),
    replica,
    forget: () => prober.setOverrides(heldPins(replica).map((pins) => ({ ...pins, overrides: [] }))),
    isReachable,
    // Makes the other nodes look for changes.
    announce: () => cache.announce({}),
    isServing() {
      const before = madeBefore;
      madeBefore = pool.committedSequence();
      return madeBefore !== before;
    },
    ...reportsOf(node),
  });
  closers.push(() => withinCloseTimeout(copies.close()));
  return {
    ...copies,
    keys: known.keys,
    async start() {
      await copies.start();
      await providerReports.refresh();
    },
  };
}

interface KnownKeys {
  keys: ReturnType<typeof createApiKeyCache>;
  apiKeys: ReturnType<typeof copyApiKeys>;
}

/** The API keys that this node knows: the cache that admits requests, and the copies on its disk. */
function composeKeys(
  { replica, settings, metrics, closers, cells }: OpenNode,
  { pool, isReachable }: Database,
): KnownKeys {
  const remembered = rememberKeysInReplica(replica);
  const keyUses = createKeyUses(pool, isReachable);
  closers.push(() => withinCloseTimeout(keyUses.close()));
  const findKey = findStoredApiKey(pool);
  const keys = createApiKeyCache(
    // While PostgreSQL is known to be away, a key with an expired grant must not wait for a time-out.
    (publicId) => (isReachable() ? findKey(publicId) : Promise.reject(new Error("PostgreSQL is away"))),
    remembered,
    metrics.keyLookup,
    keyUses.note,
    settings.patience.keyLookupPatienceMs,
    cells.takes,
  );
  const find = findStoredApiKeys(pool);
  return { keys, apiKeys: copyApiKeys({ remembered, find, invalidate: keys.invalidate }) };
}

function copiedKinds(
  { replica }: OpenNode,
  { prober }: DecisionThreads,
  { pool }: Database,
  { keys, apiKeys, onStatusChanged }: KnownKeys & { onStatusChanged(): void },
): NodeCopiesOptions["kinds"] {
  return {
    workspace: copyWorkspaces({
      load: (workspaceIds) => loadWorkspaces(pool, workspaceIds),
      stored: (after, limit) => listWorkspaceKeys(pool, after, limit),
      replica,
      async statusChanged(workspaceIds) {
        for (const workspaceId of workspaceIds) keys.invalidateWorkspace(workspaceId);
        const publicIds = await listPublicIds(pool, workspaceIds);
        await apiKeys.copy(publicIds.map((key) => ({ workspaceId: "", key })));
        onStatusChanged();
      },
    }),
    pin: copyPins({
      load: (workspaceIds) => loadPins(pool, workspaceIds),
      stored: (after, limit) => listPinKeys(pool, after, limit),
      show: prober.setOverrides,
      replica,
    }),
    webhook_secret: copyWebhookSecrets({
      load: (records) => loadWebhookSecrets(pool, records),
      stored: (after, limit) => listWebhookSecretKeys(pool, after, limit),
      replica,
    }),
    api_key: apiKeys,
    merchant: copyMerchants({
      loadHeads: (merchants) => loadMerchantHeads(pool, merchants),
      loadPolicies: (policies) => loadPolicies(pool, policies),
      loadPrices: (versions) => loadPrices(pool, versions, now()),
      stored: (after, limit) => listMerchantKeys(pool, after, limit),
      replica,
    }),
  };
}

/** Shows the progress of copies in metrics and the log. */
function reportsOf({
  metrics,
  log,
}: OpenNode): Pick<
  NodeCopiesOptions,
  "onCopied" | "onCaughtUp" | "onCopyingAll" | "onDifferences" | "onSkipped" | "onError"
> {
  return {
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
    onSkipped(kind, { workspaceId }, error) {
      metrics.recordSkipped("copy");
      log.error(
        { err: error, kind, workspace_id: workspaceId },
        "a record cannot be copied from PostgreSQL: it is passed over, and tried again when copies are compared",
      );
    },
    onError: (error) => log.warn({ err: error }, "changes cannot be read from PostgreSQL yet; trying again"),
  };
}
