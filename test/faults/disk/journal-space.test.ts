import assert from "node:assert/strict";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost, assertRepliesSurvive } from "../../support/load/acknowledged.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { postDecision, startDecisionLoad, type DecisionLoad } from "../../support/load/decision-load.js";
import { mountReadOnly, mountSmallDisk, NO_MOUNTS } from "../../support/machine/mounts.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { createServiceProcess, type ServiceProcess } from "../../support/service/service-process.js";
import { decisionBody, eventually, startTestService } from "../../support/service/service.js";
import { surviveDiskFault } from "./disk-scenario.js";

const MIB = 2 ** 20;
const DISK_BYTES = 48 * MIB;

let smallDisk: string | null = null;
before(async () => {
  smallDisk = await mountSmallDisk(DISK_BYTES);
});

const count = (load: DecisionLoad, status: number): number => load.statuses.get(status) ?? 0;

/**
 * Resolves once the journal is full and reports it. A disk that is nearly full can still accept a small batch now and
 * then.
 */
async function untilRefused(service: ServiceProcess, load: DecisionLoad, key: string): Promise<void> {
  await eventually(async () => assert.ok(count(load, 503) > 20), 20_000);
  await eventually(async () => {
    const refused = await postDecision({ url: service.url, key, body: decisionBody() });
    assert.deepEqual(JSON.parse(refused?.text ?? ""), {
      statusCode: 503,
      message: "Decisions cannot be recorded right now",
      error: "Service Unavailable",
    });
  });
  assert.equal((await fetch(`${service.url}/health`)).status, 200);
  // OPS-4, OPS-5: PostgreSQL is away in these tests, and the journal accepts no batch.
  await eventually(async () => {
    const ready = await fetch(`${service.url}/ready`);
    const { checks } = (await ready.json()) as { checks: unknown };
    assert.deepEqual([ready.status, checks], [503, { postgres: "unreachable", lmdb: "unreachable" }]);
  });
}

/** Resolves once decisions are made again. */
async function untilDecided(load: DecisionLoad): Promise<void> {
  const before = count(load, 200);
  await eventually(async () => assert.ok(count(load, 200) > before + 50), 20_000);
}

async function assertOnlyDecidedOrRefused(load: DecisionLoad): Promise<void> {
  await load.stop();
  assert.deepEqual(new Set(load.statuses.keys()), new Set([200, 503]));
  assert.equal(load.unanswered(), 0);
}

describe("a journal that cannot be written refuses decisions, and loses none", { concurrency: 2 }, () => {
  it("ERR-3, OPS-4: full disk: 503, and 200 again when there is room", async (t) => {
    if (smallDisk === null) return t.skip(NO_MOUNTS);
    const database = await createTestDatabase();
    const gate = await createDatabaseGate(database.url);
    const service = await createServiceProcess(smallDisk, { DATABASE_URL: gate.url });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const load = startDecisionLoad({ url: service.url, key, ratePerSecond: 1000 });
    await eventually(async () => assert.ok(load.acknowledged.size > 100));

    // Nothing is drained any more, and only a little room is left. Another program then fills it.
    await gate.shut();
    const filler = join(smallDisk, "filler");
    const { bavail, bsize } = await statfs(smallDisk);
    await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4 * MIB)));
    await untilRefused(service, load, key);
    await rm(filler);
    await untilDecided(load);
    await writeFile(filler, Buffer.alloc(DISK_BYTES)).catch(() => undefined);
    await untilRefused(service, load, key);
    // The fault lasts through several of the prober's ticks and the writer's sweeps, which must survive it too.
    await sleep(1500);
    assert.equal((await fetch(`${service.url}/health`)).status, 200);

    // The process is killed while the disk has no room even for a start.
    await service.end("SIGKILL");
    service.start();
    assert.equal(await service.end(), 1);
    assert.match(service.log(), /payinference: DATA_DIR .* cannot be written: .*no space left/);
    await rm(filler);
    service.start();
    await service.untilStatus("/health", 200);
    await untilDecided(load);
    await gate.open();
    await service.untilStatus("/ready", 200);
    await load.stop();
    assert.deepEqual(new Set(load.statuses.keys()), new Set([200, 503]));
    await assertNothingLost(database.pool, [load]);
    await assertRepliesSurvive({ url: service.url, key }, load);
    assert.equal(await service.end("SIGTERM"), 0);
    const lines = service.log().split("\n").length;
    assert.ok(lines < 60, `a failure of every batch is no line for every batch: ${lines}`);
  });

  it("OPS-4: read-only DATA_DIR: 503 and a metric, and 200 again when it can be written to", async (t) => {
    const disk = await mountSmallDisk(4 * DISK_BYTES);
    if (disk === null) return t.skip(NO_MOUNTS);
    const service = await startTestService({ DATA_DIR: disk, RATE_LIMIT_PER_MINUTE: "0" });
    await surviveDiskFault(service, mountReadOnly, 500);
    // If DATA_DIR is read-only when the service starts, the service prints one line and exits.
    await service.stop();
    const lift = await mountReadOnly(disk);
    await assert.rejects(service.start(), /payinference: DATA_DIR \S+ cannot be written: EROFS[^\n]*\n$/);
    await lift();
  });

  it("DUR-6, OPS-4: JOURNAL_MAX_BYTES reached while PostgreSQL is away: 503, and 200 again once it has drained", async () => {
    const database = await createTestDatabase();
    const gate = await createDatabaseGate(database.url);
    const service = await createServiceProcess(await temporaryDir(), {
      DATABASE_URL: gate.url,
      JOURNAL_MAX_BYTES: String(MIB),
    });
    await service.untilStatus("/ready", 200);
    const key = await service.key();
    const load = startDecisionLoad({ url: service.url, key, ratePerSecond: 1000 });
    await eventually(async () => assert.ok(load.acknowledged.size > 100));
    await gate.shut();
    await untilRefused(service, load, key);
    await gate.open();
    await untilDecided(load);
    await assertOnlyDecidedOrRefused(load);
    await assertNothingLost(database.pool, [load]);
    await assertRepliesSurvive({ url: service.url, key }, load);
  });
});
