import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiKeyGrant, Authentication, StoredApiKey } from "../../../../src/path/access/grant.js";
import { generateApiKey, parseApiKey } from "../../../../src/path/access/api-key.js";
import { createKeyCheck, publicIdOf } from "../../../../src/path/access/api-key-cache.js";
import { createKeyGuesses } from "../../../../src/path/access/key-guesses.js";
import { ACCESS_LIMITS } from "../../../../src/domain/vocabulary/access-limits.js";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const LIMIT = ACCESS_LIMITS.unknownKeysPerMinute;
const SOURCE = "198.51.100.1";

const guess = (): string => `pi_test_${randomBytes(32).toString("hex")}`;

/** Existing keys. Some are cached, and this node has accepted some before. */
function situation() {
  const rows = new Map<string, ApiKeyGrant>();
  const cached = new Map<string, ApiKeyGrant>();
  const disk = new Map<string, StoredApiKey>();
  /** Public ids that are cached as unknown. */
  const unknownIds = new Set<string>();
  let lookUps = 0;
  let gate = Promise.resolve();
  const check = createKeyCheck({
    keys: {
      cached: (presented) =>
        cached.get(presented) ?? (unknownIds.has(publicIdOf(presented)) ? "invalid_api_key" : null),
      async lookUp(presented) {
        lookUps++;
        await gate;
        return rows.get(presented) ?? "invalid_api_key";
      },
    },
    remembered: { recall: (publicId) => disk.get(publicId) ?? null },
    guesses: createKeyGuesses(),
    onTooMany: () => undefined,
  });
  return {
    cached,
    unknownIds,
    lookUps: () => lookUps,
    /** An existing key. The grant's actor is the key. */
    key(isRemembered = false): string {
      const { secret, publicId, salt, hash } = generateApiKey("test");
      rows.set(secret, { actor: secret } as ApiKeyGrant);
      if (isRemembered) disk.set(publicId, { salt, hash } as StoredApiKey);
      return secret;
    },
    holdAnswers(): () => void {
      let release: () => void = () => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return release;
    },
    ask: async (presented: string, source = SOURCE, nowMs = NOW_MS): Promise<Authentication> =>
      check(presented, nowMs, () => source),
    async spend(source = SOURCE, nowMs = NOW_MS): Promise<void> {
      for (let i = 0; i < LIMIT; i++)
        assert.equal(await check(guess(), nowMs, () => source), "invalid_api_key");
    },
  };
}

describe("RATE-9: unknown keys of one source", () => {
  it("are looked up 60 times a minute, and then no more", async () => {
    const { ask, spend, lookUps } = situation();
    await spend();
    assert.equal(await ask(guess()), "too_many_guesses");
    assert.equal(lookUps(), LIMIT);
    assert.equal(await ask(guess(), "198.51.100.2"), "invalid_api_key");
    assert.equal(await ask(guess(), SOURCE, NOW_MS + 60_000), "invalid_api_key");
  });

  it("are looked up no more often where a thousand come at once", async () => {
    const { ask, lookUps, holdAnswers } = situation();
    const release = holdAnswers();
    const asking = Array.from({ length: 1000 }, () => ask(guess()));
    await nextTurn();
    release();
    const answers = await Promise.all(asking);
    assert.equal(answers.filter((answer) => answer === "invalid_api_key").length, LIMIT);
    assert.equal(answers.filter((answer) => answer === "too_many_guesses").length, 1000 - LIMIT);
    assert.equal(lookUps(), LIMIT);
  });

  it("keep no burst of keys that there are from being looked up", async () => {
    const { ask, key, holdAnswers } = situation();
    const release = holdAnswers();
    const keys = Array.from({ length: 500 }, () => key());
    const asking = keys.map((secret) => ask(secret));
    await nextTurn();
    release();
    const answers = await Promise.all(asking);
    assert.ok(answers.every((answer, i) => typeof answer === "object" && answer.actor === keys[i]));
  });

  it("lock no holder out whose key this node has cached or accepted before", async () => {
    const { ask, key, cached, spend } = situation();
    const known = [key(true), key()];
    cached.set(known[1] as string, { actor: known[1] as string } as ApiKeyGrant);
    await spend();
    for (const secret of known) assert.equal(typeof (await ask(secret)), "object");
    // A wrong secret with a known public id is a guess.
    const publicId = parseApiKey(known[0] as string)?.publicId ?? "";
    assert.equal(await ask(`pi_test_${publicId}${"0".repeat(48)}`), "too_many_guesses");
  });

  it("CELL-2: count a key of another cell as a text that is no key, and look nothing up", async () => {
    const { ask, lookUps } = situation();
    const { secret } = generateApiKey("test", "b");
    for (let i = 0; i < 2 * LIMIT; i++) assert.equal(await ask(secret), "invalid_api_key");
    for (let i = 1; i < LIMIT; i++) await ask(generateApiKey("test", "b").secret);
    assert.equal(await ask(secret), "too_many_guesses");
    assert.equal(lookUps(), 0);
  });

  it("count where their id is cached as unknown, the same key once", async () => {
    const { ask, unknownIds, lookUps, key } = situation();
    const [first, second] = [guess(), guess()];
    unknownIds.add(publicIdOf(first));
    const withSameId = (): string => first.slice(0, -48) + randomBytes(24).toString("hex");
    assert.equal(await ask(second), "invalid_api_key");
    unknownIds.add(publicIdOf(second));
    for (let i = 0; i < 2 * LIMIT; i++) assert.equal(await ask(second), "invalid_api_key");
    for (let i = 1; i < LIMIT; i++) assert.equal(await ask(withSameId()), "invalid_api_key");
    assert.equal(await ask(withSameId()), "too_many_guesses");
    assert.equal(await ask(second), "too_many_guesses");
    assert.equal(lookUps(), 1);
    // A key that this node has seen hold is no guess, although it is revoked now.
    const revoked = key(true);
    unknownIds.add(publicIdOf(revoked));
    assert.equal(await ask(revoked), "invalid_api_key");
  });

  it("count each time where the look-up of a wrong secret says nothing of the id", async () => {
    const { ask, lookUps } = situation();
    const wrong = guess();
    for (let i = 0; i < LIMIT; i++) assert.equal(await ask(wrong), "invalid_api_key");
    assert.equal(await ask(wrong), "too_many_guesses");
    assert.equal(lookUps(), LIMIT);
  });

  it("count where they are not shaped like a key, the same text once", async () => {
    const { ask, lookUps } = situation();
    for (let i = 0; i < 2 * LIMIT; i++) assert.equal(await ask("not a key"), "invalid_api_key");
    for (let i = 1; i < LIMIT; i++) assert.equal(await ask(`guess ${i}`), "invalid_api_key");
    assert.equal(await ask("not a key"), "too_many_guesses");
    assert.equal(await ask(guess()), "too_many_guesses");
    assert.equal(lookUps(), 0);
  });

  it("are remembered of so many sources; the rest count as one", async () => {
    const { ask } = situation();
    for (let i = 0; i < ACCESS_LIMITS.unknownKeySourcesMax; i++) await ask(guess(), `source ${i}`);
    for (let i = 0; i < LIMIT; i++) assert.equal(await ask(guess(), `more ${i}`), "invalid_api_key");
    assert.equal(await ask(guess(), "one more"), "too_many_guesses");
    assert.equal(await ask(guess(), "source 1"), "invalid_api_key");
  });
});
