import type { RememberedKeys, StoredApiKey } from "./api-key-cache.js";

export interface RememberedKeysSyncOptions {
  remembered: RememberedKeys;
  /** Of these public ids, the keys that there are, revoked ones included. Rejects while PostgreSQL is away. */
  find(publicIds: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>>;
  /** Ids asked for at once. */
  rowsMax: number;
  onError(error: unknown): void;
}

/**
 * A key that is not used is not looked up, so nothing would tell this node's disk that it was revoked, or its workspace
 * suspended: whenever keys or workspaces change, all that is remembered is compared with PostgreSQL.
 */
export function createRememberedKeysSync({ remembered, find, rowsMax, onError }: RememberedKeysSyncOptions) {
  let running = Promise.resolve();
  let next: Promise<void> | null = null;

  const compare = async (): Promise<void> => {
    const publicIds = remembered.publicIds();
    for (let at = 0; at < publicIds.length; at += rowsMax) {
      const asked = publicIds.slice(at, at + rowsMax);
      const found = await find(asked);
      for (const publicId of asked) {
        const key = found.get(publicId);
        if (key === undefined || key.revoked) remembered.forget(publicId);
        // Forgotten while PostgreSQL was asked, it stays so.
        else if (remembered.recall(publicId) !== null) remembered.remember(publicId, key);
      }
    }
  };

  /** Resolves when what is remembered is as of this call or later; callers that come while one waits share it. */
  const refresh = (): Promise<void> => {
    if (next !== null) return next;
    const started = running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return compare();
      });
    next = started;
    running = started;
    return started;
  };

  return { refresh, refreshSoon: (): void => void refresh().catch(onError) };
}
