import { join } from "node:path";
import { createWebhookKeys, type WebhookKeys } from "../features/webhooks/webhook-secrets.js";
import { heldSecrets } from "../features/webhooks/webhook-secret-copy.js";
import { createMoveWatch, type MoveWatch } from "../features/moves/service.js";
import { ensurePlatformAdmin } from "../features/platform-admin/platform-admin.js";
import { listenToChanges } from "../path/changes/change-listener.js";
import { createEvidenceFeed, type EvidenceFeed } from "../path/prober/evidence-feed.js";
import { dropOldEvidence, readEvidence } from "../path/prober/evidence-queries.js";
import { readLearning, saveLearning } from "../path/prober/learnt-queries.js";
import { superviseWriter, type WriterThread } from "../path/writer/writer-thread.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import { createDiskRoomCheck } from "../platform/node/disk-room.js";
import { ownFile } from "../platform/node/own-files.js";
import { createSecretBox, type SecretBox } from "../platform/node/secret-box.js";
import { startDatabase, type DatabaseStart } from "../platform/postgres/database-start.js";
import { watchDatabase } from "../platform/postgres/database-watch.js";
import { migrate } from "../platform/postgres/migrate.js";
import { now } from "../platform/timing/clock.js";
import { composeAlerts } from "./alerts.js";
import { withinCloseTimeout } from "./closers.js";
import type { Database } from "./database.js";
import type { DecisionThreads } from "./decision-threads.js";
import { ensureDemo, type Demo } from "./demo.js";
import { composeNodeCopies, type Copies } from "./node-copies.js";
import type { OpenNode } from "./node.js";

export interface Prepared {
  /** Null without DEMO. */
  demo: Demo | null;
}

/** The parts that read from PostgreSQL or write to it. */
export interface Persistence {
  copies: Copies;
  writer: WriterThread;
  /** True if the journal is at its limit, or if its mirror accepts nothing. */
  journalIsFull(): boolean;
  journalIsWritable(): boolean;
  webhookKeys: WebhookKeys;
  /** Null if SECRET_KEY is unset and PostgreSQL is not embedded. */
  secretBox: SecretBox | null;
  /** Resolves when PostgreSQL has been prepared. Never rejects. */
  prepared: Promise<Prepared>;
  /** Begins to store. Resolves when all threads have loaded, and PostgreSQL is prepared or known to be away. */
  begin(): Promise<void>;
}

/** The fourth phase of a start: prepares PostgreSQL. Threads and copies load at the same time. */
export function startPersistence(
  node: OpenNode,
  threads: DecisionThreads,
  database: Database,
  stopping: AbortSignal,
): Persistence {
  const { settings, metrics, log, closers, cache, replica, decisionIds, secretKey } = node;
  const { isReachable } = database;
  closers.push(() => withinCloseTimeout(decisionIds.giveBack(database.pool)));
  const alerts = composeAlerts(node, threads.healthAlerts, database);
  const secretBox = secretKey === null ? null : createSecretBox(secretKey);
  const webhookKeys = createWebhookKeys({ box: secretBox, ...heldSecrets(replica) });
  // `writer` is created below. This function is called only after that.
  const moves = composeMoves(node, database, (withinMs) =>
    writer.persistedThrough(threads.pool.committedSequence(), withinMs),
  );
  const copies = composeNodeCopies(node, threads, database, () => void moves.look());
  const learning = composeSharedLearning(node, threads, database);
  const databaseStart = startDatabase<Prepared>({
    prepare: () => prepareDatabase(node, threads, database, { copies, learning, webhookKeys, moves }),
    patienceMs: settings.patience.databaseStartPatienceMs,
    stopping,
    onPrepared() {
      database.notePrepared();
      // The node can already be accepting requests without PostgreSQL. This gauge then shows that PostgreSQL is there.
      metrics.database(true);
      const listener = listenToChanges({ connectionString: database.url, onChange: copies.wake });
      closers.push(() => withinCloseTimeout(listener.close()));
    },
    onFailure: (error) => log.warn({ err: error }, "PostgreSQL cannot be used yet; trying again"),
  });
  closers.push(() => databaseStart.close());
  cache.listen(({ revokedKey }) => {
    // Revokes the key at once, even while PostgreSQL is away.
    if (revokedKey !== undefined) copies.keys.revoke(revokedKey);
    copies.wake();
  });
  // Created here, so that the writer's thread loads while the database is prepared.
  const writer = superviseWriter({
    file: ownFile("workers/writer.js"),
    workerData: {
      dataDir: node.dataDir,
      journal: node.journal,
      databaseUrl: database.url,
      nodeId: node.nodeId,
      notesBatches: settings.analyticsUrl !== null,
      mirror: settings.journalMirror ? node.sharedCache : null,
    },
    journalMaxBytes: settings.journalMaxBytes,
    mirrorIsOpen: node.mirror.isOpen,
    committedSequence: threads.pool.committedSequence,
    databaseIsReachable: isReachable,
    metrics,
    log,
  });
  closers.push(({ drainUntilMs }) => writer.stop(drainUntilMs - performance.now()));
  node.mirror.follow(writer.position);
  const { journalIsFull } = writer;
  return {
    copies,
    writer,
    journalIsFull,
    journalIsWritable: watchJournalRoom(node.dataDir, journalIsFull),
    webhookKeys,
    secretBox,
    prepared: databaseStart.prepared,
    async begin() {
      // Waits for the mirror, because a disk older than its mirror must be restored before the writer compares it with
      // PostgreSQL.
      await node.mirror.started();
      await beginStoring(node, database, databaseStart, writer);
      if (settings.analyticsUrl !== null) await beginLogCopy(node, database, settings.analyticsUrl);
      await Promise.all([threads.ready, writer.ready, cache.started]);
      stopping.throwIfAborted();
      alerts.start();
    },
  };
}

/**
 * CELL-11: admits workspaces that arrive from other cells. Reports when this node has stored all records of a workspace
 * that has left.
 */
function composeMoves(
  { nodeId, cells, log, closers }: OpenNode,
  database: Database,
  drained: (withinMs: number) => Promise<boolean>,
): MoveWatch {
  const moves = createMoveWatch({
    pool: database.pool,
    nodeId,
    isReachable: database.isReachable,
    setGuests: cells.setGuests,
    drained,
    onError: (error) => log.warn({ err: error }, "moves between cells cannot be followed yet; trying again"),
  });
  closers.push(() => moves.close());
  return moves;
}

/** Feeds the outcomes of all nodes, which PostgreSQL stores, to this node's prober. */
function composeSharedLearning(
  { metrics, log, closers }: OpenNode,
  { prober }: DecisionThreads,
  { pool, isReachable }: Database,
): EvidenceFeed {
  const onSkipped = (rows: number): void => {
    metrics.recordSkipped("evidence", rows);
    log.error({ rows }, "what outcomes say of providers cannot be read: the rows are passed over");
  };
  const learning = createEvidenceFeed({
    read: (after) => readEvidence(pool, after, TUNING.evidenceWindowSeconds),
    async readLearning() {
      const stored = await readLearning(pool);
      if (stored !== null && stored.skipped > 0) onSkipped(stored.skipped);
      return stored;
    },
    saveLearning: (learning, before) =>
      saveLearning(pool, learning, before, TUNING.learntSaveTakeoverSeconds),
    exportLearnt: prober.exportLearnt,
    dropOld: () => dropOldEvidence(pool, TUNING.evidenceKeptSeconds),
    isReachable,
    recall: prober.recall,
    record: prober.record,
    onSkipped,
    onError: (error) => log.warn({ err: error }, "what outcomes say cannot be read yet; trying again"),
  });
  prober.onReplaced(() => learning.restart());
  closers.push(() => learning.close());
  return learning;
}

/** Prepares PostgreSQL for this node. After a failure, all of it runs again. */
async function prepareDatabase(
  { settings, dataDir, nodeId, nextId, decisionIds, log }: OpenNode,
  { pool }: DecisionThreads,
  database: Database,
  parts: { copies: Copies; learning: EvidenceFeed; webhookKeys: WebhookKeys; moves: MoveWatch },
): Promise<Prepared> {
  await migrate(database.url, ownFile("migrations"), nodeId);
  await decisionIds.claim(database.pool, pool.committedSequence);
  if (await ensurePlatformAdmin(database.pool, settings.platformAdmin, nextId))
    log.warn("PLATFORM_ADMIN_EMAIL is not set: who was the platform admin is it no more");
  const demo = settings.demo ? await ensureDemo(database.pool, dataDir, nextId, settings.cell) : null;
  await parts.copies.start();
  await parts.moves.look();
  // HOOK-15: logs one line if SECRET_KEY cannot decrypt stored webhook secrets.
  const closedSecrets = parts.webhookKeys.countClosed(now());
  if (closedSecrets > 0) {
    log.error(
      { secrets: closedSecrets },
      "SECRET_KEY is not the one that stored webhook secrets were encrypted with; their webhooks are answered 503",
    );
  } else decisionIds.logKeyMismatch();
  await parts.learning.start();
  return { demo };
}

async function beginStoring(
  { settings, metrics, log, closers }: OpenNode,
  database: Database,
  databaseStart: DatabaseStart<Prepared>,
  writer: WriterThread,
): Promise<void> {
  await databaseStart.settled;
  writer.begin();
  const watch = watchDatabase(database.watchPool, settings.patience.databaseReadTimeoutMs, (reachable) => {
    database.noteAnswers(reachable);
    metrics.database(reachable);
    if (reachable) log.info("PostgreSQL answers again");
    else log.warn("PostgreSQL does not answer");
  });
  metrics.database(database.isReachable());
  closers.push(() => watch.close());
}

/** CH-1: loads nothing of the log's copy without ANALYTICS_URL. */
async function beginLogCopy(node: OpenNode, database: Database, clickHouseUrl: string): Promise<void> {
  const { superviseLogCopy } = await import("../path/log-copy/copy-thread.js");
  const copy = superviseLogCopy({
    file: ownFile("workers/log-copy.js"),
    workerData: {
      databaseUrl: database.url,
      clickHouseUrl,
      nodeId: node.nodeId,
      migrationsDir: ownFile("clickhouse/migrations"),
    },
    metrics: node.metrics,
    log: node.log,
  });
  node.closers.push(() => copy.close());
}

/**
 * Returns a check that tells whether the journal has room. The check needs no decision: a node that reports a full
 * journal gets none, and must still notice when there is room again.
 */
function watchJournalRoom(dataDir: string, isFull: () => boolean): () => boolean {
  const assertRoom = createDiskRoomCheck(join(dataDir, "journal"));
  return () => {
    if (isFull()) return false;
    try {
      assertRoom();
      return true;
    } catch {
      return false;
    }
  };
}
