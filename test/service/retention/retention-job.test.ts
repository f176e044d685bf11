import assert from "node:assert/strict";
import { it } from "node:test";
import { startRetentionJob } from "../../../src/features/retention/retention-job.js";
import { weekOf } from "../../../src/path/writer/copy/decision-week.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createLogger } from "../../../src/platform/telemetry/logger.js";
import { createMetrics } from "../../../src/platform/telemetry/metrics.js";
import { NO_REST } from "../../../src/platform/timing/pace.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly } from "../../support/rows/decision-rows.js";

const DAY_MS = 86_400_000;

it("RET-14: a week that the archive did not take stays, and metrics count it until it is taken", async () => {
  const { pool } = await createTestDatabase();
  await createDecisionWriter(pool, { nodeId: "node" }).write(
    decisionsOnly([decisionRow({}, Date.UTC(2021, 0, 4))]),
    1,
  );
  const metrics = createMetrics();
  let isFull = true;
  const job = startRetentionJob({
    pool,
    serviceDays: 400,
    store: () =>
      isFull
        ? Promise.reject(new Error("ENOSPC"))
        : Promise.resolve({ part: 1, rows: 2, bytes: 700, seenFrom: String(2n ** 31n - 1n) }),
    createPace: () => NO_REST,
    waitsForCopies: false,
    mayRun: () => true,
    now: Date.now,
    metrics,
    log: createLogger("silent"),
  });
  const shown = async (): Promise<string[]> =>
    (await metrics.text({ pending: 0, tasksInFlight: 0, workers: 0, utilization: 0 }, true))
      .split("\n")
      .filter((line) => /^payinference_(archive|retention_failures)/.test(line));
  await job.look();
  assert.deepEqual(await shown(), [
    'payinference_archive_parts_total{result="stored"} 0',
    'payinference_archive_parts_total{result="failed"} 1',
    "payinference_archive_bytes_total 0",
    "payinference_retention_failures_total 1",
  ]);
  isFull = false;
  await job.look();
  assert.deepEqual(await shown(), [
    'payinference_archive_parts_total{result="stored"} 1',
    'payinference_archive_parts_total{result="failed"} 1',
    "payinference_archive_bytes_total 700",
    "payinference_retention_failures_total 1",
  ]);
  const { rows } = await pool.query("select week, part, row_count, byte_count from archived_parts");
  assert.deepEqual(rows, [{ week: "2021_01_04", part: 1, row_count: "2", byte_count: "700" }]);
  job.close();
});

it("RET-9: metrics count runs, and an alert is due once none has finished for a day", async () => {
  const { pool } = await createTestDatabase();
  const startMs = Date.now();
  const rows = [Date.UTC(2021, 0, 4), startMs].map((timeMs) => decisionRow({}, timeMs));
  await createDecisionWriter(pool, { nodeId: "node" }).write(decisionsOnly(rows), 2);
  const { gauge, counter } = createMetrics();
  const made = new Map<string, Pick<ReturnType<typeof gauge>, "get">>();
  const kept = <T extends Pick<ReturnType<typeof gauge>, "get">>(name: string, metric: T): T => {
    made.set(name.replace("payinference_retention_", ""), metric);
    return metric;
  };
  const metrics = {
    gauge: (name: string, help: string) => kept(name, gauge(name, help)),
    counter: (name: string, help: string) => kept(name, counter(name, help) as never),
  } as unknown as Pick<ReturnType<typeof createMetrics>, "gauge" | "counter">;
  const shown = async (name: string): Promise<number[]> =>
    ((await made.get(name)?.get())?.values ?? []).map(({ value }) => value);
  let nowMs = startMs;
  let mayRun = true;
  const job = startRetentionJob({
    pool,
    serviceDays: 400,
    store: null,
    createPace: () => NO_REST,
    waitsForCopies: false,
    mayRun: () => mayRun,
    now: () => nowMs,
    metrics,
    log: createLogger("silent"),
  });
  await job.look();
  const { rows: left } = await pool.query("select to_regclass('decisions_2021_01_04') is null as gone");
  assert.deepEqual(left, [{ gone: true }]);
  assert.deepEqual(await shown("oldest_week_timestamp_seconds"), [weekOf(startMs).startMs / 1000]);
  assert.deepEqual(await shown("weeks_total"), [2, 0, 0]);
  assert.deepEqual(await shown("failures_total"), [0]);
  nowMs += DAY_MS - 60_000;
  assert.equal(job.isOverdue(), false);
  // `mayRun` is false if the clock has jumped or PostgreSQL is away.
  mayRun = false;
  nowMs += 120_000;
  await job.look();
  assert.equal(job.isOverdue(), true);
  mayRun = true;
  await pool.query("alter table retention_runs rename to retention_runs_away");
  await job.look();
  assert.equal(job.isOverdue(), true);
  assert.deepEqual(await shown("failures_total"), [1]);
  await pool.query("alter table retention_runs_away rename to retention_runs");
  nowMs = Date.now();
  await job.look();
  assert.equal(job.isOverdue(), false);
  job.close();
});
