import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { closeLater } from "../../support/closing.js";
import { freePort } from "../../support/machine/free-port.js";
import {
  createEmptyDatabase,
  createPlainUser,
  createTestDatabase,
  temporaryDir,
} from "../../support/postgres/postgres.js";
import { startOwnPostgres } from "../../support/postgres/own-postgres.js";
import { runDoctor } from "../../support/service/doctor.js";
import { startTestService } from "../../support/service/service.js";

const SECRET_KEY = "0123456789abcdef0123456789abcdef";
const PARTS = [
  "program",
  "settings",
  "data dir",
  "ports",
  "postgresql",
  "roles",
  "schema",
  "secret key",
  "clock",
  "retention",
  "cache",
  "archive",
  "clickhouse",
  "traces",
  "oidc",
];

describe("DOC-1, DOC-2: payinference doctor", () => {
  it("finds nothing wrong with a set-up that starts", async () => {
    const { gate } = await startOwnPostgres();
    const { exitCode, lines, of } = await runDoctor({ DATABASE_URL: gate.url, SECRET_KEY });
    assert.deepEqual([...new Set(lines.map(({ subject }) => subject))], PARTS);
    assert.deepEqual(new Set(lines.map(({ state }) => state)), new Set(["ok", "note", "skipped"]));
    assert.match(of("schema").join(), /^ok: is empty: the start runs all \d+ migrations$/);
    assert.match(of("secret key").join(), /^skipped: no node/);
    assert.match(of("clock").join(), /^ok: this host's clock is 0\.\d s/);
    assert.equal(exitCode, 0);
  });

  it("DOC-2, AUTH-34: looks at the others where PostgreSQL, the collector and the identity provider cannot be reached", async () => {
    const nobody = await freePort();
    const { exitCode, of, lines } = await runDoctor({
      DATABASE_URL: `postgres://payinference@127.0.0.1:${nobody}/payinference`,
      SECRET_KEY,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${nobody}`,
      OIDC_ISSUER: `http://127.0.0.1:${nobody}`,
      OIDC_CLIENT_ID: "payinference",
      OIDC_CLIENT_SECRET: "a client secret",
      PUBLIC_URL: "https://pay.example",
    });
    assert.match(of("postgresql").join(), /^wrong: .*ECONNREFUSED/);
    assert.match(of("traces").join(), /^wrong: .*ECONNREFUSED/);
    assert.match(of("oidc").join(), /^wrong: .*ECONNREFUSED/);
    assert.match(of("data dir").join(), /^(note: .*,)?ok: /);
    assert.equal(
      lines.some(({ subject }) => subject === "roles"),
      false,
    );
    assert.equal(exitCode, 1);
  });

  it("DOC-2: names a port that another program has", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    closeLater(() => void other.close());
    const { port } = other.address() as { port: number };
    const { exitCode, of } = await runDoctor({ PORT: String(port) });
    assert.deepEqual(of("ports"), [`wrong: another program listens on 127.0.0.1:${port}`]);
    assert.equal(exitCode, 1);
  });

  it("DOC-1: a malformed setting is the last line, because the rest depends on them", async () => {
    const { exitCode, output } = await runDoctor({ DATA_DIR: "" });
    assert.match(output, /^ok +program .*\nwrong +settings +DATA_DIR: must not be empty\n$/);
    assert.equal(exitCode, 1);
  });

  for (const words of [[], ["cure"], ["doctor", "--fast"], ["archive", "verify", "/var/archive"]]) {
    it(`DOC-1: answers "${words.join(" ")}" with its usage`, async () => {
      const { exitCode, output } = await runDoctor({}, words);
      assert.match(output, /^usage: payinference doctor\n/);
      assert.equal(exitCode, 1);
    });
  }
});

describe("payinference archive verify", () => {
  it("RET-15: exits with 1 if a part is wrong; the doctor looks at the folder alone", async () => {
    const dir = await temporaryDir();
    const ARCHIVE_URL = pathToFileURL(dir).href;
    const sound = await runDoctor({}, ["archive", "verify", ARCHIVE_URL]);
    assert.deepEqual([sound.exitCode, sound.of("archive")], [0, ["note: holds no week"]]);
    assert.deepEqual((await runDoctor({ ARCHIVE_URL })).of("archive"), [`ok: ${dir} is writable`]);
    assert.deepEqual(await readdir(dir), []);
    await mkdir(join(dir, "2021_01_04", "part-1"), { recursive: true });
    const damaged = await runDoctor({}, ["archive", "verify", ARCHIVE_URL]);
    assert.deepEqual(
      [damaged.exitCode, damaged.of("2021_01_04")],
      [1, ["wrong: part-1: it has no manifest"]],
    );
    const missing = await runDoctor({ ARCHIVE_URL: `${ARCHIVE_URL}/none` });
    assert.match(missing.of("archive").join(), /^wrong: ENOENT/);
  });
});

describe("DOC-2: the doctor at PostgreSQL", () => {
  it("names a statement for a superuser where the user may not make the role of tenants", async () => {
    const user = await createPlainUser();
    const { url } = await createEmptyDatabase(user.name);
    const { of } = await runDoctor({ DATABASE_URL: url, SECRET_KEY });
    assert.match(of("roles").join(), /^wrong: .*have a superuser run: grant payinference_tenant to/);
    await user.asAdmin(`grant payinference_tenant to "${user.name}"`);
    assert.match((await runDoctor({ DATABASE_URL: url, SECRET_KEY })).of("roles").join(), /^ok: /);
  });

  it("finds a user that may not create tables", async () => {
    const user = await createPlainUser();
    await user.asAdmin(`grant payinference_tenant to "${user.name}"`);
    const { url } = await createEmptyDatabase();
    const foreignUrl = url.replace("//payinference@", `//${user.name}@`);
    const { of } = await runDoctor({ DATABASE_URL: foreignUrl, SECRET_KEY });
    assert.match(of("roles").join(), /^wrong: the user of DATABASE_URL may not create tables/);
  });

  it("finds a database that loses commits in a crash, or takes no writes", async () => {
    const { url, pool } = await createTestDatabase();
    const set = (setting: string): Promise<unknown> =>
      pool.query(
        `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
      );
    await set("synchronous_commit = off");
    await set("default_transaction_read_only = on");
    const { exitCode, of } = await runDoctor({ DATABASE_URL: url, SECRET_KEY });
    const [readOnly, forgetful] = of("postgresql");
    assert.equal(readOnly, "wrong: default_transaction_read_only is on for this user or database");
    // The test server also turns other settings off, and the message names these first.
    assert.match(forgetful ?? "", /^wrong: .*synchronous_commit off: what is stored may be lost when/);
    assert.equal(exitCode, 1);
  });

  it("RET-18: names the oldest week, and says where it should have left", async () => {
    const { url, pool } = await createTestDatabase();
    const found = async (days: number): Promise<string> =>
      (await runDoctor({ DATABASE_URL: url, SECRET_KEY, RETENTION_DAYS: String(days) }))
        .of("retention")
        .join();
    assert.equal(await found(400), "skipped: no decision is stored yet");
    await pool.query("select ensure_decision_partitions(now() - interval '60 days')");
    const begins = /the oldest week on disk begins on \d{4}-\d\d-\d\d; /.source;
    assert.match(await found(60), new RegExp(`^ok: ${begins}the limit is 60 days$`));
    assert.match(await found(0), new RegExp(`^ok: ${begins}there is no limit$`));
    assert.match(await found(44), new RegExp(`^note: ${begins}the limit is 44 days, so it should have left`));
  });

  it("distinguishes migrations of a later version from those of another origin", async () => {
    const { url, pool } = await createTestDatabase();
    await pool.query(
      "insert into migrations (id, name, hash, executed_at) values (9999, 'later', 'x', now())",
    );
    const later = (await runDoctor({ DATABASE_URL: url, SECRET_KEY })).of("schema");
    assert.deepEqual(later, [
      "note: 1 migrations are of a later version than this one",
      "ok: is up to date; nodes seen in the last ten minutes: 0",
    ]);
    await pool.query("update migrations set hash = 'another' where id = 1");
    const other = (await runDoctor({ DATABASE_URL: url, SECRET_KEY })).of("schema");
    assert.match(other.join(), /^wrong: the database has another 0001_/);
  });
});

describe("DOC-4, DOC-5: beside a running node", () => {
  it("knows its DATA_DIR, ports and key, changes nothing and prints no secret", async () => {
    const dataDir = await temporaryDir();
    const { gate } = await startOwnPostgres();
    const url = new URL(gate.url);
    url.password = "very-secret-password";
    const service = await startTestService({ DATABASE_URL: gate.url, DATA_DIR: dataDir, SECRET_KEY });
    const env = { DATABASE_URL: url.href, DATA_DIR: dataDir, SECRET_KEY };
    const before = await readdir(dataDir);
    const { exitCode, of, output } = await runDoctor(env);
    assert.match(of("data dir").join(), /in use by process \d+; /);
    assert.match(of("ports").join(), /^skipped: process \d+ serves this DATA_DIR/);
    assert.match(of("schema").join(), /^ok: is up to date; nodes seen in the last ten minutes: 1$/);
    assert.match(of("secret key").join(), /^ok: /);
    assert.equal(exitCode, 0);
    assert.deepEqual(await readdir(dataDir), before);
    assert.doesNotMatch(output, /very-secret|0123456789abcdef/);
    const other = await runDoctor({ ...env, SECRET_KEY: SECRET_KEY.toUpperCase() });
    assert.match(other.of("secret key").join(), /^wrong: SECRET_KEY is not the one of this database's nodes/);
    await service.stop();
    const after = await runDoctor(env);
    assert.match(after.of("data dir").join(), /is writable and not in use; /);
    assert.match(after.of("ports").join(), /^ok: /);
    assert.ok((await readdir(join(dataDir, "journal"))).length > 0);
  });
});
