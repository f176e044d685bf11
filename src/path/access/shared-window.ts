import { cacheScript, type CacheClient, type ScriptCall } from "../../platform/cache/cache-client.js";
import type { RateWindow } from "./rate-window.js";

export interface SharedWindowOptions {
  cache: CacheClient;
  /** A part of the window's cache keys. It keeps apart several windows that count the same principals. */
  name: string;
  limitPerMinute: number;
}

/** The pending requests of one principal in one turn of the event loop. */
interface PendingPrincipal {
  principal: string;
  settle: ((admitted: boolean) => void)[];
}

/**
 * Adds requests to a principal's count and returns the new count. The minute is that of the cache's clock, which all
 * nodes share. The count expires with the minute.
 */
export const TAKE = cacheScript(`
local after = redis.call('INCRBY', KEYS[1], ARGV[1])
if after == tonumber(ARGV[1]) then
  local now = redis.call('TIME')
  redis.call('PEXPIRE', KEYS[1], 60000 - now[1] % 60 * 1000 - math.floor(now[2] / 1000))
end
return after`);

/**
 * RATE-1: counts the requests of all nodes exactly. The requests of one turn of the event loop share one round trip,
 * with one call for each principal. If the cache is unreachable, requests pass unlimited and without a wait.
 */
export function createSharedWindow({ cache, name, limitPerMinute }: SharedWindowOptions): RateWindow {
  let pending = new Map<string, PendingPrincipal>();

  const flush = async (): Promise<void> => {
    const turn = [...pending.values()];
    // Each turn gets a new table, because V8 retains the former entries of a long-lived table
    // (docs/decisions/0012-no-long-lived-hash-tables.md).
    pending = new Map();
    const calls = turn.map(({ principal, settle }): ScriptCall => ({
      script: TAKE,
      key: `pi:rate:${name}:{${principal}}`,
      args: [settle.length],
    }));
    const counts = await cache.call("rate_window", calls);
    for (const [index, { settle }] of turn.entries()) {
      const before = counts === null ? 0 : Number(counts[index]) - settle.length;
      for (const [place, admit] of settle.entries())
        admit(counts === null || before + place < limitPerMinute);
    }
  };

  return {
    limitPerMinute,
    take(principal) {
      if (limitPerMinute === 0 || !cache.isUp()) return true;
      return new Promise((settle) => {
        if (pending.size === 0) setImmediate(() => void flush());
        const known = pending.get(principal);
        if (known === undefined) pending.set(principal, { principal, settle: [settle] });
        else known.settle.push(settle);
      });
    },
  };
}
