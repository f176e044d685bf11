import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import type { ReaderWorkerData } from "../../../src/features/reader/messages.js";
import { supervisePasswords } from "../../../src/features/accounts/password-thread.js";
import { superviseTranslations } from "../../../src/features/policies/translate-thread.js";
import { superviseReader } from "../../../src/features/reader/reader-thread.js";
import { superviseProber } from "../../../src/path/prober/prober-thread.js";
import { superviseWriter, type WriterThread } from "../../../src/path/writer/writer-thread.js";
import { createBatchEncoder } from "../../../src/path/journal/batch-codec.js";
import { patienceOf } from "../../../src/domain/vocabulary/patience.js";
import { healthOverlayKey, openReplica, readSnapshots } from "../../../src/path/replica/replica.js";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import { within } from "../../../src/platform/timing/within.js";
import { createLogger, type Logger } from "../../../src/platform/telemetry/logger.js";
import { createMetrics } from "../../../src/platform/telemetry/metrics.js";
import { compiled, createDataDir, type DataDir } from "../../support/service/actor-parts.js";
import { closeLater } from "../../support/closing.js";
import { decisionRecord } from "../../support/rows/decision-records.js";
import type { MortalWorkerData } from "../../support/workers/mortal-worker.js";
import { freePort } from "../../support/machine/free-port.js";
import { createEmptyDatabase, createTestDatabase, MIGRATIONS_DIR } from "../../support/postgres/postgres.js";
import { background, NO_SCHEDULING, schedulingOf } from "../../support/machine/scheduling.js";
import { eventually } from "../../support/service/service.js";

const MORTAL_WORKER = compiled("test/support/workers/mortal-worker.js");
/** The stretched limits of tests, as in STRETCHED. */
const PATIENCE = patienceOf(10);
const SILENT = createLogger("silent");
const PIN = {
  provider: "provider_1",
  paymentMethod: null,
  currency: null,
  state: "critical",
  score: 35,
} as const;
/** The long run of service-threads.test.ts kills each thread twenty times. */
const CRASHES = 2;
/** A read without an answer fails the test instead of hanging forever. */
const HANGS_AFTER_MS = 120_000;
const CAUSES = ["exit", "throw"] as const;

function mortalOf(data: DataDir, module: string, cause: MortalWorkerData["cause"]): MortalWorkerData {
  return { module: compiled(module), deathFile: data.file("die"), cause };
}

/**
 * Ends the thread. Resolves when the thread has seen the file, a moment before it ends. The replacement may not exist
 * yet.
 */
async function kill({ deathFile }: MortalWorkerData): Promise<void> {
  writeFileSync(deathFile, "");
  await eventually(async () => assert.equal(existsSync(deathFile), false));
}

interface WriterUnderTest {
  databaseUrl: string;
  nodeId: string;
  mortal?: MortalWorkerData;
  log?: Logger;
}

function startWriter(
  data: DataDir,
  { databaseUrl, nodeId, mortal, log = SILENT }: WriterUnderTest,
): WriterThread {
  const { dataDir, options } = data;
  const workerData = {
    dataDir,
    journal: options,
    databaseUrl,
    nodeId,
    notesBatches: false,
    mirror: null,
    mortal,
  };
  return superviseWriter({
    file: mortal === undefined ? compiled("service/workers/writer.js") : MORTAL_WORKER,
    workerData,
    journalMaxBytes: data.options.bytesMax,
    mirrorIsOpen: null,
    committedSequence: data.journal.lastSequence,
    databaseIsReachable: () => true,
    metrics: createMetrics(),
    log,
  });
}

describe("a crashed writer is replaced, nothing hangs and nothing is lost", () => {
  for (const cause of CAUSES) {
    it(`OPS-8: dying by ${cause} while it drains and while somebody waits for it`, async () => {
      const database = await createTestDatabase();
      const data = await createDataDir();
      const mortal = mortalOf(data, "service/workers/writer.js", cause);
      const writer = startWriter(data, { databaseUrl: database.url, nodeId: `crash-${cause}`, mortal });
      closeLater(() => writer.stop(5000));
      writer.begin();
      await writer.ready;

      const { encode } = createBatchEncoder();
      let appended = 0;
      const append = (): number =>
        data.journal.transaction(() =>
          data.journal.append(
            encode(Array.from({ length: 10 }, () => decisionRecord(`order_${appended++}`))),
            10,
          ),
        );
      for (let crash = 0; crash < CRASHES; crash++) {
        for (let i = 0; i < 20; i++) append();
        // The thread that gets this question is dying or dead, so its replacement must answer.
        const persisted = writer.persistedThrough(append(), 20_000);
        await kill(mortal);
        const persistedAfter = writer.persistedThrough(append(), 20_000);
        assert.deepEqual([await persisted, await persistedAfter], [true, true]);
      }
      const { rows } = await database.pool.query(
        "select count(*)::int as rows, count(distinct order_id)::int as orders from decisions",
      );
      assert.deepEqual(rows, [{ rows: appended, orders: appended }]);
    });
  }

  it("DUR-3: knows an earlier process's acknowledgements from the start", async () => {
    const database = await createTestDatabase();
    const data = await createDataDir();
    const { encode } = createBatchEncoder();
    for (let i = 0; i < 500; i++) {
      const batch = Buffer.from(encode([decisionRecord(`left_${i}`)]));
      data.journal.transaction(() => data.journal.append(batch, 1));
    }
    const writer = startWriter(data, { databaseUrl: database.url, nodeId: "inherits" });
    closeLater(() => writer.stop(5000));
    writer.begin();
    await writer.ready;
    // This process has acknowledged no record, so 0 is the last sequence that it asks about.
    assert.equal(await writer.persistedThrough(0, 20_000), true);
    const { rows } = await database.pool.query("select count(*)::int as rows from decisions");
    assert.deepEqual(rows, [{ rows: 500 }]);
  });
});

describe("a writer is loaded while PostgreSQL is prepared", () => {
  it("asks it nothing before, also when it died meanwhile", async () => {
    const database = await createEmptyDatabase();
    const data = await createDataDir();
    const { encode } = createBatchEncoder();
    data.journal.transaction(() => data.journal.append(encode([decisionRecord("left")]), 1));
    const mortal = mortalOf(data, "service/workers/writer.js", "exit");
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const writer = startWriter(data, { databaseUrl: database.url, nodeId: "loads", mortal, log });
    closeLater(() => writer.stop(5000));
    await kill(mortal);
    // After this time the replacement has loaded its modules.
    await sleep(1500);
    await migrate(database.url, MIGRATIONS_DIR);
    writer.begin();
    await writer.ready;
    assert.equal(await writer.persistedThrough(0, 20_000), true);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      // Nothing else is logged: PostgreSQL has no tables yet, so the writer must not send it the journal's records.
      ["the writer thread died and is replaced"],
    );
  });

  it("ends when it is asked to stop before it has begun", async () => {
    const database = await createTestDatabase();
    const data = await createDataDir();
    const writer = startWriter(data, { databaseUrl: database.url, nodeId: "ends" });
    // The thread must end by itself, long before it would be terminated.
    const end = writer.stop(HANGS_AFTER_MS).then(() => "it has ended");
    assert.equal(await within(end, HANGS_AFTER_MS / 2, "it goes on"), "it has ended");
  });
});

describe("DUR-3: a writer that has no time to drain, as when a start fails", () => {
  for (const [left, said] of [
    [0, []],
    [3, ["the journal is not drained; the next start goes on with it"]],
  ] as const) {
    it(`says so only where something is left: ${left} decisions`, async () => {
      const data = await createDataDir();
      const { encode } = createBatchEncoder();
      for (let i = 0; i < left; i++)
        data.journal.transaction(() => data.journal.append(encode([decisionRecord(`left_${i}`)]), 1));
      const lines: string[] = [];
      const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
      // No server listens on this port.
      const databaseUrl = `postgres://payinference@127.0.0.1:${await freePort()}/payinference`;
      const writer = startWriter(data, { databaseUrl, nodeId: `stops-${left}`, log });
      writer.begin();
      await writer.ready;
      await writer.stop(0);
      assert.deepEqual(
        lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
        said,
      );
    });
  }
});

describe("OPS-8: a crashed reader is replaced", () => {
  for (const cause of CAUSES) {
    it(`dying by ${cause}: the replacement answers the open reads`, { timeout: HANGS_AFTER_MS }, async () => {
      const database = await createTestDatabase();
      const data = await createDataDir();
      const mortal = mortalOf(data, "service/workers/reader.js", cause);
      const reader = superviseReader({
        file: MORTAL_WORKER,
        workerData: {
          databaseUrl: database.url,
          retentionDays: 0,
          clickHouseUrl: null,
          statementTimeoutMs: PATIENCE.databaseReadTimeoutMs,
          mortal,
        } as ReaderWorkerData,
        patience: PATIENCE,
        metrics: createMetrics(),
        log: SILENT,
        // The clock stands still, so no read is overdue while a thread is away.
        now: () => 0,
      });
      closeLater(() => reader.stop());
      const scope = { workspaceId: data.workspaceId, mode: "live", merchantScope: null } as const;
      // On a busy host PostgreSQL may answer too late, although the thread survived. The read is then repeated.
      const aggregate = (): Promise<string | null> =>
        reader.read({ kind: "aggregate", scope }).catch((error: Error) => {
          if (error.message !== "PostgreSQL is away") throw error;
          return aggregate();
        });
      const isAnswered = () =>
        eventually(async () => {
          assert.equal((JSON.parse((await aggregate()) ?? "{}") as { total?: number }).total, 0);
        });
      await isAnswered();
      for (let crash = 0; crash < CRASHES; crash++) {
        // The reads arrive before the thread's death, during it, and while there is no thread.
        const asked = Array.from({ length: 20 }, aggregate);
        await kill(mortal);
        asked.push(...Array.from({ length: 20 }, aggregate));
        for (const json of await Promise.all(asked)) {
          assert.equal((JSON.parse(json ?? "{}") as { total?: number }).total, 0);
        }
      }
    });
  }
});

describe("OPS-8: a crashed password thread is replaced", () => {
  for (const cause of CAUSES) {
    it(`dying by ${cause}: waiting callers get an error, and the next password is checked`, async () => {
      const data = await createDataDir();
      const mortal = mortalOf(data, "service/workers/password.js", cause);
      const passwords = supervisePasswords({
        file: MORTAL_WORKER,
        workerData: { mortal },
        metrics: createMetrics(),
        log: SILENT,
      });
      closeLater(() => passwords.stop());
      const isAnswered = () =>
        eventually(async () => {
          const passwordHash = await passwords.hash("secret");
          assert.equal(await passwords.verify("secret", passwordHash), true);
          assert.equal(await passwords.verify("Secret", passwordHash), false);
        });
      await isAnswered();
      for (let crash = 0; crash < CRASHES; crash++) {
        const asked = Array.from({ length: 5 }, () => passwords.verify("secret", null));
        await Promise.all([kill(mortal), Promise.allSettled(asked)]);
        await isAnswered();
      }
    });
  }

  it("steps back behind the threads that answer merchants", { skip: NO_SCHEDULING }, async () => {
    // The threads are counted and not identified, because others may start at the same time.
    const inBackground = (): number =>
      readdirSync("/proc/self/task").filter((id) =>
        isDeepStrictEqual(schedulingOf(`/proc/self/task/${id}`), background()),
      ).length;
    const before = inBackground();
    const passwords = supervisePasswords({
      file: compiled("service/workers/password.js"),
      metrics: createMetrics(),
      log: SILENT,
    });
    closeLater(() => passwords.stop());
    await passwords.hash("secret");
    assert.equal(inBackground(), before + 1);
  });

  it("a stored hash that is none is an error of that check alone", async () => {
    const passwords = supervisePasswords({
      file: compiled("service/workers/password.js"),
      metrics: createMetrics(),
      log: SILENT,
    });
    closeLater(() => passwords.stop());
    await assert.rejects(passwords.verify("secret", "no hash at all"), ({ message }: Error) => {
      assert.match(message, /failed at a task: Error/);
      assert.doesNotMatch(message, /secret|no hash at all/);
      return true;
    });
    assert.equal(await passwords.verify("secret", null), false);
  });
});

describe("OPS-8: a crashed translate thread is replaced", () => {
  it("waiting callers get an error, and the next text is translated", async () => {
    const data = await createDataDir();
    const mortal = mortalOf(data, "service/workers/translate.js", "exit");
    const translations = superviseTranslations({
      file: MORTAL_WORKER,
      workerData: { mortal },
      metrics: createMetrics(),
      log: SILENT,
    });
    closeLater(() => translations.stop());
    const ask = () => translations.ask({ text: "Prefer provider_1 for cards.", providers: ["provider_1"] });
    const isAnswered = () => eventually(async () => assert.equal((await ask()).rules.length, 1));
    await isAnswered();
    for (let crash = 0; crash < CRASHES; crash++) {
      await Promise.all([kill(mortal), Promise.allSettled([ask(), ask()])]);
      await isAnswered();
    }
  });
});

describe("OPS-8: an errand's thread that is being replaced", () => {
  it("is waited for: only the request that the thread died with gets an error", async () => {
    const data = await createDataDir();
    const mortal = mortalOf(data, "service/workers/translate.js", "exit");
    const translations = superviseTranslations({
      file: MORTAL_WORKER,
      workerData: { mortal },
      metrics: createMetrics(),
      log: SILENT,
    });
    closeLater(() => translations.stop());
    const ask = () => translations.ask({ text: "Prefer provider_1 for cards.", providers: ["provider_1"] });
    await ask();
    const killed = kill(mortal);
    // The questions run in sequence until the thread is dead. The next question then finds no thread.
    while (await ask().then(Boolean, () => false));
    assert.equal((await ask()).rules.length, 1);
    await killed;
  });
});

describe("a crashed prober is replaced", () => {
  for (const cause of CAUSES) {
    it(`OPS-8: dying by ${cause}: snapshots stay readable, and move on`, async () => {
      const data = await createDataDir();
      const mortal = mortalOf(data, "service/workers/prober.js", cause);
      const workerData = {
        dataDir: data.dataDir,
        providers: ["provider_1"],
        currencies: ["USD"],
        intervalMs: 100,
        seed: 1,
        overrides: [],
        reports: [],
        mortal,
      };
      const prober = superviseProber({
        file: MORTAL_WORKER,
        workerData,
        metrics: createMetrics(),
        onHealthChanges: () => undefined,
        onOutcomeAlerts: () => undefined,
        log: SILENT,
      });
      closeLater(() => prober.stop());
      await prober.ready;
      const replica = openReplica(data.dataDir);
      closeLater(() => replica.close());
      await prober.setOverrides([{ workspaceId: data.workspaceId, overrides: [PIN] }]);
      const assertPinned = (): void =>
        assert.match(replica.read(healthOverlayKey(data.workspaceId, "live")) ?? "", /"source":"demo"/);
      replica.refresh();
      assertPinned();
      for (let crash = 0; crash < CRASHES; crash++) {
        await kill(mortal);
        const { health: before } = replica.refresh();
        await eventually(async () => {
          const { health } = replica.refresh();
          assert.ok(readSnapshots(replica.readHealth() ?? "").length > 0);
          // In the replacement, the pins of the dead thread apply from the first tick on.
          assertPinned();
          assert.ok(health > before + 2);
        });
      }
    });
  }
});
