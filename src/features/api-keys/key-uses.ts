import { recordKeyUses, type KeyUse } from "./queries.js";
import type { Pool } from "pg";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ApiKeyGrant } from "../../path/access/grant.js";

/**
 * Writes last_used_at for many keys at a time, off the requests' path. If a write fails, its uses go into the next
 * write.
 */
export function createKeyUses(pool: Pool, isReachable: () => boolean) {
  const waiting = new Map<string, KeyUse>();
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    if (waiting.size === 0 || !isReachable()) return;
    const uses = [...waiting.values()];
    waiting.clear();
    try {
      await recordKeyUses(pool, uses);
    } catch {
      for (const use of uses) if (!waiting.has(use.keyId)) waiting.set(use.keyId, use);
    }
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), TUNING.keyUseFlushMs);

  return {
    note({ actor, workspaceId }: ApiKeyGrant, usedAtMs: number): void {
      if (waiting.size < TUNING.keyCacheEntriesMax)
        waiting.set(actor, { keyId: actor, workspaceId, usedAtMs });
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
