import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Pool } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { openJournal } from "../../../src/path/journal/journal.js";
import { assertNothingLost } from "../../support/load/acknowledged.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { createEmptyDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import { createServiceProcess } from "../../support/service/service-process.js";
import { AS_DELIVERED, decisionBody, eventually } from "../../support/service/service.js";

/** docs/runbooks/journal.md sends for it. */
const NOT_DRAINED = /the journal is not drained/;

/** What the journal holds beyond the position that PostgreSQL has. */
async function undrainedRecords(dataDir: string, pool: Pool): Promise<number> {
  const journal = openJournal({ dataDir, bytesMax: 64 * 2 ** 20, syncEveryCommit: false });
  const last = journal.lastSequence();
  await journal.close();
  const { rows } = await pool.query<{ position: string }>("select position from journal_positions");
  assert.equal(rows.length, 1);
  return last - Number(rows[0]?.position);
}

describe("SIGTERM", { concurrency: 2 }, () => {
  it("OPS-7: under load: answers what it accepted, drains the journal, exits 0, every time", async () => {
    const database = await createEmptyDatabase();
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: database.url,
      // More than a starved host needs: that the journal is drained is what is asked here.
      SHUTDOWN_GRACE_MS: "60000",
    });
    for (const [round, signals] of [["SIGTERM"], ["SIGTERM", "SIGTERM"], ["SIGINT"]].entries()) {
      if (round > 0) service.start();
      await service.untilStatus("/ready", 200);
      const load = startDecisionLoad({ url: service.url, key: await service.key(), ratePerSecond: 800 });
      await sleep(300 + Math.random() * 300);
      const stoppedMs = performance.now();
      for (const signal of signals) {
        service.child.kill(signal as NodeJS.Signals);
        await sleep(20);
      }
      // A stop that has to give up says so: see below.
      assert.equal(await service.end(), 0);
      assert.doesNotMatch(service.log(), NOT_DRAINED);
      await load.stop();
      assert.deepEqual([...load.statuses.keys()], [200]);
      // Whatever was asked before is answered. A client that stands still may write to a connection whose end it has yet to read.
      assert.deepEqual(
        load.broken.filter(({ startedMs }) => startedMs < stoppedMs),
        [],
      );
      assert.equal(await undrainedRecords(service.dataDir, database.pool), 0);
      await assertNothingLost(database.pool, [load], 0);
    }
  });

  it("OPS-6: says at once on /ready that it goes, while a request still runs", async () => {
    const database = await createEmptyDatabase();
    const service = await createServiceProcess(await temporaryDir(), { DATABASE_URL: database.url });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    // A body whose end is still to come is a request in flight.
    const connection = await openConnection(service.url);
    const text = requestText(
      "POST",
      "/v1/decision",
      [
        ["x-api-key", key],
        ["content-type", "application/json"],
      ],
      JSON.stringify(decisionBody()),
    );
    connection.write(text.slice(0, -20));
    // New connections are refused from then on; this one is there already, and answered after what was sent before.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal(await statusOf(`${service.url}/ready`, agent), 200);
    service.child.kill("SIGTERM");
    await eventually(async () => assert.equal(await statusOf(`${service.url}/ready`, agent), 503));
    connection.write(text.slice(-20));
    assert.equal((await connection.reply()).status, 200);
    assert.equal(await service.end(), 0);
  });

  it("during its start: stops cleanly, with its database", async () => {
    const service = await createServiceProcess(await temporaryDir(), {});
    await eventually(async () => assert.ok(existsSync(join(service.dataDir, "owner"))));
    assert.equal(await service.end("SIGTERM"), 0);
    assert.equal(existsSync(join(service.dataDir, "owner")), false);
    assert.equal(existsSync(join(service.dataDir, "postgres", "postmaster.pid")), false);
  });

  it("OPS-7: while PostgreSQL hangs: exits 0 within the grace period, and the next start drains", async () => {
    const graceMs = 2000;
    const database = await createEmptyDatabase();
    const gate = await createDatabaseGate(database.url);
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: gate.url,
      ...AS_DELIVERED,
      SHUTDOWN_GRACE_MS: String(graceMs),
    });
    await service.untilStatus("/ready", 200);
    const load = startDecisionLoad({ url: service.url, key: await service.key() });
    await eventually(async () => assert.ok(load.acknowledged.size > 100));
    await gate.stall();
    // What is acknowledged from here on stays in the journal.
    const stalledAt = load.acknowledged.size;
    await eventually(async () => assert.ok(load.acknowledged.size > stalledAt + 100));
    // PostgreSQL hangs until the process is gone: a stop that waits for it would not end.
    assert.equal(await service.end("SIGTERM"), 0);
    await load.stop();
    assert.ok((await undrainedRecords(service.dataDir, database.pool)) > 0);
    assert.match(service.log(), NOT_DRAINED);
    await gate.shut();
    await gate.open();
    service.start();
    await service.untilStatus("/ready", 200);
    await assertNothingLost(database.pool, [load]);
  });
});

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
}
