import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Mode, Scope, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";
import {
  API_KEY_CHARS,
  equalInConstantTime,
  parseApiKey,
  PUBLIC_ID_AT,
  PUBLIC_ID_END,
  verifyApiKey,
} from "./api-key.js";
import { within } from "../../platform/timing/within.js";
import type { Grant } from "./grant.js";

/** A stored key with its workspace's status, as one look-up answers it. */
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

/** What a verified key allows. */
export interface ApiKeyGrant extends Grant {
  scopes: ReadonlySet<Scope>;
  expiresAtMs: number | null;
  workspaceStatus: WorkspaceStatus;
}

/** `too_many_guesses`: its source has shown too many keys that there are not (RATE-9). */
export type Authentication = ApiKeyGrant | "invalid_api_key" | "too_many_guesses" | "unavailable";

/** Finds a key by its public id; null when there is none. Rejects when the database is unreachable. */
export type FindApiKey = (publicId: string) => Promise<StoredApiKey | null>;

/**
 * Keeps the last answer for a key on this node's disk, so that merchants go on deciding while PostgreSQL is away,
 * across a restart too.
 */
export interface RememberedKeys {
  /** True where something else was remembered before, or nothing. */
  remember(publicId: string, key: StoredApiKey): boolean;
  recall(publicId: string): StoredApiKey | null;
  forget(publicId: string): void;
  /** The next of what is remembered behind one, in order. */
  publicIds(after: string, limit: number): string[];
}

const LATE = Symbol("late");

interface CacheEntry {
  /** The presented key, verified against its hash; null for an id no key has. */
  verified: string | null;
  grant: ApiKeyGrant | null;
  freshUntilMs: number;
}

/**
 * Grants by key, for at most 60 seconds (KEY-9). A hit costs one map look-up and one
 * constant-time comparison.
 */
export function createApiKeyCache(
  find: FindApiKey,
  remembered: RememberedKeys,
  onLookup: (result: "hit" | "miss") => void,
  /** A verified key begins a cache life. */
  onUsed: (grant: ApiKeyGrant, nowMs: number) => void,
  lookupPatienceMs: number = TUNING.keyLookupPatienceMs,
) {
  const entries = new Map<string, CacheEntry>();
  const pending = new Map<string, Promise<StoredApiKey | null | "unavailable">>();
  /** Moves at every invalidation: what a look-up began to read before it may not be kept. */
  let generation = 0;

  const keep = (publicId: string, entry: CacheEntry): void => {
    if (entries.size >= TUNING.keyCacheEntriesMax) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.delete(publicId);
    entries.set(publicId, entry);
  };

  /** A full disk must not turn the database's fresh answer, a revocation say, into the one remembered before it. */
  const rememberOrForget = (publicId: string, key: StoredApiKey | null): void => {
    try {
      if (key) remembered.remember(publicId, key);
      else remembered.forget(publicId);
    } catch {
      // What is remembered is at worst older than it could be.
    }
  };

  const load = (publicId: string): Promise<StoredApiKey | null | "unavailable"> => {
    const running = pending.get(publicId);
    if (running) return running;
    const before = generation;
    const started: Promise<StoredApiKey | null | "unavailable"> = find(publicId)
      .then(
        (key) => {
          // Read before a revocation that this node knows of, it must not outlive it on the disk.
          if (generation === before) rememberOrForget(publicId, key);
          return key;
        },
        () => remembered.recall(publicId) ?? ("unavailable" as const),
      )
      .finally(() => {
        // After an invalidation, a later look-up may stand there.
        if (pending.get(publicId) === started) pending.delete(publicId);
      });
    pending.set(publicId, started);
    return started;
  };

  const lookUp = async (presented: string, nowMs: number): Promise<Authentication> => {
    const parsed = parseApiKey(presented);
    if (!parsed) return "invalid_api_key";
    onLookup("miss");
    const loading = load(parsed.publicId);
    const settle = settling(presented, parsed, nowMs);
    const found = await within(loading, lookupPatienceMs, LATE);
    if (found !== LATE) return settle(found);
    const known = remembered.recall(parsed.publicId);
    if (known === null) return settle(await loading);
    // What the key asks for may wait for PostgreSQL as well, and is answered within 2 s. What is found counts from then on.
    void loading.then(settle);
    return settle(known);
  };

  /** What a presented key is worth by what is stored of it, from now on. */
  const settling = (presented: string, parsed: { mode: Mode; publicId: string }, nowMs: number) => {
    const before = generation;
    return (stored: StoredApiKey | null | "unavailable"): Authentication => {
      if (stored === "unavailable") return "unavailable";
      if (stored === null || stored.revoked) {
        // A short memory of unknown ids keeps guessing off the database; short, because a key may be created now.
        if (generation === before) {
          const freshUntilMs = nowMs + TUNING.unknownKeyCacheMs;
          keep(parsed.publicId, { verified: null, grant: null, freshUntilMs });
        }
        return "invalid_api_key";
      }
      // Not remembered: the public id is no secret, and whoever knows it must not lock the key's holder out.
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
      // Once per key and cache life: what a key was last used at costs the cached path nothing.
      onUsed(grant, nowMs);
      return grant;
    };
  };

  return {
    /** What is cached of a presented key; null where it has to be looked up. `nowMs` is Unix milliseconds. */
    cached(presented: string, nowMs: number): Authentication | null {
      if (presented.length !== API_KEY_CHARS) return null;
      const entry = entries.get(presented.slice(PUBLIC_ID_AT, PUBLIC_ID_END));
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
    /** Asks PostgreSQL, unless it is not shaped like a key. */
    lookUp,
    /** After a key or its workspace changed: the next request reads it anew. */
    invalidate(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
    },

    /** After a revocation by this node: accepted neither from memory nor, with PostgreSQL away, from the disk. */
    revoke(publicId: string): void {
      generation++;
      entries.delete(publicId);
      pending.delete(publicId);
      rememberOrForget(publicId, null);
    },

    /** After a workspace was suspended or activated. That is rare, so all entries may be looked at. */
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

/** This node has seen this very key hold: no guess, whatever has become of it since. */
export function hasHeld(presented: string, remembered: Pick<RememberedKeys, "recall">): boolean {
  const parsed = parseApiKey(presented);
  const known = parsed === null ? null : remembered.recall(parsed.publicId);
  return known !== null && verifyApiKey(presented, known.salt, known.hash);
}
