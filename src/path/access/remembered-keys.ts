import { apiKeyKey, type Replica } from "../replica/replica.js";
import type { StoredApiKey } from "./grant.js";

/**
 * Stores PostgreSQL's last answer for each key on this node's disk. Merchants can then get decisions while PostgreSQL
 * is away, even after a restart.
 */
export interface RememberedKeys {
  /** Stores the key. True if this changed what the disk had. */
  remember(publicId: string, key: StoredApiKey): boolean;
  recall(publicId: string): StoredApiKey | null;
  forget(publicId: string): void;
  /** The next public ids after `after`, in ascending order. */
  publicIds(after: string, limit: number): string[];
}

type Stored = Omit<StoredApiKey, "salt" | "hash"> & { salt: string; hash: string };

/** Remembers keys in the LMDB replica. Like PostgreSQL, it stores salted hashes and no secrets. */
export function rememberKeysInReplica(replica: Replica): RememberedKeys {
  return {
    remember(publicId, key) {
      const stored: Stored = { ...key, salt: key.salt.toString("base64"), hash: key.hash.toString("base64") };
      const text = JSON.stringify(stored);
      replica.refresh();
      // The replica is written only if the key has changed, not at every look-up.
      const isNew = replica.read(apiKeyKey(publicId)) !== text;
      if (isNew) replica.putText(apiKeyKey(publicId), text);
      return isNew;
    },
    recall(publicId) {
      replica.refresh();
      const text = replica.read(apiKeyKey(publicId));
      if (text === undefined) return null;
      const stored = JSON.parse(text) as Stored;
      return {
        ...stored,
        salt: Buffer.from(stored.salt, "base64"),
        hash: Buffer.from(stored.hash, "base64"),
      };
    },
    forget(publicId) {
      replica.refresh();
      if (replica.read(apiKeyKey(publicId)) !== undefined) replica.putText(apiKeyKey(publicId), null);
    },
    publicIds(after, limit) {
      replica.refresh();
      return replica.keysAfter(apiKeyKey(""), after, limit);
    },
  };
}
