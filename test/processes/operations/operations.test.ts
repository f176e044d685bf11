import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { START_ARGUMENTS } from "../../support/service/main.js";
import { freePort } from "../../support/machine/free-port.js";
import { PROBED } from "../../support/service/node.js";
import { ownLog } from "../../support/service/own-log.js";
import {
  decisionBody,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";

let service: RunningService;
before(async () => {
  service = await startTestService();
});

describe("DEMO", () => {
  it("SET-11, SET-12: keeps key and login in DATA_DIR/demo.json, readable by its owner only", async () => {
    const path = join(service.dataDir, "demo.json");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const demo = JSON.parse(await readFile(path, "utf8")) as Record<string, string>;
    assert.match(demo["api_key"] ?? "", /^pi_test_/);
    assert.equal(demo["merchant_id"], "demo_merchant");
    assert.ok((demo["email"] ?? "").includes("@") && (demo["password"] ?? "").length >= 12);
  });

  it("SET-11: has a test key with all scopes, in workspace Demo with one owner", async () => {
    const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    assert.equal(json["mode"], "test");
    assert.equal((await send(service, "GET", "/v1/provider-health")).status, 200);
    assert.equal(
      (await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`)).status,
      200,
    );
    const { rows } = await service.pool.query(
      "select name, (select count(*)::int from memberships where role = 0) as owners from workspaces",
    );
    assert.deepEqual(rows, [{ name: "Demo", owners: 1 }]);
  });

  it("KEY-2: stores no key in the clear", async () => {
    const { rows } = await service.pool.query<{ keys: string; workspaces: string }>(
      "select (select json_agg(k) from api_keys k)::text as keys",
    );
    const secretPart = service.key.slice(-48);
    assert.ok(!(rows[0]?.keys ?? "").includes(secretPart));
    assert.equal(service.log().includes(secretPart), false);
  });
});

describe("the start", { concurrency: 3 }, () => {
  async function run(
    environment: Record<string, string>,
  ): Promise<{ code: number | null; err: string; out: string }> {
    const child = spawn(process.execPath, START_ARGUMENTS, {
      env: { PATH: process.env["PATH"], LOG_LEVEL: "error", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [err, out] = ["", ""];
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, err, out };
  }

  // test/unit/platform/settings/settings.test.ts tests the rules of every setting.
  const malformed: [name: string, value: string][] = [
    ["PORT", "eighty"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DEMO", "maybe"],
    ["PROVIDERS", "Not Snake"],
    ["LOG_LEVEL", "loud"],
    ["JOURNAL_MAX_BYTES", "8GiB"],
  ];
  for (const [name, value] of malformed) {
    it(`SET-13: stops at ${name}=${value}: exit 1, one line that names it`, async () => {
      const { code, err, out } = await run({ [name]: value, DATA_DIR: "/nonexistent/never-made" });
      assert.equal(code, 1);
      assert.match(err, new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*\\n$`));
      assert.equal(out, "");
    });
  }

  async function environment(): Promise<Record<string, string>> {
    const [dataDir, database, port, metricsPort] = await Promise.all([
      temporaryDir(),
      createTestDatabase(),
      freePort(),
      freePort(),
    ]);
    return {
      ...PROBED,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    };
  }

  it("stops at a DATA_DIR that another live process uses", async () => {
    const { code, err } = await run({ ...(await environment()), DATA_DIR: service.dataDir });
    assert.equal(code, 1);
    assert.match(err, /^payinference: [^\n]*DATA_DIR[^\n]*in use[^\n]*\n$/);
    assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
  });

  for (const name of ["PORT", "METRICS_PORT"]) {
    it(`stops at a ${name} in use`, async () => {
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      const port = String((taken.address() as { port: number }).port);
      try {
        // Nothing is logged about the journal, because it was always empty.
        const { code, err } = await run({ ...(await environment()), [name]: port, LOG_LEVEL: "warn" });
        assert.equal(code, 1);
        assert.match(ownLog(err), new RegExp(`^payinference: [^\\n]*${port}[^\\n]*in use[^\\n]*\\n$`));
      } finally {
        taken.close();
      }
    });
  }

  it("stops at a port of another running service", async () => {
    const port = new URL(service.url).port;
    const { code, err } = await run({ ...(await environment()), PORT: port });
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^payinference: [^\\n]*${port}[^\\n]*\\n$`));
  });
});
