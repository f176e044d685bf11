import { join } from "node:path";
import type { CacheClient } from "../cache/cache-client.js";
import type { Route } from "../http/route.js";
import { readinessRoute } from "../http/routes/readiness.js";
import { createDiskRoomCheck } from "../journal/disk-room.js";

export interface ReadinessParts {
  dataDir: string;
  /** False from SIGTERM on. */
  isAccepting(): boolean;
  databaseIsReachable(): boolean;
  writer: { isStalled(): boolean; journalIsFull(): boolean };
  replicaIsReadable(): boolean;
  /** Null without CACHE_URL. */
  cache: Pick<CacheClient, "isReachable"> | null;
}

/**
 * GET /ready. A journal that refuses decisions has no name of its own among the checks (contract §9): the store beside
 * it does not count as reachable then, whichever that is, and a load balancer sends decisions to other nodes.
 */
export function composeReadiness(parts: ReadinessParts): Route {
  const { writer, cache } = parts;
  const assertRoom = createDiskRoomCheck(join(parts.dataDir, "journal"));
  const hasRoom = (): boolean => {
    try {
      assertRoom();
      return true;
    } catch {
      return false;
    }
  };
  return readinessRoute(() => {
    const postgres = parts.databaseIsReachable() && !writer.isStalled();
    const journalTakes = !writer.journalIsFull() && hasRoom();
    return {
      accepting: parts.isAccepting(),
      checks:
        cache === null
          ? { postgres, lmdb: journalTakes && parts.replicaIsReadable() }
          : { postgres, valkey: journalTakes && cache.isReachable() },
    };
  });
}
