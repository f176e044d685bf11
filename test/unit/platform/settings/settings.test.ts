import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { patienceOf } from "../../../../src/domain/vocabulary/patience.js";
import { readSettings, SettingsError } from "../../../../src/platform/settings/settings.js";

describe("settings", () => {
  it("ACT-3, DUR-6, DUR-7, FMT-4, HLTH-7, HLTH-8, RATE-1, SET-1, SET-2, SET-7, SET-9, TELE-11: has the documented defaults", () => {
    const settings = readSettings({});
    assert.equal(settings.host, "127.0.0.1");
    assert.equal(settings.port, 8080);
    assert.equal(settings.metricsHost, "127.0.0.1");
    assert.equal(settings.metricsPort, 9464);
    assert.deepEqual(settings.database, { kind: "embedded" });
    assert.equal(settings.cacheUrl, null);
    assert.equal(settings.cacheTimeoutMs, 15);
    assert.equal(settings.dataDir, "./data");
    assert.equal(settings.rateLimitPerMinute, 2000);
    assert.equal(settings.authRateLimitPerMinute, 10);
    assert.equal(settings.webhookRateLimitPerMinute, 600);
    assert.equal(settings.trustProxyHops, 0);
    assert.deepEqual(settings.providers, [
      "provider_1",
      "provider_2",
      "provider_3",
      "provider_4",
      "provider_5",
    ]);
    assert.deepEqual(settings.probeCurrencies, ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"]);
    assert.equal(settings.probeIntervalMs, 1000);
    assert.equal(settings.riskBlockThreshold, 90);
    assert.deepEqual(settings.patience, patienceOf(1));
    assert.equal(settings.shutdownGraceMs, 10_000);
    assert.equal(settings.journalMaxBytes, 8 * 2 ** 30);
    assert.equal(settings.journalSync, "interval");
    assert.equal(settings.otlpEndpoint, null);
  });

  it("SET-8: leaves one of the available cores to the front end, and decides on at least one", () => {
    const cores = availableParallelism();
    assert.equal(readSettings({}).decisionWorkers, cores > 1 ? cores - 1 : 1);
    assert.equal(readSettings({ DECISION_WORKERS: "3" }).decisionWorkers, 3);
  });

  it("RET-10: takes the folder of an archive as a file:/// URL, and none by default", () => {
    assert.equal(readSettings({}).archiveDir, null);
    assert.equal(readSettings({ ARCHIVE_URL: "file:///var/old%20data" }).archiveDir, "/var/old data");
  });

  it("asks for real-time scheduling of decisions by default", () => {
    assert.equal(readSettings({}).decisionRealTime, true);
    assert.equal(readSettings({ DECISION_REALTIME: "0" }).decisionRealTime, false);
  });

  it("takes a Valkey or Redis by its URL", () => {
    for (const url of ["redis://127.0.0.1", "redis://user:secret@cache:6380/2", "rediss://cache:6379"]) {
      assert.equal(readSettings({ CACHE_URL: url }).cacheUrl, url);
    }
  });

  it("SET-6: takes the authority that signs a rediss:// cache's certificate, and only there", () => {
    const file = { CACHE_CA_FILE: "/run/valkey/ca.crt" };
    assert.equal(readSettings({ ...file, CACHE_URL: "rediss://cache" }).cacheCaFile, "/run/valkey/ca.crt");
    assert.equal(readSettings({ CACHE_URL: "rediss://cache" }).cacheCaFile, null);
    for (const without of [{}, { CACHE_URL: "redis://cache" }]) {
      assert.throws(() => readSettings({ ...file, ...without }), {
        message: "CACHE_CA_FILE: must be set with a rediss:// CACHE_URL",
      });
    }
  });

  it("ACC-27: SMTP_URL needs a sender, a link, and a key where the database has none", () => {
    const mail = {
      SMTP_URL: "smtps://user:secret@mail.example:465",
      MAIL_FROM: "Shop <pay@shop.example>",
      PUBLIC_URL: "https://pay.shop.example",
    };
    assert.deepEqual(readSettings(mail).mail, {
      smtpUrl: mail.SMTP_URL,
      from: mail.MAIL_FROM,
      publicUrl: mail.PUBLIC_URL,
    });
    assert.equal(readSettings({ ...mail, SMTP_URL: undefined }).mail, null);
    for (const name of ["MAIL_FROM", "PUBLIC_URL"]) {
      assert.throws(() => readSettings({ ...mail, [name]: undefined }), {
        message: `${name}: must be set with SMTP_URL`,
      });
    }
    const external = { ...mail, DATABASE_URL: "postgres://user@host/db" };
    assert.throws(() => readSettings(external), { message: "SECRET_KEY: must be set with SMTP_URL" });
    assert.notEqual(readSettings({ ...external, SECRET_KEY: "x".repeat(32) }).mail, null);
  });

  it("SET-10: makes the demo with the embedded database only, by default", () => {
    const url = "postgres://user@host/db";
    assert.equal(readSettings({}).demo, true);
    assert.equal(readSettings({ DATABASE_URL: url }).demo, false);
    assert.equal(readSettings({ DATABASE_URL: url, DEMO: "1" }).demo, true);
    assert.equal(readSettings({ DEMO: "0" }).demo, false);
  });

  it("ACC-10: lets anybody register with the demo only, by default", () => {
    const url = "postgres://user@host/db";
    assert.equal(readSettings({}).registrationIsOpen, true);
    assert.equal(readSettings({ DATABASE_URL: url }).registrationIsOpen, false);
    assert.equal(readSettings({ DATABASE_URL: url, REGISTRATION: "open" }).registrationIsOpen, true);
    assert.equal(readSettings({ REGISTRATION: "closed" }).registrationIsOpen, false);
    assert.throws(() => readSettings({ REGISTRATION: "yes" }), {
      message: "REGISTRATION: must be one of open, closed",
    });
  });

  it("takes the platform admin's address and password together, or neither", () => {
    const both = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "long enough for it" };
    assert.deepEqual(readSettings(both).platformAdmin, {
      email: "root@pay.example",
      password: "long enough for it",
    });
    assert.equal(readSettings({}).platformAdmin, null);
    for (const [given, missing] of [
      ["PLATFORM_ADMIN_EMAIL", "PLATFORM_ADMIN_PASSWORD"],
      ["PLATFORM_ADMIN_PASSWORD", "PLATFORM_ADMIN_EMAIL"],
    ] as const) {
      assert.throws(() => readSettings({ [given]: both[given] }), {
        message: `${missing}: must be set with ${given}`,
      });
    }
  });

  it("DUR-17, DUR-21, DUR-27: mirrors the journal where that is asked for, with a shared cache, and by the smaller limit", () => {
    assert.equal(readSettings({}).journalMirror, false);
    const mirrored = { JOURNAL_MIRROR: "1", CACHE_URL: "redis://cache" };
    const { journalMirror, journalMirrorReplicas, journalMaxBytes } = readSettings(mirrored);
    assert.deepEqual([journalMirror, journalMirrorReplicas, journalMaxBytes], [true, 0, 2 ** 30]);
    const smaller = { ...mirrored, JOURNAL_MAX_BYTES: String(2 ** 20), JOURNAL_MIRROR_REPLICAS: "2" };
    assert.equal(readSettings(smaller).journalMaxBytes, 2 ** 20);
    assert.equal(readSettings(smaller).journalMirrorReplicas, 2);
    assert.throws(() => readSettings({ JOURNAL_MIRROR: "1" }), {
      message: "JOURNAL_MIRROR: must be set with CACHE_URL",
    });
  });

  it("CH-1: takes a ClickHouse by its URL, with a database, and has none by itself", () => {
    assert.equal(readSettings({}).analyticsUrl, null);
    const url = "https://reader:a%3Ab@clickhouse.example:8443/payments";
    assert.equal(readSettings({ ANALYTICS_URL: url }).analyticsUrl, url);
    for (const wrong of [
      "",
      "clickhouse",
      "tcp://ch:9000/log",
      "http://ch:8123",
      "http://ch:8123/a/b",
      `${url}?x=1`,
    ]) {
      assert.throws(() => readSettings({ ANALYTICS_URL: wrong }), {
        message: "ANALYTICS_URL: must be an http:// or https:// URL with a database as its path",
      });
    }
  });

  it("tests stretch how long a node waits for its own parts", () => {
    assert.deepEqual(readSettings({ PAYINFERENCE_TEST_PATIENCE: "10" }).patience, patienceOf(10));
  });

  it("HLTH-8, HLTH-26: takes 0 for no probes, and says so where it refuses another", () => {
    for (const [text, intervalMs] of [
      ["0", 0],
      ["100", 100],
      ["60000", 60_000],
    ] as const) {
      assert.equal(readSettings({ PROBE_INTERVAL_MS: text }).probeIntervalMs, intervalMs);
    }
    assert.throws(() => readSettings({ PROBE_INTERVAL_MS: "99" }), {
      message: "PROBE_INTERVAL_MS: must be 0 or a whole number from 100 to 60000",
    });
  });

  const malformed: Record<string, string>[] = [
    { PORT: "eighty" },
    { PORT: "" },
    { PORT: "65536" },
    { PORT: "-1" },
    { HOST: "" },
    { METRICS_PORT: "1.5" },
    { DATABASE_URL: "mysql://x" },
    { CACHE_URL: "http://127.0.0.1:6379" },
    { CACHE_URL: "127.0.0.1:6379" },
    { CACHE_URL: "redis://" },
    { CACHE_URL: "" },
    { CACHE_CA_FILE: "", CACHE_URL: "rediss://cache" },
    { CACHE_TIMEOUT_MS: "0" },
    { SMTP_URL: "mail.example" },
    { SMTP_URL: "http://mail.example" },
    { SMTP_URL: "" },
    { MAIL_FROM: "nobody" },
    { MAIL_FROM: "Shop <nobody>" },
    { MAIL_FROM: "a@b.example\r\nbcc: c@d.example" },
    { PUBLIC_URL: "pay.example" },
    { PUBLIC_URL: "https://pay.example?x=1" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
    { DECISION_WORKERS: "0" },
    { DECISION_REALTIME: "always" },
    { RATE_LIMIT_PER_MINUTE: "-5" },
    { TRUST_PROXY_HOPS: "x" },
    { DEMO: "maybe" },
    { PROBE_CURRENCIES: "usd" },
    { RISK_BLOCK_THRESHOLD: "101" },
    { RETENTION_DAYS: "36501" },
    { RETENTION_DAYS: "-1" },
    { ARCHIVE_URL: "/var/archive" },
    { ARCHIVE_URL: "file://archive-host/var" },
    { ARCHIVE_URL: "s3://bucket/archive" },
    { ARCHIVE_URL: "file:///a%2fb" },
    { ARCHIVE_URL: "file:///a%zz" },
    { ARCHIVE_URL: "" },
    { PAYINFERENCE_TEST_PATIENCE: "0" },
    { PAYINFERENCE_TEST_PATIENCE: "101" },
    { LOG_LEVEL: "loud" },
    { JOURNAL_SYNC: "sometimes" },
    { JOURNAL_MAX_BYTES: "10" },
    { JOURNAL_MIRROR: "twice", CACHE_URL: "redis://cache" },
    { JOURNAL_MIRROR_REPLICAS: "-1" },
    { JOURNAL_MIRROR_MAX_BYTES: "10" },
    { PLATFORM_ADMIN_EMAIL: "root", PLATFORM_ADMIN_PASSWORD: "long enough for it" },
    { PLATFORM_ADMIN_PASSWORD: "too short", PLATFORM_ADMIN_EMAIL: "root@pay.example" },
    { PLATFORM_ADMIN_EMAIL: "" },
  ];
  const assertRefused = (environment: Readonly<Record<string, string>>): void => {
    const [name = ""] = Object.keys(environment);
    assert.throws(
      () => readSettings(environment),
      (error) =>
        error instanceof SettingsError &&
        error.message.startsWith(`${name}: `) &&
        !error.message.includes("\n"),
    );
  };
  const shown = (environment: Readonly<Record<string, string>>): string =>
    Object.entries(environment)[0]?.join("=") ?? "";
  for (const environment of malformed) {
    it(`SET-13: refuses ${shown(environment)} with one line that names it`, () => assertRefused(environment));
  }

  for (const name of ["", "A", "1a", "a-b", "abcdefghi", "a\n"]) {
    it(`CELL-1, SET-13: refuses CELL=${name.trim()} of ${name.length} characters`, () =>
      assertRefused({ CELL: name }));
  }

  for (const name of ["", "Adyen", "a,a", "provider_1,constructor", "provider-1"]) {
    it(`FMT-4, SET-13: refuses PROVIDERS=${name}: names are lower snake_case`, () =>
      assertRefused({ PROVIDERS: name }));
  }

  for (const interval of ["99", "1", "-1", "-0", "", "60001"]) {
    it(`HLTH-8, SET-13: refuses PROBE_INTERVAL_MS=${interval}`, () =>
      assertRefused({ PROBE_INTERVAL_MS: interval }));
  }
});
