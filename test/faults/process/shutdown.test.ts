import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Pool } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterProcesses } from "../../../src/platform/postgres/embedded/cluster-processes.js";
import { openJournal } from "../../../src/path/journal/journal.js";
import { assertNothingLost } from "../../support/load/acknowledged.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { startDecisionLoad } from "../../support/load/decision-load.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import { START_ARGUMENTS } from "../../support/service/main.js";
import { STRETCHED } from "../../support/service/node.js";
import { createServiceProcess } from "../../support/service/service-process.js";
import { AS_DELIVERED, decisionBody, eventually } from "../../support/service/service.js";

/** The log line for which docs/runbooks/journal.md gives instructions. */
const NOT_DRAINED = /the journal is not drained/;

/** The number of journal records after the position that PostgreSQL has. */
async function undrainedRecords(dataDir: string, pool: Pool): Promise<number> {
  const journal = openJournal({ dataDir, bytesMax: 64 * 2 ** 20, syncEveryCommit: false });
  const last = journal.lastSequence();
  await journal.close();
  const { rows } = await pool.query<{ position: string }>("select position from journal_positions");
  assert.equal(rows.length, 1);
  return last - Number(rows[0]?.position);
}

describe("SIGTERM", { concurrency: 2 }, () => {
  it("OPS-7, OPS-12, NODE-5: under load: answers every accepted request, drains the journal, exits 0, every time", async () => {
    const database = await createTestDatabase();
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: database.url,
      // More than a starved host needs, because this test is about the drained journal.
      SHUTDOWN_GRACE_MS: "60000",
    });
    // Ctrl-C under npm arrives twice: from the terminal, and from npm.
    for (const [round, signals] of [["SIGTERM"], ["SIGINT", "SIGINT"], ["SIGHUP"]].entries()) {
      if (round > 0) service.start();
      await service.untilStatus("/ready", 200);
      const load = startDecisionLoad({ url: service.url, key: await service.key(), ratePerSecond: 800 });
      await sleep(300 + Math.random() * 300);
      const stoppedMs = performance.now();
      for (const signal of signals) service.child.kill(signal as NodeJS.Signals);
      // A stop that gives up logs a line, as a test below shows.
      assert.equal(await service.end(), 0);
      assert.doesNotMatch(service.log(), NOT_DRAINED);
      await load.stop();
      assert.deepEqual([...load.statuses.keys()], [200]);
      // All earlier requests are answered. A paused client may still write to a connection that the service has closed.
      assert.deepEqual(
        load.broken.filter(({ startedMs }) => startedMs < stoppedMs),
        [],
      );
      assert.equal(await undrainedRecords(service.dataDir, database.pool), 0);
      const { rows } = await database.pool.query("select number_given_back from journal_positions");
      assert.deepEqual(rows, [{ number_given_back: true }]);
      await assertNothingLost(database.pool, [load], 0);
    }
  });

  it("OPS-6: reports on /ready at once that it stops, while a request still runs", async () => {
    const database = await createTestDatabase();
    const service = await createServiceProcess(await temporaryDir(), { DATABASE_URL: database.url });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    // A request whose body is incomplete is in flight.
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
    // After SIGTERM the service refuses new connections. This connection was opened before SIGTERM, so its requests are
    // still answered.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal(await statusOf(`${service.url}/ready`, agent), 200);
    service.child.kill("SIGTERM");
    await eventually(async () => assert.equal(await statusOf(`${service.url}/ready`, agent), 503));
    connection.write(text.slice(-20));
    assert.equal((await connection.reply()).status, 200);
    assert.equal(await service.end(), 0);
  });

  it("OPS-10: a second signal ends the wait of the first one at once, and nothing acknowledged is lost", async () => {
    const database = await createTestDatabase();
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: database.url,
      SHUTDOWN_GRACE_MS: "600000",
    });
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const) {
      await service.untilStatus("/ready", 200);
      const load = startDecisionLoad({ url: service.url, key: await service.key() });
      await eventually(async () => assert.ok(load.acknowledged.size > 50));
      // This is half of a request. The rest is never sent.
      const connection = await openConnection(service.url);
      const head = [["x-api-key", await service.key()]] as [string, string][];
      connection.write(
        requestText("POST", "/v1/decision", head, JSON.stringify(decisionBody())).slice(0, -20),
      );
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      assert.equal(await statusOf(`${service.url}/ready`, agent), 200);
      service.child.kill("SIGTERM");
      await eventually(async () => assert.equal(await statusOf(`${service.url}/ready`, agent), 503));
      // After the first signal alone, the service would wait five minutes for the request. So the second signal has
      // ended it.
      const ended = await service.end(signal);
      assert.equal(ended, code, `ended with ${ended}, not ${code}: ${service.log()}`);
      await load.stop();
      agent.destroy();
      connection.destroy();
      service.start();
      await service.untilStatus("/ready", 200);
      await assertNothingLost(database.pool, [load]);
    }
    assert.equal(await service.end("SIGTERM"), 0);
  });

  it("OPS-12: stops cleanly with its database, at any moment of its start", async () => {
    // Each file marks a moment of the start, from a new DATA_DIR to a cluster that is ready to start. One handler
    // serves all three signals, so not every pair is tested.
    for (const [begun, signals] of [
      ["owner", ["SIGTERM"]],
      ["postgres.new", ["SIGTERM", "SIGINT"]],
      ["postgres/PG_VERSION", ["SIGTERM"]],
      ["postgres/postmaster.pid", ["SIGTERM", "SIGHUP"]],
    ] as const) {
      for (const signal of signals) {
        const service = await createServiceProcess(await temporaryDir(), {});
        while (!existsSync(join(service.dataDir, begun))) await sleep(1);
        assert.equal(await service.end(signal), 0, `${signal} at ${begun}: ${service.log()}`);
        assert.equal(existsSync(join(service.dataDir, "owner")), false);
        assert.equal(existsSync(join(service.dataDir, "postgres.owner")), false);
        assert.deepEqual(await runningServers(join(service.dataDir, "postgres")), []);
        assert.doesNotMatch(service.log(), /Error:|"level":[56]0/);
      }
    }
  });

  it("OPS-12: stops cleanly when its terminal is closed and accepts no more lines", async () => {
    // Python starts the service on a pseudo-terminal, and closes it. The service then gets SIGHUP, and its writes to
    // the terminal fail with EIO.
    const script = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
said = b""
while b"ready" not in said: said += os.read(terminal, 65536)
os.close(terminal)
os.waitpid(pid, 0)`;
    const database = await createTestDatabase();
    const dataDir = await temporaryDir();
    const child = spawn("python3", ["-c", script, process.execPath, ...START_ARGUMENTS], {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        HOST: "127.0.0.1",
        PORT: "0",
        METRICS_PORT: "0",
        LOG_LEVEL: "info",
        ...STRETCHED,
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    assert.deepEqual(await once(child, "exit"), [0, null]);
    // A stop removes this file last. The service's exit code is not checked, because Node aborts at its very end if its
    // terminal is gone.
    assert.equal(existsSync(join(dataDir, "owner")), false);
  });

  it("OPS-7: while PostgreSQL hangs: exits 0 within the grace period, and the next start drains", async () => {
    const graceMs = 2000;
    const database = await createTestDatabase();
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
    // Everything acknowledged from here on stays in the journal.
    const stalledAt = load.acknowledged.size;
    await eventually(async () => assert.ok(load.acknowledged.size > stalledAt + 100));
    // PostgreSQL hangs until the process is gone, so a stop that waited for it would not end.
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

/** The processes of a cluster. Empty if the server has no directory yet. */
async function runningServers(dir: string): Promise<number[]> {
  return existsSync(dir) ? clusterProcesses(dir) : [];
}

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
}
