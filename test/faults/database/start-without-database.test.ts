import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { assertDocumented } from "../../support/http/documented.js";
import { assertNothingLost, assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { postDecision, startDecisionLoad } from "../../support/load/decision-load.js";
import { inTime } from "../../support/waiting/host-noise.js";
import { createEmptyDatabase, temporaryDir, type TestDatabase } from "../../support/postgres/postgres.js";
import { createServiceProcess, type ServiceProcess } from "../../support/service/service-process.js";
import { AS_DELIVERED, decisionBody, eventually } from "../../support/service/service.js";

/** The time limit for reads on a node that is ready without PostgreSQL. */
const READ_ANSWERED_WITHIN_MS = 2000;

let database: TestDatabase;
before(async () => {
  database = await createEmptyDatabase();
});

const decide = (service: ServiceProcess, key: string) =>
  postDecision({ url: service.url, key, body: decisionBody(), idempotencyKey: null });

async function assertNotReady(service: ServiceProcess): Promise<void> {
  const response = await fetch(`${service.url}/ready`);
  assert.equal(response.status, 503);
  const checks = { postgres: "unreachable", lmdb: "ok" };
  const text = await response.text();
  assert.deepEqual(JSON.parse(text), { status: "not_ready", checks });
  const { status, headers } = response;
  const contentType = headers.get("content-type");
  await assertDocumented(`${service.url}/ready`, "GET", { status, contentType, text });
}

describe("a node starts without PostgreSQL and decides from its last state", { concurrency: 2 }, () => {
  it("DUR-3, DUR-4, DUR-5, ERR-3, SVC-4: continues across kill -9 while PostgreSQL is unreachable, and then while it hangs", async () => {
    const gate = await createDatabaseGate(database.url);
    const service = await createServiceProcess(await temporaryDir(), {
      ...AS_DELIVERED,
      DATABASE_URL: gate.url,
    });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const load = startDecisionLoad({ url: service.url, key });
    await eventually(async () => assert.ok(load.acknowledged.size > 100));

    await gate.shut();
    const stages = [() => Promise.resolve(), () => gate.stall()];
    for (const enter of stages) {
      await enter();
      await service.end("SIGKILL");
      const acknowledgedBefore = load.acknowledged.size;
      service.start();
      await service.untilStatus("/health", 200);
      await assertNotReady(service);
      // This process has never read the key from PostgreSQL. It uses the copy that the last process stored, even after
      // the cache life has passed.
      assert.equal((await decide(service, key))?.status, 200);
      await eventually(async () => assert.ok(load.acknowledged.size > acknowledgedBefore + 100));
      await assertRepliesSurvive({ url: service.url, key }, load);

      const [known = ""] = load.acknowledged.keys();
      const read = await inTime(
        READ_ANSWERED_WITHIN_MS,
        "a read",
        () => fetch(`${service.url}/v1/decisions/${known}`, { headers: { "x-api-key": key } }),
        service.child.pid,
      );
      assert.equal(read.status, 503);
      // Without PostgreSQL, nobody can tell whether an unknown key is valid.
      assert.equal((await decide(service, `pi_test_${"0".repeat(64)}`))?.status, 503);
    }

    await gate.shut();
    await gate.open();
    await service.untilStatus("/ready", 200);
    await load.stop();
    assert.deepEqual([...load.statuses.keys()], [200]);
    await assertNothingLost(database.pool, [load]);
    assert.equal(await service.end("SIGTERM"), 0);
  });

  it("waits for PostgreSQL on its very first start, and is ready once it comes", async () => {
    const gate = await createDatabaseGate((await createEmptyDatabase()).url);
    await gate.shut();
    const service = await createServiceProcess(await temporaryDir(), {
      ...AS_DELIVERED,
      DATABASE_URL: gate.url,
    });
    await service.untilStatus("/health", 200);
    await assertNotReady(service);
    assert.equal((await decide(service, `pi_test_${"0".repeat(64)}`))?.status, 503);
    await gate.open();
    await service.untilStatus("/ready", 200);
    assert.equal((await decide(service, await service.key()))?.status, 200);
    assert.equal(await service.end("SIGTERM"), 0);
  });

  it("stops at once and cleanly while it waits", async () => {
    const gate = await createDatabaseGate((await createEmptyDatabase()).url);
    await gate.shut();
    await gate.stall();
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: gate.url,
      SHUTDOWN_GRACE_MS: "1000",
    });
    await service.untilStatus("/health", 200);
    assert.equal(await service.end("SIGTERM"), 0);
  });

  it("gives up with one line on a database that waiting cannot repair", async () => {
    const url = database.url.replace(/test_[0-9a-f]+/, "test_nowhere");
    const service = await createServiceProcess(await temporaryDir(), { DATABASE_URL: url });
    assert.equal(await service.end(), 1);
    assert.equal(
      service.log(),
      'payinference: PostgreSQL cannot be used: database "test_nowhere" does not exist\n',
    );
  });
});
