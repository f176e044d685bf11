import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { closeLater } from "../support/closing.js";
import { publish } from "../support/people/tenants.js";
import { SILENT_LOG, temporaryDir } from "../support/postgres/postgres.js";
import { startTestPostgres } from "../support/postgres/postgres-server.js";
import { asAdmin, ownerUrl } from "../support/postgres/test-server.js";
import {
  decisionBody,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../support/service/service.js";

const run = promisify(execFile);
/** The packaged PostgreSQL has no pg_dump. */
const BIN = "/usr/lib/postgresql/15/bin";
const NO_DUMP = !existsSync(join(BIN, "pg_dump")) && `${BIN}/pg_dump is not installed`;
const SECRET_KEY = "0123456789abcdef0123456789abcdef";

async function decide(service: RunningService, first: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let order = first; order < first + count; order++) {
    const { status, json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ order_id: `order_${order}` }),
    });
    assert.equal(status, 200);
    ids.push(json["decision_id"] as string);
  }
  return ids;
}

const detail = (service: RunningService, id: string): ReturnType<typeof send> =>
  sendRead(service, "GET", `/v1/decisions/${id}`);

async function actionOf(service: RunningService): Promise<unknown> {
  const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody({ order_id: "asked" }) });
  return json["action"];
}

function publishRule(service: RunningService, type: "block" | "hold"): ReturnType<typeof publish> {
  const { key, workspaceId } = service;
  return publish(service, { key, workspaceId, rules: [{ name: type, then: { type } }] });
}

describe("DUR-15: a dump of PostgreSQL is restored", { skip: NO_DUMP }, () => {
  it("DUR-15: beside the nodes' own DATA_DIR, and beside a new one", async () => {
    const server = await startTestPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG }, BIN);
    closeLater(() => server.stop());
    const dataDir = await temporaryDir();
    const env = { SECRET_KEY, DATA_DIR: dataDir };
    const service = await startTestService({ ...env, DATABASE_URL: server.url });
    await publishRule(service, "hold");
    const before = await decide(service, 0, 30);
    const kept = await detail(service, before[0] as string);
    assert.equal(kept.status, 200);
    const dump = join(await temporaryDir(), "payinference.dump");
    const dumpFrom = (url: string): Promise<unknown> =>
      run(join(BIN, "pg_dump"), ["--format=custom", `--file=${dump}`, url]);
    // Row-level security hides every tenant's rows from the tables' owner. A dump by the owner must fail, and not be
    // empty.
    await assert.rejects(dumpFrom(server.url), /row-level security/);
    await dumpFrom(server.adminUrl.replace("/postgres?", "/payinference?"));

    await publishRule(service, "block");
    const after = await decide(service, 30, 10);
    assert.equal((await detail(service, after[9] as string)).status, 200);
    assert.equal(await service.stop(), 0);

    await asAdmin(server.adminUrl, "create database restored owner payinference");
    const restoredUrl = ownerUrl(server.adminUrl, "restored");
    await run(join(BIN, "pg_restore"), ["--exit-on-error", "--no-owner", `--dbname=${restoredUrl}`, dump]);

    for (const place of [dataDir, await temporaryDir()]) {
      const restored = await startTestService({
        ...env,
        DATABASE_URL: restoredUrl,
        DATA_DIR: place,
        DEMO: "0",
      });
      restored.key = service.key;
      assert.equal((await detail(restored, before[0] as string)).text, kept.text);
      // Only the first DATA_DIR has a journal, and that journal has already dropped the records that the first database
      // stored.
      assert.equal(restored.log().includes("was restored to an earlier state"), place === dataDir);
      for (const id of before) assert.equal((await detail(restored, id)).status, 200);
      // The dump lacks records that were stored after it.
      assert.equal((await detail(restored, after[0] as string)).status, 404);
      assert.equal(await actionOf(restored), "hold");
      const more = await decide(restored, 100, 5);
      for (const id of more) assert.equal((await detail(restored, id)).status, 200);
      const outcome = {
        decision_id: before[1],
        order_id: "order_1",
        provider_used: "provider_1",
        outcome: "approved",
        provider_latency_ms: 100,
        amount: 129_900,
        currency: "USD",
      };
      const { status, text } = await send(restored, "POST", "/v1/outcomes", { body: outcome });
      assert.equal(status, 200, text);
      assert.equal(await restored.stop(), 0);
    }
  });
});
