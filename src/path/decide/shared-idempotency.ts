import { createCacheClient, type SharedCache } from "../../platform/cache/cache-client.js";
import type { CacheRoundTrip } from "../../platform/cache/round-trip.js";
import { createOwedReplies } from "../idempotency/owed-replies.js";
import { createSharedReplies, SHARED_REPLY_SCRIPTS } from "../idempotency/shared-replies.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { MirrorGate } from "../mirror/mirror-signal.js";
import type { SharedIdempotency } from "./batch-commit.js";
import { now } from "../../platform/timing/clock.js";

/**
 * Opens a decide worker's own connection to the cache. Resolves when the cache is up, or after the time limit of a
 * start.
 */
export async function openSharedIdempotency(
  { url, ca, timeoutMs, nodeId }: SharedCache,
  mirror: MirrorGate | null,
): Promise<SharedIdempotency> {
  let roundTrips: CacheRoundTrip[] = [];
  const cache = createCacheClient({
    url,
    ca,
    name: "payinference-decide",
    scripts: SHARED_REPLY_SCRIPTS,
    timeoutMs,
    onRoundTrip: (trip) => roundTrips.push(trip),
  });
  await cache.started;
  const replies = createSharedReplies(cache, nodeId);
  const owed = createOwedReplies(replies, now);
  setInterval(() => void owed.pay(), TUNING.owedRepliesIntervalMs);
  return {
    replies,
    owe: owed.owe,
    mirror,
    takeRoundTrips() {
      const collected = roundTrips;
      roundTrips = [];
      return collected;
    },
  };
}
