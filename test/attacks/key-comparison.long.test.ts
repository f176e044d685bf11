import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateApiKey, verifyApiKey } from "../../src/path/access/api-key.js";
import { equalInConstantTime } from "../../src/path/access/api-key-cache.js";

const ROUNDS = 4000;
const CALLS = 200;

/**
 * The nanoseconds of `CALLS` calls for each candidate. The order changes each round, so that drift affects all
 * candidates alike.
 */
function measure(candidates: readonly (() => boolean)[]): number[][] {
  const samples: number[][] = candidates.map(() => []);
  let calls = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (turn + round) % candidates.length;
      const candidate = candidates[index] as () => boolean;
      const start = process.hrtime.bigint();
      for (let call = 0; call < CALLS; call++) if (candidate()) calls++;
      samples[index]?.push(Number(process.hrtime.bigint() - start));
    }
  }
  assert.equal(calls, ROUNDS * CALLS, "one candidate of each is the right key");
  return samples;
}

/** A low quantile: the time of a call when nothing else used the core. */
function quiet(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 10)] ?? Number.NaN;
}

/** Returns the key with another character at `at`. */
const wrongAt = (key: string, at: number): string =>
  key.slice(0, at) + (key[at] === "0" ? "1" : "0") + key.slice(at + 1);

describe("KEY-2: the time of a comparison does not reveal how much of a key is right", () => {
  const { secret, salt, hash } = generateApiKey("live");
  const guesses = [secret, wrongAt(secret, 24), wrongAt(secret, 48), wrongAt(secret, secret.length - 1)];
  const functions: [name: string, compare: (guess: string) => boolean][] = [
    ["equalInConstantTime", (guess) => equalInConstantTime(secret, guess)],
    ["verifyApiKey", (guess) => verifyApiKey(guess, salt, hash)],
  ];
  for (const [name, compare] of functions) {
    it(`${name}: a wrong first, middle or last character takes the same time`, (t) => {
      const candidates = guesses.map((guess) => () => compare(guess));
      // The first pass lets the compiler optimize the code.
      measure(candidates);
      const [right = 0, ...wrong] = measure(candidates).map(quiet);
      t.diagnostic(`ns a call: right ${right / CALLS}, wrong ${wrong.map((ns) => ns / CALLS).join(", ")}`);
      // A comparison that stopped at the first difference would read 25 to 72 characters. Its times would then differ
      // by a factor of more than two.
      for (const ns of wrong) assert.ok(Math.abs(ns - right) < right * 0.35, `${ns} against ${right} ns`);
    });
  }
});
