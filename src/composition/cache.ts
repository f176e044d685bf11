import type { CacheClient, SharedCache } from "../platform/cache/cache-client.js";
import type { Announcement } from "../platform/cache/catalog-channel.js";
import { createFixedWindow } from "../path/access/fixed-window.js";
import type { RateWindow } from "../path/access/rate-window.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

export interface CacheParts {
  /** Null without CACHE_URL. */
  shared: SharedCache | null;
  metrics: Metrics;
  log: Logger;
}

/** The front's interface to the cache store that nodes share. It exists without one too. */
export interface FrontCache {
  /** Null without CACHE_URL. */
  client: Pick<CacheClient, "isReachable"> | null;
  /** Resolves once it is up, or has had its time for the start. */
  started: Promise<void>;
  window(name: string, limitPerMinute: number): RateWindow;
  /** Announces a change to the other nodes. */
  announce(announcement: Announcement): void;
  /** Receives the announcements of the other nodes from now on. */
  listen(onAnnouncement: (announcement: Announcement) => void): void;
  close(): void;
}

/** The cache client and its library are loaded only where there is a cache. */
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
