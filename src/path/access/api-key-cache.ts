import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Mode, Scope, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import { equalInConstantTime, parseApiKey, publicIdOf, verifyApiKey } from "./api-key.js";
import { takesOwn, type TakesCell } from "./cell.js";
import { within } from "../../platform/timing/within.js";
import type { Grant } from "./grant.js";

/** A stored key together with its workspace's status. One look-up reads both. */
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

/** `too_many_guesses`: the request's source has shown too many unknown keys (RATE-9). */
export type Authentication = ApiKeyGrant | "invalid_api_key" | "too_many_guesses" | "unavailable";

/** Finds a key by its public id. Null if no key has that id. Rejects while PostgreSQL is away. */
export type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;

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

const LATE = Symbol("late");

interface CacheEntry {
  /** The presented key after its hash was checked. Null if no key has the id, or if the key is revoked. */
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
  /** Counts invalidations. The result of a look-up that began before an invalidation must not be cached. */
  let generation = 0;

  const keep = (publicId: string, entry: CacheEntry): void => {
    if (entries.size >= TUNING.keyCacheEntriesMax) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.delete(publicId);
    entries.set(publicId, entry);
  };

  /** Writes PostgreSQL's answer to the disk. Never throws, because the request does not need the disk's copy. */
  const rememberOrForget = (publicId: string, key: StoredApiKey | null): void => {
    try {
      if (key) remembered.remember(publicId, key);
      else remembered.forget(publicId);
    } catch {
      // The disk is nearly full or read-only, so it keeps its older answer.
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
        // After an invalidation, another look-up may have taken the place in `pending`.
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
    // The late result is cached for later requests. This request uses the remembered key, because it must be answered
    // within 2 s.
    void loading.then(settle);
    return settle(known);
  };

  /** Returns a function that judges a presented key by its stored row, and caches the result. */
  const settling = (presented: string, parsed: { mode: Mode; publicId: string }, nowMs: number) => {
    const before = generation;
    return (stored: StoredApiKey | null | "unavailable"): Authentication => {
      if (stored === "unavailable") return "unavailable";
      if (stored === null || stored.revoked) {
        // Unknown ids are cached, so that guesses do not reach the database. The time is short, because a key with the
        // id may be created at any moment.
        if (generation === before) {
          const freshUntilMs = nowMs + TUNING.unknownKeyCacheMs;
          keep(parsed.publicId, { verified: null, grant: null, freshUntilMs });
        }
        return "invalid_api_key";
      }
      // Do not cache this refusal. The public id is no secret, so anybody who knows it could lock out the key's holder.
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
      // Called only when a key enters the cache, so that recording its last use costs a cached request nothing.
      onUsed(grant, nowMs);
      return grant;
    };
  };

  return {
    /** The cached result for a presented key. Null if the key must be looked up. `nowMs` is Unix milliseconds. */
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
    /** Looks the key up in PostgreSQL if the text has the form of a key and `takes` accepts its cell. */
    lookUp,
    /** Call this after a key or its workspace has changed. The next request reads the key again. */
    invalidate(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
    },

    /** Call this after this node has revoked a key. It removes the key from memory and disk. */
    revoke(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
      rememberOrForget(publicId, null);
    },

    /** Call this after a workspace was suspended or activated. It scans all entries, because such changes are rare. */
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
 * True if the presented key is a key that this node's disk remembers. Such a key does not count as a guess, even if it
 * is no longer valid.
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
