import { randomFillSync } from "node:crypto";
import { resolve } from "node:path";
import { createIdGenerator, type UnwrittenId, createRandomSource, unwrittenIds } from "../domain/ids/ids.js";
import type { JournalOptions } from "../path/journal/journal.js";
import { openFrontMirror, type FrontMirror } from "../path/mirror/front-mirror.js";
import { createTakenCells, type TakenCells } from "../path/access/cell.js";
import { openReplica, type Replica } from "../path/replica/replica.js";
import type { SharedCache } from "../platform/cache/cache-client.js";
import { claimDataDir, nodeId } from "../platform/node/data-dir.js";
import { createDiskRoomCheck } from "../platform/node/disk-room.js";
import { ownSecretKey } from "../platform/node/secret-key.js";
import { readCaFile } from "../platform/settings/ca-file.js";
import type { Settings } from "../platform/settings/settings.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { createMetrics, type Metrics } from "../platform/telemetry/metrics.js";
import { now } from "../platform/timing/clock.js";
import { composeCache, type FrontCache } from "./cache.js";
import { composeClock } from "./clock.js";
import type { Closers } from "./closers.js";
import { composeDecisionIds, type DecisionIdParts } from "./decision-ids.js";

/** The inputs of the first phase of a start. */
export interface Start {
  settings: Settings;
  log: Logger;
  closers: Closers;
}

/** A node whose DATA_DIR and replica are open. It has no threads, no database and no socket yet. */
export interface OpenNode extends Start {
  dataDir: string;
  nodeId: string;
  /** Makes a new id without its prefix: 26 characters. */
  nextId(): string;
  nextRequestId(): UnwrittenId;
  metrics: Metrics;
  replica: Replica;
  journal: JournalOptions;
  /** Null if SECRET_KEY is unset and PostgreSQL is not embedded. */
  secretKey: Settings["secretKey"];
  decisionIds: DecisionIdParts;
  /** Null without CACHE_URL. */
  sharedCache: SharedCache | null;
  cache: FrontCache;
  cells: TakenCells;
  mirror: FrontMirror;
}

/** The first phase of a start: claims DATA_DIR and opens its files. */
export async function openNode({ settings, log, closers }: Start): Promise<OpenNode> {
  const cacheCa = await readCaFile("CACHE_CA_FILE", settings.cacheCaFile);
  const dataDir = resolve(settings.dataDir);
  closers.push(await claimDataDir(dataDir));
  const assertRoom = createDiskRoomCheck(dataDir);
  composeClock(log, closers);
  const ids = createIdGenerator(createRandomSource(randomFillSync));
  const nextId = (): string => ids.next(now());
  const metrics = createMetrics();
  const replica = openReplica(dataDir, assertRoom);
  closers.push(() => replica.close());
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
  const journal: JournalOptions = {
    dataDir,
    bytesMax: settings.journalMaxBytes,
    syncEveryCommit: settings.journalSync === "always",
  };
  const mirror = await openFrontMirror({ settings, journal, sharedCache, metrics, log });
  closers.push(() => mirror.close());
  return {
    settings,
    log,
    closers,
    dataDir,
    nodeId: ownNodeId,
    nextId,
    nextRequestId: unwrittenIds(ids, now),
    metrics,
    replica,
    journal,
    secretKey,
    decisionIds,
    sharedCache,
    cache,
    cells: createTakenCells(settings.cell, replica),
    mirror,
  };
}
