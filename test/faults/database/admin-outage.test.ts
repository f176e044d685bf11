import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createDatabaseGate, type DatabaseGate } from "../../support/postgres/database-gate.js";
import { signIn } from "../../support/people/feedback.js";
import { createTestDatabase, temporaryDir, type TestDatabase } from "../../support/postgres/postgres.js";
import { createServiceProcess, type ServiceProcess } from "../../support/service/service-process.js";
import { AS_DELIVERED, decisionBody, eventually } from "../../support/service/service.js";

let database: TestDatabase;
let gate: DatabaseGate;
let service: ServiceProcess;
let headers: Record<string, string>;
before(async () => {
  database = await createTestDatabase();
  gate = await createDatabaseGate(database.url);
  service = await createServiceProcess(await temporaryDir(), { ...AS_DELIVERED, DATABASE_URL: gate.url });
  await service.untilStatus("/ready", 200);
  const demo = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as {
    workspace_id: string;
  };
  const { token } = await signIn(database.pool, demo.workspace_id, "owner");
  headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
});

const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(service.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function stateOfProvider1(): Promise<unknown> {
  const response = await fetch(`${service.url}/v1/decision`, {
    method: "POST",
    headers: { "x-api-key": await service.key(), "content-type": "application/json" },
    body: JSON.stringify(decisionBody()),
  });
  assert.equal(response.status, 200);
  const { provider_health: health } = (await response.json()) as {
    provider_health: Record<string, { state: string; source: string }>;
  };
  return [health["provider_1"]?.state, health["provider_1"]?.source];
}

const PATHS = [
  ["GET", "/v1/admin/workspace"],
  ["PATCH", "/v1/admin/workspace", { name: "Lost" }],
  ["POST", "/v1/admin/merchants", { merchant_id: "lost" }],
  ["GET", "/v1/admin/audit-log"],
  ["GET", "/v1/admin/usage"],
  ["GET", "/v1/alerts"],
  ["GET", "/v1/analytics/summary"],
  ["PUT", "/v1/admin/provider-overrides/provider_1", { state: null }],
] as const;

describe("DUR-5: administration while PostgreSQL is away", () => {
  it("answers 503 whether PostgreSQL is frozen or gone; pins hold, even across kill -9 without PostgreSQL", async () => {
    const pinned = await ask("PUT", "/v1/admin/provider-overrides/provider_1", { state: "unavailable" });
    assert.equal(pinned.status, 200);
    // The key is used twice. If the feed of changes reports the key during the first look-up, the node does not store
    // that look-up on its disk.
    for (let use = 0; use < 2; use++) assert.deepEqual(await stateOfProvider1(), ["unavailable", "demo"]);
    for (const goAway of [() => gate.stall(), () => gate.shut()]) {
      await goAway();
      for (const [method, path, body] of PATHS) {
        const response = await ask(method, path, body);
        assert.equal(response.status, 503, path);
        assert.equal(((await response.json()) as { statusCode: number }).statusCode, 503);
      }
      assert.deepEqual(await stateOfProvider1(), ["unavailable", "demo"]);
    }
    await service.end("SIGKILL");
    service.start();
    await service.untilStatus("/health", 200);
    assert.deepEqual(await stateOfProvider1(), ["unavailable", "demo"]);

    await gate.open();
    await service.untilStatus("/ready", 200);
    for (const [method, path, body] of PATHS) {
      // The first reads of a new service may be late on a busy host.
      const status = await eventually(async () => {
        const answer = await ask(method, path, body);
        assert.notEqual(answer.status, 503, path);
        return answer.status;
      });
      assert.ok(status === 200 || status === 201 || status === 409, `${path}: ${status}`);
    }
    await eventually(async () => assert.deepEqual(await stateOfProvider1(), ["healthy", "probe"]));
  });
});
