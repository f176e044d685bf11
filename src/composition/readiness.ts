import { join } from "node:path";
import type { CacheClient } from "../platform/cache/cache-client.js";
import type { Route } from "../path/front/route.js";
import { readinessRoute } from "../features/operations/routes/readiness.js";
import { createDiskRoomCheck } from "../platform/node/disk-room.js";

/**
 * Whether the journal takes decisions, without asking for one: a node that gets none any more, because it said that it
 * refuses them, must notice that it could take them again.
 */
export function watchJournalRoom(dataDir: string, isFull: () => boolean): () => boolean {
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

export interface ReadinessParts {
  /** False from SIGTERM on. */
  isAccepting(): boolean;
  databaseIsReachable(): boolean;
  /** See WriterThread. */
  isStalled(): boolean;
  journalIsWritable(): boolean;
  replicaIsReadable(): boolean;
  /** Null without CACHE_URL. */
  cache: Pick<CacheClient, "isReachable"> | null;
}

/**
 * GET /ready. A journal that refuses decisions has no name of its own among the checks (OPS-4): the store beside
 * it does not count as reachable then, whichever that is, and a load balancer sends decisions to other nodes.
 */
export function composeReadiness(parts: ReadinessParts): Route {
  const { cache } = parts;
  return readinessRoute(() => {
    const postgres = parts.databaseIsReachable() && !parts.isStalled();
    const journalIsWritable = parts.journalIsWritable();
    return {
      accepting: parts.isAccepting(),
      checks:
        cache === null
          ? { postgres, lmdb: journalIsWritable && parts.replicaIsReadable() }
          : { postgres, valkey: journalIsWritable && cache.isReachable() },
    };
  });
}
