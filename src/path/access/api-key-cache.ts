import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { parseApiKey, verifyApiKey, PUBLIC_CHARS, SECRET_CHARS } from "./api-key.js";
import { takesOwn, type TakesCell } from "./cell.js";
import { within } from "../../platform/timing/within.js";
import type { StoredApiKey, ApiKeyGrant, Authentication, FindApiKey } from "./grant.js";
import type { RememberedKeys } from "./remembered-keys.js";
import type { KeyGuesses, LookUpLeave } from "./key-guesses.js";

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
    // The late result is cached for later requests. This one is answered within 2 s, by the remembered key.
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
function hasHeld(presented: string, remembered: Pick<RememberedKeys, "recall">, takes: TakesCell): boolean {
  const parsed = parseApiKey(presented, takes);
  const known = parsed === null ? null : remembered.recall(parsed.publicId);
  return known !== null && verifyApiKey(presented, known.salt, known.hash);
}

/** The public id in a text that has the length of a key. "" for all other texts. */
export function publicIdOf(presented: string): string {
  const secretAt = presented.length - SECRET_CHARS;
  if (secretAt < SECRET_AT_MIN || secretAt > SECRET_AT_MAX) return "";
  return presented.slice(secretAt - PUBLIC_CHARS, secretAt);
}

const SECRET_AT_MIN = "pi_test_".length + PUBLIC_CHARS;

/** A cell's name has at most eight characters. */
const SECRET_AT_MAX = SECRET_AT_MIN + "abcdefgh_".length;

/** Compares two texts of equal length without stopping at the first difference. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

export interface KeyCheckOptions {
  keys: {
    cached(presented: string, nowMs: number): Authentication | null;
    lookUp(presented: string, nowMs: number): Promise<Authentication>;
  };
  remembered: Pick<RememberedKeys, "recall">;
  guesses: KeyGuesses;
  onTooMany(): void;
  /** CELL-2: a key of another cell is refused without a look-up, like a text that does not have the form of a key. */
  takes?: TakesCell;
}

/** Checks a presented key. `source` is called only if the key is not cached, and before the function first waits. */
export type CheckKey = (
  presented: string,
  nowMs: number,
  source: () => string,
) => Authentication | Promise<Authentication>;

/**
 * Checks keys. A cached key passes at once. A key that this node's disk remembers is always looked up, whatever else
 * its source tries, so that guesses lock out no holder. Any other key is looked up only while its source has guesses
 * left (RATE-9).
 */
export function createKeyCheck({
  keys,
  remembered,
  guesses,
  onTooMany,
  takes = takesOwn(null),
}: KeyCheckOptions): CheckKey {
  const lookUp = async (presented: string, nowMs: number, leave: LookUpLeave): Promise<Authentication> => {
    let unknown: string | null = null;
    try {
      const result = await keys.lookUp(presented, nowMs);
      if (result === "invalid_api_key") unknown = presented;
      return result;
    } finally {
      leave.end(unknown);
    }
  };

  const refuse = (): Authentication => {
    onTooMany();
    return "too_many_guesses";
  };

  return (presented, nowMs, source) => {
    const known = keys.cached(presented, nowMs);
    if (known !== null && known !== "invalid_api_key") return known;
    if (hasHeld(presented, remembered, takes)) return known ?? keys.lookUp(presented, nowMs);
    // The id of a key that is cached as unknown is enough to refuse all keys with this id.
    if (known !== null || parseApiKey(presented, takes) === null)
      return guesses.countCertain(source(), presented, nowMs) ? "invalid_api_key" : refuse();
    const leave = guesses.enter(source(), nowMs);
    if (leave === null) return refuse();
    if (!(leave instanceof Promise)) return lookUp(presented, nowMs, leave);
    return leave.then((grantedLeave) =>
      grantedLeave === null ? refuse() : lookUp(presented, nowMs, grantedLeave),
    );
  };
}
