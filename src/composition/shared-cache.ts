import { createCacheClient, type CacheClient, type SharedCache } from "../platform/cache/cache-client.js";
import { announceTo, listenToAnnouncements } from "../platform/cache/catalog-channel.js";
import type { CacheParts, FrontCache } from "./cache.js";
import { createSharedWindow, TAKE } from "../path/access/shared-window.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

const WATCH_INTERVAL_MS = 250;

/** Builds the front's interface to a cache that nodes share. */
export function composeSharedCache({
  shared: { url, ca, timeoutMs, nodeId },
  metrics,
  log,
}: CacheParts & { shared: SharedCache }): FrontCache {
  const client = createCacheClient({
    url,
    ca,
    name: "payinference-front",
    scripts: [TAKE],
    timeoutMs,
    onRoundTrip: metrics.cacheRoundTrip,
  });
  const closers = [() => client.close()];
  closers.push(watchCache(client, metrics, log));
  return {
    client,
    started: client.started,
    window: (name, limitPerMinute) => createSharedWindow({ cache: client, name, limitPerMinute }),
    announce: announceTo(client, nodeId),
    listen(onAnnouncement) {
      const listener = listenToAnnouncements({ url, ca, nodeId, onAnnouncement });
      closers.push(() => listener.close());
    },
    close: () => closers.toReversed().forEach((close) => close()),
  };
}

/** Updates metrics and the log when the cache fails or recovers. */
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
