import type { RememberedKeys } from "../../path/access/remembered-keys.js";
import type { StoredApiKey } from "../../path/access/grant.js";
import type { RecordCopy } from "../../path/changes/record-copy.js";

export interface ApiKeyCopyOptions {
  remembered: RememberedKeys;
  /** Finds the keys with these public ids, including revoked ones. Rejects while PostgreSQL is away. */
  find(publicIds: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>>;
  /** Makes the next request with this key read it from PostgreSQL. */
  invalidate(publicId: string): void;
}

/**
 * Copies only the keys that were used on this node, because other keys are looked up at their first use. Without these
 * copies, this node's disk would not learn that a used key was revoked.
 */
export function copyApiKeys({ remembered, find, invalidate }: ApiKeyCopyOptions): RecordCopy {
  return {
    async copy(records) {
      const publicIds = [...new Set(records.map(({ key }) => key))];
      // The invalidation comes before the look-up, so that a concurrent request does not cache an older answer.
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
          // A key that was forgotten during the query stays forgotten.
        } else if (remembered.recall(publicId) !== null && remembered.remember(publicId, key)) changed++;
      }
      return changed;
    },
    stored: () => Promise.resolve([]),
    held: (after, limit) =>
      remembered.publicIds(after?.key ?? "", limit).map((publicId) => ({ workspaceId: "", key: publicId })),
  };
}
