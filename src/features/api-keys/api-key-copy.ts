import type { RememberedKeys, StoredApiKey } from "../../path/access/api-key-cache.js";
import type { RecordCopy } from "../../path/changes/record-copy.js";

export interface ApiKeyCopyOptions {
  remembered: RememberedKeys;
  /** Of these public ids, the keys that there are, revoked ones included. Rejects while PostgreSQL is away. */
  find(publicIds: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>>;
  /** The next request with this key reads it anew. */
  invalidate(publicId: string): void;
}

/**
 * The copies of keys: of those alone that were used here. One that is not used is not looked up, so nothing but its
 * change would tell this node's disk that it was revoked.
 */
export function copyApiKeys({ remembered, find, invalidate }: ApiKeyCopyOptions): RecordCopy {
  return {
    async copy(records) {
      const publicIds = [...new Set(records.map(({ key }) => key))];
      // Before the look: what a request reads meanwhile is not kept.
      for (const publicId of publicIds) invalidate(publicId);
      const known = publicIds.filter((publicId) => remembered.recall(publicId) !== null);
      if (known.length === 0) return 0;
      const found = await find(known);
      let changed = 0;
      for (const publicId of known) {
        const key = found.get(publicId);
        if (key === undefined || key.revoked) {
          remembered.forget(publicId);
          changed++;
          // Forgotten while PostgreSQL was asked, it stays so.
        } else if (remembered.recall(publicId) !== null && remembered.remember(publicId, key)) changed++;
      }
      return changed;
    },
    stored: () => Promise.resolve([]),
    held: (after, limit) =>
      remembered.publicIds(after?.key ?? "", limit).map((publicId) => ({ workspaceId: "", key: publicId })),
  };
}
