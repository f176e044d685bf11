import type { RememberedKeys, StoredApiKey } from "./api-key-cache.js";

export interface RememberedKeysOptions {
  remembered: RememberedKeys;
  /** Of these public ids, the keys that there are, revoked ones included. Rejects while PostgreSQL is away. */
  find(publicIds: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>>;
  /** Ids asked for at once. */
  rowsMax: number;
}

/**
 * A key that is not used is not looked up, so nothing would tell this node's disk that it was revoked, or its workspace
 * suspended: whenever keys or workspaces change, all that is remembered is compared with PostgreSQL. Returns one
 * comparison, to be run by a CoalescedRefresh.
 */
export function compareRememberedKeys({ remembered, find, rowsMax }: RememberedKeysOptions) {
  return async (): Promise<void> => {
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
}
