import { createApiKeyCache } from "../../src/path/access/api-key-cache.js";
import type { StoredApiKey } from "../../src/path/access/grant.js";
import { generateApiKey } from "../../src/path/access/api-key.js";
import { SCOPES } from "../../src/domain/vocabulary/vocabulary.js";

export interface CachedKeyFigure {
  /** The time to authenticate a key whose grant is cached: microseconds, median over the repetitions. */
  authenticateUs: number;
  keys: number;
}

const KEYS = 1000;
const REPETITIONS = 25;
const CALLS_PER_REPETITION = 20_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const NOTHING_REMEMBERED = {
  remember: () => true,
  recall: () => null,
  forget: () => undefined,
  publicIds: () => [],
};

/** Measures the cost of authentication, which every request adds to the front thread. */
export async function measureCachedKey(): Promise<CachedKeyFigure> {
  const stored = new Map<string, StoredApiKey>();
  const secrets = Array.from({ length: KEYS }, (_, n) => {
    const { secret, publicId, salt, hash } = generateApiKey("live");
    stored.set(publicId, { ...GRANTED, keyId: `key_${n}`, salt, hash });
    return secret;
  });
  let hits = 0;
  const cache = createApiKeyCache(
    async (publicId) => stored.get(publicId) ?? null,
    NOTHING_REMEMBERED,
    (result) => {
      if (result === "hit") hits++;
    },
    () => undefined,
  );
  for (const secret of secrets) await cache.lookUp(secret, NOW_MS);
  // The strings are copied, because keys from a socket are new strings too.
  const presented = secrets.map((secret) => Buffer.from(secret).toString("latin1"));

  const timesUs: number[] = [];
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    hits = 0;
    const startedAt = process.hrtime.bigint();
    for (let call = 0; call < CALLS_PER_REPETITION; call++)
      void cache.cached(presented[call % KEYS] as string, NOW_MS);
    const elapsedUs = Number(process.hrtime.bigint() - startedAt) / 1000;
    if (hits !== CALLS_PER_REPETITION) throw new Error("a key was not cached");
    // The first repetition is only a warm-up.
    if (repetition > 0) timesUs.push(elapsedUs / CALLS_PER_REPETITION);
  }
  return { keys: KEYS, authenticateUs: timesUs.toSorted((a, b) => a - b)[REPETITIONS >> 1] as number };
}

const GRANTED = {
  workspaceId: "ws_00000000000000000000000001",
  mode: "live",
  scopes: [...SCOPES],
  merchantId: null,
  expiresAtMs: null,
  revoked: false,
  workspaceStatus: "active",
} as const;
