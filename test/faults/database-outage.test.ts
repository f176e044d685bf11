import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/persistence/embedded-postgres.js";
import { assertNothingLost } from "../support/acknowledged.js";
import { startDecisionLoad } from "../support/decision-load.js";
import { createDatabaseGate, type DatabaseGate } from "../support/database-gate.js";
import { SILENT_LOG } from "../support/postgres.js";
import { signalPostgres } from "../support/postgres-processes.js";
import { eventually, send, startTestService, type RunningService } from "../support/service.js";

/** contract §9 and issue "Faults". */
const NAMED_WITHIN_MS = 5000;
const READ_ANSWERED_WITHIN_MS = 2000;
/** The whole absence: longer than all of it takes to be noticed. */
const OUTAGE_MS = 2500;

let server: EmbeddedPostgres;
let gate: DatabaseGate;
let service: RunningService;
let dataDir = "";
// A supervised server keeps no process alive by itself.
const keepAlive = setInterval(() => undefined, 1000);
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "payinference-outage-"));
  server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  gate = await createDatabaseGate(server.url);
  service = await startTestService({ DATABASE_URL: gate.url, RATE_LIMIT_PER_MINUTE: "0" });
});
after(async () => {
  await server.stop();
  clearInterval(keepAlive);
  await rm(dataDir, { recursive: true, force: true });
});

const KILLED = "killed over and over";

/** Each begins an absence and returns what ends it. */
const OUTAGES: Record<string, () => Promise<() => Promise<void>>> = {
  async unreachable() {
    await gate.shut();
    return () => gate.open();
  },
  async frozen() {
    await signalPostgres(server.pid(), "SIGSTOP");
    return () => signalPostgres(server.pid(), "SIGCONT");
  },
  /** Its supervisor restarts it each time, so that for moments it may answer. */
  async [KILLED]() {
    let over = false;
    const killing = (async () => {
      while (!over) {
        await signalPostgres(server.pid(), "SIGKILL");
        await sleep(20);
      }
    })();
    return () => {
      over = true;
      return killing;
    };
  },
};

const timed = async <T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> => {
  const startedMs = performance.now();
  const result = await run();
  return { result, ms: performance.now() - startedMs };
};

describe("contract §9: while PostgreSQL is away decisions go on", () => {
  for (const [name, begin] of Object.entries(OUTAGES)) {
    it(`${name}: decides, says so, refuses reads in time, and loses nothing`, async (t) => {
      const load = startDecisionLoad(service);
      await sleep(500);
      const [known = ""] = load.acknowledged.keys();
      assert.equal((await send(service, "GET", `/v1/decisions/${known}`)).status, 200);
      load.takeSlowestMs();

      const end = await begin();
      const beganMs = performance.now();
      try {
        // At once, before the outage can be known, and again when it is.
        const readAll = () =>
          [`/${known}`, "", "/aggregate", "/shadow-report"].map((path) =>
            timed(() => send(service, "GET", `/v1/decisions${path}`)),
          );
        const reads = readAll();
        await eventually(async () => {
          const { status, json } = await send(service, "GET", "/ready", { key: null });
          assert.equal(status, 503);
          assert.deepEqual(json, { status: "not_ready", checks: { postgres: "unreachable", lmdb: "ok" } });
        }, NAMED_WITHIN_MS);
        const namedAfterMs = performance.now() - beganMs;
        reads.push(...readAll());
        for (const { result, ms } of await Promise.all(reads)) {
          assert.ok(
            result.status === 503 || (name === KILLED && result.status === 200),
            `a read: ${result.status}`,
          );
          assert.ok(ms < READ_ANSWERED_WITHIN_MS, `a read took ${ms} ms`);
        }
        assert.equal((await send(service, "GET", "/health", { key: null })).status, 200);
        await sleep(Math.max(0, OUTAGE_MS - (performance.now() - beganMs)));
        t.diagnostic(
          `named after ${namedAfterMs.toFixed()} ms; slowest decision ${load.takeSlowestMs().toFixed(1)} ms`,
        );
      } finally {
        await end();
      }

      await eventually(async () =>
        assert.equal((await send(service, "GET", "/ready", { key: null })).status, 200),
      );
      await load.stop();
      assert.deepEqual([...load.statuses.keys()], [200]);
      assert.equal(load.unanswered(), 0);
      await assertNothingLost(service.pool, [load]);
      assert.equal((await send(service, "GET", `/v1/decisions/${known}`)).status, 200);
    });
  }
});
