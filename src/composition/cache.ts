import type { CacheClient, SharedCache } from "../platform/cache/cache-client.js";
import type { Announcement } from "../platform/cache/catalog-channel.js";
import { type RateWindow, createFixedWindow } from "../path/access/rate-window.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

export interface CacheParts {
  /** Null without CACHE_URL. */
  shared: SharedCache | null;
  metrics: Metrics;
  log: Logger;
}

/** The front's interface to the shared cache. Without a shared cache it does only this node's work. */
export interface FrontCache {
  /** Null without CACHE_URL. */
  client: Pick<CacheClient, "isReachable"> | null;
  /** Resolves when the cache is up, or when the wait for it is over. */
  started: Promise<void>;
  window(name: string, limitPerMinute: number): RateWindow;
  /** Announces a change to the other nodes. */
  announce(announcement: Announcement): void;
  /** Calls `onAnnouncement` for the announcements of other nodes from now on. */
  listen(onAnnouncement: (announcement: Announcement) => void): void;
  close(): void;
}

/** Loads the cache client and its library only if there is a shared cache. */
export async function composeCache({ shared, metrics, log }: CacheParts): Promise<FrontCache> {
  if (shared !== null) {
    return (await import("./shared-cache.js")).composeSharedCache({ shared, metrics, log });
  }
  metrics.cache(true);
  return NODES_OWN;
}

const NODES_OWN: FrontCache = {
  client: null,
  started: Promise.resolve(),
  window: (_name, limitPerMinute) => createFixedWindow(limitPerMinute),
  announce: () => undefined,
  listen: () => undefined,
  close: () => undefined,
};
