import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Mode, Scope, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import { equalInConstantTime, parseApiKey, publicIdOf, verifyApiKey } from "./api-key.js";
import { takesOwn, type TakesCell } from "./cell.js";
import { within } from "../../platform/timing/within.js";
import type { Grant } from "./grant.js";

/** A stored key together with its workspace's status, read in one look-up. */
export interface StoredApiKey {
  keyId: string;
  workspaceId: string;
  mode: Mode;
  scopes: readonly Scope[];
  merchantId: string | null;
  /** Unix milliseconds, or null. */
  expiresAtMs: number | null;
  revoked: boolean;
  salt: Buffer;
  hash: Buffer;
  workspaceStatus: WorkspaceStatus;
}

/** The rights of a verified key. */
export interface ApiKeyGrant extends Grant {
  scopes: ReadonlySet<Scope>;
  expiresAtMs: number | null;
  workspaceStatus: WorkspaceStatus;
}

/** `too_many_guesses`: the key's source has shown too many unknown keys (RATE-9). */
export type Authentication = ApiKeyGrant | "invalid_api_key" | "too_many_guesses" | "unavailable";

/** Finds a key by its public id. Null if there is none. Rejects when the database is unreachable. */
export type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;

/**
 * Stores the last answer for each key on this node's disk. Merchants can then get decisions while PostgreSQL is away,
 * even after a restart.
 */
export interface RememberedKeys {
  /** True if the stored key differs from the one remembered before, or if none was. */
  remember(publicId: string, key: StoredApiKey): boolean;
  recall(publicId: string): StoredApiKey | null;
  forget(publicId: string): void;
  /** The next public ids after `after`, in order. */
  publicIds(after: string, limit: number): string[];
}

const LATE = Symbol("late");

interface CacheEntry {
  /** The presented key, after a check against its hash. Null for an id that no key has. */
  verified: string | null;
  grant: ApiKeyGrant | null;
  freshUntilMs: number;
}

/**
 * Caches grants by key, for at most 60 seconds (KEY-9). A hit costs one map look-up and one constant-time comparison.
 */
export function createApiKeyCache(
  find: FindApiKey,
  remembered: RememberedKeys,
  onLookup: (result: "hit" | "miss") => void,
  /** Called when a verified key enters the cache. */
  onUsed: (grant: ApiKeyGrant, nowMs: number) => void,
  lookupPatienceMs: number = TUNING.keyLookupPatienceMs,
  takes: TakesCell = takesOwn(null),
) {
  const entries = new Map<string, CacheEntry>();
  const pending = new Map<string, Promise<StoredApiKey | null | "unavailable">>();
  /** Grows at every invalidation. A look-up that began before an invalidation must not be cached. */
  let generation = 0;

  const keep = (publicId: string, entry: CacheEntry): void => {
    if (entries.size >= TUNING.keyCacheEntriesMax) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.delete(publicId);
    entries.set(publicId, entry);
  };

  /** A full disk must not replace the database's new answer, such as a revocation, by the older one on the disk. */
  const rememberOrForget = (publicId: string, key: StoredApiKey | null): void => {
    try {
      if (key) remembered.remember(publicId, key);
      else remembered.forget(publicId);
    } catch {
      // The disk then keeps its older answer.
    }
  };

  const load = (publicId: string): Promise<StoredApiKey | null | "unavailable"> => {
    const running = pending.get(publicId);
    if (running) return running;
    const before = generation;
    const started: Promise<StoredApiKey | null | "unavailable"> = find(publicId)
      .then(
        (key) => {
          // A key that was read before a known revocation must not be written to the disk.
          if (generation === before) rememberOrForget(publicId, key);
          return key;
        },
        () => remembered.recall(publicId) ?? ("unavailable" as const),
      )
      .finally(() => {
        // After an invalidation, a later look-up may have taken this place.
        if (pending.get(publicId) === started) pending.delete(publicId);
      });
    pending.set(publicId, started);
    return started;
  };

  const lookUp = async (presented: string, nowMs: number): Promise<Authentication> => {
    const parsed = parseApiKey(presented, takes);
    if (!parsed) return "invalid_api_key";
    onLookup("miss");
    const loading = load(parsed.publicId);
    const settle = settling(presented, parsed, nowMs);
    const found = await within(loading, lookupPatienceMs, LATE);
    if (found !== LATE) return settle(found);
    const known = remembered.recall(parsed.publicId);
    if (known === null) return settle(await loading);
    // The rest of the request may wait for PostgreSQL within its 2 s too. The late result counts for later requests.
    void loading.then(settle);
    return settle(known);
  };

  /** Judges a presented key by its stored row. The result counts from now on. */
  const settling = (presented: string, parsed: { mode: Mode; publicId: string }, nowMs: number) => {
    const before = generation;
    return (stored: StoredApiKey | null | "unavailable"): Authentication => {
      if (stored === "unavailable") return "unavailable";
      if (stored === null || stored.revoked) {
        // A short memory of unknown ids keeps guesses off the database. It is short because a key may be created at any
        // moment.
        if (generation === before) {
          const freshUntilMs = nowMs + TUNING.unknownKeyCacheMs;
          keep(parsed.publicId, { verified: null, grant: null, freshUntilMs });
        }
        return "invalid_api_key";
      }
      // This is not cached. The public id is no secret, and somebody who knows it must not lock the key's holder out.
      if (stored.mode !== parsed.mode || !verifyApiKey(presented, stored.salt, stored.hash)) {
        return "invalid_api_key";
      }
      const grant: ApiKeyGrant = {
        actor: stored.keyId,
        workspaceId: stored.workspaceId,
        mode: stored.mode,
        scopes: new Set(stored.scopes),
        merchantScope: stored.merchantId,
        expiresAtMs: stored.expiresAtMs,
        workspaceStatus: stored.workspaceStatus,
      };
      if (generation === before) {
        keep(parsed.publicId, { verified: presented, grant, freshUntilMs: nowMs + LIMITS.keyCacheMs });
      }
      if (isExpired(grant, nowMs)) return "invalid_api_key";
      // Called once per key and cache life, so that recording the last use costs the cached path nothing.
      onUsed(grant, nowMs);
      return grant;
    };
  };

  return {
    /** The cached result for a presented key. Null if it must be looked up. `nowMs` is Unix milliseconds. */
    cached(presented: string, nowMs: number): Authentication | null {
      const entry = entries.get(publicIdOf(presented));
      if (entry !== undefined && nowMs < entry.freshUntilMs) {
        if (entry.verified === null || entry.grant === null) {
          onLookup("hit");
          return "invalid_api_key";
        }
        if (equalInConstantTime(entry.verified, presented)) {
          onLookup("hit");
          return isExpired(entry.grant, nowMs) ? "invalid_api_key" : entry.grant;
        }
      }
      return null;
    },
    /** Asks PostgreSQL, unless the text is not shaped like a key. */
    lookUp,
    /** Called after a key or its workspace has changed. The next request reads the key again. */
    invalidate(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
    },

    /** Called after this node has revoked a key. From then on, memory and disk refuse the key. */
    revoke(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
      rememberOrForget(publicId, null);
    },

    /** Called after a workspace was suspended or activated. That is rare, so a scan of all entries is fine. */
    invalidateWorkspace(workspaceId: string): void {
      generation++;
      pending.clear();
      for (const [publicId, { grant }] of entries)
        if (grant?.workspaceId === workspaceId) entries.delete(publicId);
    },
  };
}

function isExpired(grant: ApiKeyGrant, nowMs: number): boolean {
  return grant.expiresAtMs !== null && nowMs >= grant.expiresAtMs;
}

/**
 * True if this node has seen exactly this key as valid. Such a key does not count as a guess, even if it has become
 * invalid since.
 */
export function hasHeld(
  presented: string,
  remembered: Pick<RememberedKeys, "recall">,
  takes: TakesCell,
): boolean {
  const parsed = parseApiKey(presented, takes);
  const known = parsed === null ? null : remembered.recall(parsed.publicId);
  return known !== null && verifyApiKey(presented, known.salt, known.hash);
}
