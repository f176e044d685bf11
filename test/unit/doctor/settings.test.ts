import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkSettings } from "../../../src/doctor/settings.js";
import { readSettings } from "../../../src/platform/settings/settings.js";

const OWN_POSTGRES = {
  DATABASE_URL: "postgres://127.0.0.1:1/x",
  SECRET_KEY: "0123456789abcdef0123456789abcdef",
  PLATFORM_ADMIN_EMAIL: "admin@example.com",
  PLATFORM_ADMIN_PASSWORD: "correct horse battery",
  SMTP_URL: "smtps://mail.example",
  MAIL_FROM: "pay@shop.example",
  PUBLIC_URL: "https://pay.shop.example",
};
const SOUND = ["ok: do not contradict each other"];

function found(env: Readonly<Record<string, string | undefined>>): string[] {
  const lines: string[] = [];
  checkSettings(readSettings(env), (state, text) => lines.push(`${state}: ${text}`));
  return lines;
}

describe("DOC-3: settings that contradict each other", () => {
  for (const env of [{}, OWN_POSTGRES, { ...OWN_POSTGRES, CACHE_URL: "rediss://cache.example:6379" }]) {
    it(`DOC-3: none of ${Object.keys(env).join(", ") || "the defaults"}`, () => {
      assert.deepEqual(found(env), SOUND);
    });
  }

  const wrong: readonly [env: Readonly<Record<string, string>>, text: RegExp][] = [
    [{ CACHE_URL: "redis://127.0.0.1:1" }, /^wrong: CACHE_URL is set and DATABASE_URL is not/],
    [{ PORT: "7001", METRICS_PORT: "7001" }, /^wrong: PORT and METRICS_PORT are the same/],
    [{ HOST: "0.0.0.0", PORT: "7001", METRICS_PORT: "7001" }, /^wrong: PORT and METRICS_PORT are the same/],
    [{ PAYINFERENCE_BENCH_NO_PERSISTENCE: "1" }, /^wrong: .* is for benches/],
    [{ PAYINFERENCE_TEST_PATIENCE: "10" }, /^wrong: .* is for tests/],
  ];
  for (const [env, text] of wrong) {
    it(`DOC-3: ${inWords(env)} is wrong`, () => {
      const lines = found(env);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", text);
    });
  }

  const notes: readonly [env: Readonly<Record<string, string | undefined>>, text: RegExp][] = [
    [
      { ...OWN_POSTGRES, SECRET_KEY: undefined, DATABASE_URL: undefined, SMTP_URL: "smtp://mail.example" },
      /^note: SMTP_URL is smtp:/,
    ],
    [{ ...OWN_POSTGRES, SMTP_URL: undefined }, /^note: SMTP_URL is not set/],
    [{ ...OWN_POSTGRES, DEMO: "1" }, /^note: DEMO=1 on a PostgreSQL/],
    [
      { ...OWN_POSTGRES, PLATFORM_ADMIN_EMAIL: undefined, PLATFORM_ADMIN_PASSWORD: undefined },
      /^note: PLATFORM_ADMIN_EMAIL is not set/,
    ],
    [{ DECISION_WORKERS: "256" }, /^note: DECISION_WORKERS is more than the cores/],
    [{ SHUTDOWN_GRACE_MS: "0" }, /^note: SHUTDOWN_GRACE_MS is 0/],
    [{ RATE_LIMIT_PER_MINUTE: "0" }, /^note: RATE_LIMIT_PER_MINUTE is 0/],
    [{ EVENTS_ALLOW_PRIVATE: "1" }, /^note: EVENTS_ALLOW_PRIVATE=1/],
    [{ ...OWN_POSTGRES, CACHE_URL: "redis://cache.example:6379" }, /^note: CACHE_URL is redis:/],
  ];
  for (const [env, text] of notes) {
    it(`DOC-3: a note about ${text.source.slice(7)}`, () => {
      const [note, ...rest] = found(env);
      assert.match(note ?? "", text);
      assert.deepEqual(rest, SOUND);
    });
  }
});

function inWords(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map((pair) => pair.join("="))
    .join(" ");
}
