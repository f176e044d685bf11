import { createCacheClient, type CacheClient } from "./cache/cache-client.js";
import { openCatalogChannel, type Announcement } from "./cache/catalog-channel.js";
import type { SharedCache } from "./actors/worker-data.js";
import { createFixedWindow } from "./rate-limit/fixed-window.js";
import type { RateWindow } from "./rate-limit/rate-window.js";
import { createSharedWindow, TAKE } from "./rate-limit/shared-window.js";
import type { Logger } from "./telemetry/logger.js";
import type { Metrics } from "./telemetry/metrics.js";

export interface CacheParts {
  /** Null without CACHE_URL. */
  shared: SharedCache | null;
  metrics: Metrics;
  log: Logger;
}

/** What the front does with the cache store that nodes share, or without one. */
export interface FrontCache {
  /** Null without CACHE_URL. */
  client: Pick<CacheClient, "isReachable"> | null;
  /** Resolves once it is up, or has had its time for the start. */
  started: Promise<void>;
  window(name: string, limitPerMinute: number): RateWindow;
  /** Tells the other nodes. */
  announce(announcement: Announcement): void;
  /** Hears the other nodes from now on. */
  listen(onAnnouncement: (announcement: Announcement) => void): void;
  close(): void;
}

const WATCH_INTERVAL_MS = 250;

export function composeCache({ shared, metrics, log }: CacheParts): FrontCache {
  if (shared === null) {
    metrics.cache(true);
    return NODES_OWN;
  }
  const { url, timeoutMs, nodeId } = shared;
  const client = createCacheClient({
    url,
    name: "payinference-front",
    scripts: [TAKE],
    timeoutMs,
    onRoundTrip: metrics.cacheRoundTrip,
  });
  const closers = [() => client.close()];
  let announce: FrontCache["announce"] = () => undefined;
  closers.push(watchCache(client, metrics, log));
  return {
    client,
    started: client.started,
    window: (name, limitPerMinute) => createSharedWindow({ cache: client, name, limitPerMinute }),
    announce: (announcement) => announce(announcement),
    listen(onAnnouncement) {
      const channel = openCatalogChannel({ url, cache: client, nodeId, onAnnouncement });
      announce = channel.announce;
      closers.push(() => channel.close());
    },
    close: () => closers.toReversed().forEach((close) => close()),
  };
}

const NODES_OWN: FrontCache = {
  client: null,
  started: Promise.resolve(),
  window: (_name, limitPerMinute) => createFixedWindow(limitPerMinute),
  announce: () => undefined,
  listen: () => undefined,
  close: () => undefined,
};

/** Tells metrics and log when the cache comes and goes. */
function watchCache(client: CacheClient, metrics: Metrics, log: Logger): () => void {
  let wasReachable: boolean | null = null;
  const look = (): void => {
    const isReachable = client.isReachable();
    if (isReachable === wasReachable) return;
    metrics.cache(isReachable);
    if (!isReachable)
      log.warn("the shared cache does not answer; idempotency and limits are this node's own");
    else if (wasReachable !== null) log.info("the shared cache answers again");
    wasReachable = isReachable;
  };
  void client.started.then(look);
  const timer = setInterval(() => {
    if (wasReachable !== null) look();
  }, WATCH_INTERVAL_MS);
  return () => clearInterval(timer);
}
