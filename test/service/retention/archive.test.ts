import assert from "node:assert/strict";
import { cp, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, it } from "node:test";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { createFile, type CreateFile } from "../../../src/features/retention/archive/archive-disk.js";
import { archivePart, type StorePart } from "../../../src/features/retention/archive/archive-part.js";
import { createArchiveThreads } from "../../../src/features/retention/archive/archive-thread.js";
import { ARCHIVE_TUNING } from "../../../src/features/retention/archive/archive-tuning.js";
import type { Manifest } from "../../../src/features/retention/archive/manifest.js";
import { swapPart } from "../../../src/features/retention/archive/swap-part.js";
import { verifyArchive } from "../../../src/features/retention/archive/verify-archive.js";
import { runRetention } from "../../../src/features/retention/retention-run.js";
import { WEEKLY_TABLES } from "../../../src/features/retention/weeks.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { idFloorHex, idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { NO_REST } from "../../../src/platform/timing/pace.js";
import { ownFile } from "../../../src/platform/node/own-files.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import {
  createTestDatabase,
  openPool,
  temporaryDir,
  type TestDatabase,
} from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly, newId, type TextRow } from "../../support/rows/decision-rows.js";

const DAY_MS = 86_400_000;
/** A Monday, the first day of a week. */
const START_MS = Date.UTC(2021, 0, 4);
const at = (day: number): number => START_MS + day * DAY_MS;

let database: TestDatabase;
let root: string;
let nodes = 0;
beforeEach(async () => {
  [database, root] = await Promise.all([createTestDatabase(), temporaryDir()]);
});

const store =
  (create?: CreateFile): StorePart =>
  (job) =>
    archivePart(database.pool, root, job, create === undefined ? {} : { create });

/**
 * Waits until every transaction that began earlier has ended, including those of other tests on the server. Before
 * that, a row just written cannot be archived.
 */
async function untilSettled(): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>("select pg_current_xact_id()::text as id");
  await untilPasses(async () => {
    const settled = await database.pool.query<{ done: boolean }>(
      "select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as done",
      [rows[0]?.id],
    );
    assert.equal(settled.rows[0]?.done, true);
  });
}

async function storeDecisions(workspaceId: string, days: readonly number[]): Promise<TextRow[]> {
  const rows = days.map((day) => decisionRow({ workspaceId, orderId: `Ünïcode ${day}` }, at(day)));
  const writer = createDecisionWriter(database.pool, { nodeId: `node_${nodes++}` });
  await writer.write(decisionsOnly(rows), rows.length);
  for (const { decisionId } of rows) {
    const ids = [idToHex(workspaceId), idToHex(decisionId)];
    await database.pool.query(
      `insert into outcomes (workspace_id, mode, decision_id, outcome, order_id, reported_at)
       values ($1, 0, $2, 0, 'order', '2021-01-05T01:02:03.000457Z')`,
      ids,
    );
    await database.pool.query(
      `insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by) values ($1, 0, $2, 0, $1)`,
      ids,
    );
  }
  return rows;
}

/** Runs retention once all rows stored so far can be archived. */
async function runSettled(day: number, storePart: StorePart): Promise<number> {
  await untilSettled();
  return run(day, storePart);
}

async function run(day: number, storePart: StorePart): Promise<number> {
  const client = await database.pool.connect();
  let left = 0;
  const options = {
    serviceDays: 400,
    now: () => at(day),
    store: storePart,
    pace: NO_REST,
    waitsForCopies: false,
    onDropped: () => left++,
    onRewritten: () => left++,
  };
  try {
    await runRetention(client, options);
    return left;
  } finally {
    client.release(true);
  }
}

async function weekExists(suffix: string): Promise<boolean> {
  const { rows } = await database.pool.query("select to_regclass($1) is not null as found", [
    `decisions_${suffix}`,
  ]);
  return rows[0].found;
}

const readJson = async (...path: string[]): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, ...path, "manifest.json"), "utf8"));

const rowsOf = async (...path: string[]): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(join(root, ...path)), utf8: false });

async function verified(): Promise<string[]> {
  const lines: string[] = [];
  for await (const { state, text } of verifyArchive(root)) lines.push(`${state}: ${text}`);
  return lines;
}

describe("archive: a week leaves", () => {
  it("RET-10, RET-11: its rows are in files that any reader of Parquet opens, with a manifest", async () => {
    const workspaceId = newId("ws");
    const [first, second] = (await storeDecisions(workspaceId, [0, 3])) as [TextRow, TextRow];
    await storeDecisions(workspaceId, [380]);
    await runSettled(430, store());
    assert.equal(await weekExists("2021_01_04"), false);
    assert.deepEqual(await readdir(root), ["2021_01_04"]);
    const manifest = await readJson("2021_01_04", "part-1");
    assert.deepEqual(
      manifest.tables.map(({ table, rows, min_time, max_time }) => [table, rows, min_time, max_time]),
      [
        ["decisions", 2, "2021-01-04T00:00:00.000Z", "2021-01-07T00:00:00.000Z"],
        ["outcomes", 2, "2021-01-04T00:00:00.000Z", "2021-01-07T00:00:00.000Z"],
        ["retried_decisions", 0, null, null],
        ["decision_segments", 1, "2021-01-04T00:00:00.000Z", "2021-01-04T00:00:00.000Z"],
        ["reviews", 2, "2021-01-04T00:00:00.000Z", "2021-01-07T00:00:00.000Z"],
      ],
    );
    assert.equal(manifest.week, "2021_01_04");
    assert.equal(manifest.workspace_ids, null);
    const decisions = await rowsOf("2021_01_04", "part-1", "decisions.parquet");
    assert.deepEqual(
      decisions.map(({ decision_id, order_id, amount_minor, country }) => [
        decision_id,
        order_id,
        amount_minor,
        country,
      ]),
      [first, second].map((row) => [idToUuid(row.decisionId), row.orderId, 1250n, "US"]),
    );
    const [segment] = await rowsOf("2021_01_04", "part-1", "decision_segments.parquet");
    const docs = brotliDecompressSync(segment?.["docs"] as Uint8Array).toString();
    assert.ok(docs.includes(first.decisionId) && docs.includes(second.decisionId));
    const { rows } = await database.pool.query(
      "select count(*)::int as number from reviews where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [{ number: 1 }]);
    assert.deepEqual(await verified(), [
      "ok: part-1: decisions 2, outcomes 2, retried_decisions 0, decision_segments 1, reviews 2",
    ]);
  });

  it("RET-10: a workspace's own limit archives its rows alone, and a week that leaves later has a part more", async () => {
    const [short, long] = [newId("ws"), newId("ws")];
    await insertWorkspace(database.pool, { workspaceId: short, name: "Short" });
    await database.pool.query("update workspaces set retention_days = 30");
    await storeDecisions(short, [700, 701]);
    await storeDecisions(long, [702]);
    assert.equal(await runSettled(740, store()), 1);
    const [week = ""] = await readdir(root);
    assert.equal(week, "2022_12_05");
    const part = await readJson(week, "part-1");
    assert.deepEqual(part.workspace_ids, [short]);
    assert.deepEqual(
      part.tables.map(({ rows }) => rows),
      [2, 2, 0, 1, 2],
    );
    await runSettled(1110, store());
    assert.equal(await weekExists(week), false);
    assert.deepEqual(
      (await rowsOf(week, "part-2", "decisions.parquet")).map(({ workspace_id }) => workspace_id),
      [idToUuid(long)],
    );
    assert.equal((await verified()).filter((line) => line.startsWith("ok")).length, 2);
  });

  it("RET-12: a table of many rows is written in row groups, on a thread of its own", async () => {
    await storeDecisions(newId("ws"), [1400]);
    await database.pool.query(
      `insert into retried_decisions (workspace_id, mode, decision_id, failed_provider, failed_outcome)
       select $1, 0, (substr($2, 1, 20) || lpad(to_hex(n), 12, '0'))::uuid, 'provider_1', 1
       from generate_series(1, 45000) n`,
      [idToHex(newId("ws")), idFloorHex(at(1400))],
    );
    const threads = createArchiveThreads({
      file: ownFile("workers/archive.js"),
      databaseUrl: database.url,
      root,
      workShare: 1,
    });
    assert.equal(await runSettled(1810, threads.store), 1);
    const [week = ""] = await readdir(root);
    const file = await asyncBufferFromFile(join(root, week, "part-1", "retried_decisions.parquet"));
    const { row_groups } = await parquetMetadataAsync(file);
    assert.deepEqual(
      row_groups.map(({ num_rows }) => Number(num_rows)),
      [20_000, 20_000, 5_000],
    );
    // The archive's folder is missing. The run fails with the thread's error, and no row is removed.
    await storeDecisions(newId("ws"), [1407]);
    await rm(root, { recursive: true });
    await assert.rejects(runSettled(1820, threads.store), /ENOENT/);
    await mkdir(root);
    assert.equal(await runSettled(1820, threads.store), 1);
  });
});

describe("archive: reading a week", () => {
  /** The statement of a table's later pages is prepared under this name. */
  const LATER_PAGE = "leaving_";

  /** Stores more rows in each table than one page of it has. */
  async function storePages(day: number): Promise<void> {
    await storeDecisions(newId("ws"), Array<number>(ARCHIVE_TUNING.fetchRows + 1).fill(day));
    const rows = `select $1::uuid, (substr($2, 1, 20) || lpad(to_hex(n), 12, '0'))::uuid, n`;
    for (const insert of [
      `insert into retried_decisions (workspace_id, decision_id, mode, failed_provider, failed_outcome)
       select workspace_id, id, 0, 'provider_1', 1`,
      "insert into decision_segments (workspace_id, segment_id, docs) select workspace_id, id, ''",
    ])
      await database.pool.query(
        `${insert} from (${rows} from generate_series(1, ${ARCHIVE_TUNING.fetchRows + 1}) n) r (workspace_id, id)`,
        [idToHex(newId("ws")), idFloorHex(at(day))],
      );
  }

  it("RET-12: a later page of each table begins in the primary key's index, and nothing is sorted for it", async () => {
    await storePages(7);
    const session = openPool(database.url);
    const plans = new Map<string, string>();
    await runSettled(430, async (job) => {
      const stored = await archivePart(session, root, job);
      const client = await session.connect();
      // A few rows are sooner sorted than found by an index, so the planner must prefer the index here.
      await client.query(
        `set plan_cache_mode = force_generic_plan; set enable_sort = off; set enable_seqscan = off;
         set enable_bitmapscan = off`,
      );
      const { rows } = await client.query<{ name: string; values: string }>(
        `select name, array_to_string(array_fill('null'::text, array[cardinality(parameter_types)]), ', ') as values
         from pg_prepared_statements where starts_with(name, $1)`,
        [LATER_PAGE],
      );
      for (const { name, values } of rows) {
        const { rows: lines } = await client.query(`explain (costs off) execute "${name}" (${values})`);
        plans.set(name.slice(LATER_PAGE.length), lines.map((line) => line["QUERY PLAN"]).join("\n"));
      }
      client.release();
      return stored;
    });
    const week = "2021_01_11";
    assert.deepEqual(
      [...plans.keys()].toSorted(),
      [...WEEKLY_TABLES.map((table) => `${table}_${week}`), "reviews"].toSorted(),
    );
    for (const [table, plan] of plans) {
      assert.doesNotMatch(plan, /Sort/, plan);
      assert.match(plan, new RegExp(`Index Scan using ${table}_pkey`), plan);
      assert.match(plan, /Index Cond: .*ROW\(.*\) > ROW\(/, plan);
    }
  });
});

describe("archive: an incomplete part keeps its rows", () => {
  /** Checks that a run that fails to archive the week of `day` removes nothing, and that the next run archives it. */
  async function assertKept(day: number, week: string, failing: StorePart, message: RegExp): Promise<void> {
    await storeDecisions(newId("ws"), [day]);
    await assert.rejects(runSettled(day + 410, failing), message);
    assert.equal(await weekExists(week), true);
    await runSettled(day + 410, store());
    assert.equal(await weekExists(week), false);
    assert.deepEqual((await readJson(week, "part-1")).tables[0]?.rows, 1);
    assert.deepEqual(await readdir(join(root, week)), ["part-1"]);
  }

  const damaged =
    (of: (bytes: Uint8Array) => Uint8Array, only: string): CreateFile =>
    async (path) => {
      const file = await createFile(path);
      return path.endsWith(only) ? { ...file, write: (bytes) => file.write(of(bytes)) } : file;
    };

  it("RET-11: a wrong byte between writing and reading back drops nothing", async () => {
    const flipped = (bytes: Uint8Array): Uint8Array =>
      bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte));
    await assertKept(
      0,
      "2021_01_04",
      store(damaged(flipped, "outcomes.parquet")),
      /outcomes.parquet has another SHA/,
    );
  });

  it("RET-12: a full disk drops nothing", async () => {
    const full = (): Uint8Array => {
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    };
    await assertKept(14, "2021_01_18", store(damaged(full, "manifest.json")), /no space left/);
  });

  it("RET-11: a run that ends between file and drop is taken up, and leaves one part", async () => {
    const killed: StorePart = async (job) => {
      await store()(job);
      // Ends the run's connection after the part is in place, as kill -9 would.
      await database.pool.query(
        `select pg_terminate_backend(pid, 5000) from pg_locks
         where locktype = 'advisory' and granted and pid <> pg_backend_pid()
           and database = (select oid from pg_database where datname = current_database())`,
      );
      throw new Error("killed");
    };
    await assertKept(28, "2021_02_01", killed, /./);
  });

  it("RET-11: a row that is written while its week is archived is not lost", async () => {
    const workspaceId = newId("ws");
    const late: StorePart = async (job) => {
      const stored = await store()(job);
      await database.pool.query(
        `insert into decision_segments_2021_02_15 (workspace_id, segment_id, docs) values ($1, $2, '')`,
        [idToHex(workspaceId), idFloorHex(at(42))],
      );
      return stored;
    };
    await assertKept(42, "2021_02_15", late, /written to/);
    assert.equal((await rowsOf("2021_02_15", "part-1", "decision_segments.parquet")).length, 2);
  });

  it("RET-11: nor is a row of a savepoint in a transaction that had begun before", async () => {
    const writer = await database.pool.connect();
    const late: StorePart = async (job) => {
      await writer.query("begin; select pg_current_xact_id(); savepoint one");
      await writer.query(
        `insert into decision_segments_2021_06_07 (workspace_id, segment_id, docs) values ($1, $2, '')`,
        [idToHex(newId("ws")), idFloorHex(at(154))],
      );
      // This transaction is newer than that of the savepoint, and the archive's snapshot sees it.
      await database.pool.query("select pg_current_xact_id()");
      const stored = await store()(job);
      await writer.query("commit");
      return stored;
    };
    try {
      await assertKept(154, "2021_06_07", late, /written to/);
      assert.equal((await rowsOf("2021_06_07", "part-1", "decision_segments.parquet")).length, 2);
    } finally {
      writer.release();
    }
  });

  it("RET-11: while a transaction is open that is older than the rows, they stay", async () => {
    const older = await database.pool.connect();
    try {
      await older.query("begin; select pg_current_xact_id()");
      await storeDecisions(newId("ws"), [168]);
      await assert.rejects(run(580, store()), /written to/);
    } finally {
      await older.query("rollback");
      older.release();
    }
    assert.equal(await runSettled(580, store()), 1);
    assert.equal(await weekExists("2021_06_21"), false);
  });

  it("RET-13: a part of another database is never replaced", async () => {
    await storeDecisions(newId("ws"), [56]);
    const dir = join(root, "2021_03_01", "part-1");
    await mkdir(dir, { recursive: true });
    const text = JSON.stringify({
      format: 1,
      archive_id: "another",
      week: "2021_03_01",
      part: 1,
      tables: [],
    });
    await writeFile(join(dir, "manifest.json"), text);
    await assert.rejects(runSettled(470, store()), /another database/);
    assert.equal(await weekExists("2021_03_01"), true);
    assert.equal(await readFile(join(dir, "manifest.json"), "utf8"), text);
    await rm(dir, { recursive: true });
    await runSettled(470, store());
    assert.equal(await weekExists("2021_03_01"), false);
  });
});

describe("archive: a replacement that broke off", () => {
  /** Archives a workspace's rows of a week as part 1. The week itself leaves later, as part 2. */
  async function archiveFirstPart(day: number): Promise<{ week: string; decisions: unknown }> {
    const [short, long] = [newId("ws"), newId("ws")];
    await insertWorkspace(database.pool, { workspaceId: short, name: "Short" });
    await database.pool.query("update workspaces set retention_days = 30");
    await storeDecisions(short, [day, day + 1]);
    await storeDecisions(long, [day + 2]);
    assert.equal(await runSettled(day + 40, store()), 1);
    const [week = ""] = await readdir(root);
    return { week, decisions: await rowsOf(week, "part-1", "decisions.parquet") };
  }

  const SOUND = [
    "ok: part-1: decisions 2, outcomes 2, retried_decisions 0, decision_segments 1, reviews 2",
    "ok: part-2: decisions 1, outcomes 1, retried_decisions 0, decision_segments 1, reviews 1",
  ];

  it("RET-11, RET-24: between its two moves, the next part of the week finds the old version back in its place", async () => {
    const { week, decisions } = await archiveFirstPart(700);
    const place = join(root, week, "part-1");
    await rename(place, `${place}.old`);
    await runSettled(1110, store());
    assert.deepEqual((await readdir(join(root, week))).toSorted(), ["part-1", "part-2"]);
    assert.deepEqual(await rowsOf(week, "part-1", "decisions.parquet"), decisions);
    assert.deepEqual(await verified(), SOUND);
  });

  it("RET-11, RET-24: after its two moves, the next part of the week removes the old version", async () => {
    const { week, decisions } = await archiveFirstPart(700);
    const place = join(root, week, "part-1");
    await cp(place, `${place}.old`, { recursive: true });
    // The old version is removed file by file, and some were removed already.
    await rm(join(`${place}.old`, "manifest.json"));
    await runSettled(1110, store());
    assert.deepEqual((await readdir(join(root, week))).toSorted(), ["part-1", "part-2"]);
    assert.deepEqual(await rowsOf(week, "part-1", "decisions.parquet"), decisions);
    assert.deepEqual(await verified(), SOUND);
  });

  it("RET-11: a part that cannot be moved into its place leaves the one that is there", async () => {
    await storeDecisions(newId("ws"), [63]);
    await runSettled(480, store());
    const [week = ""] = await readdir(root);
    const place = join(root, week, "part-1");
    const before = await verified();
    await assert.rejects(swapPart(`${place}.new`, place), /ENOENT/);
    assert.deepEqual(await readdir(join(root, week)), ["part-1"]);
    assert.match(String(before), /^ok: part-1: decisions 1/);
    assert.deepEqual(await verified(), before);
  });
});

describe("archive: verify", () => {
  it("RET-15: distinguishes each damage of an archive from a sound part", async () => {
    await storeDecisions(newId("ws"), [70]);
    await runSettled(490, store());
    const [week = ""] = await readdir(root);
    const part = (number: number): string => join(root, week, `part-${number}`);
    const copy = async (number: number): Promise<void> => {
      await cp(part(1), part(number), { recursive: true });
      const manifest = { ...(await readJson(week, "part-1")), part: number };
      await writeFile(join(part(number), "manifest.json"), JSON.stringify(manifest));
    };
    await copy(2);
    await rm(join(part(2), "outcomes.parquet"));
    await copy(3);
    const file = await open(join(part(3), "decisions.parquet"), "r+");
    await file.write(Buffer.from([0]), 0, 1, 20);
    await file.close();
    await cp(part(1), part(4), { recursive: true });
    await mkdir(part(5));
    await mkdir(join(root, week, "part-6.new"));
    const lines = await verified();
    const expected = [
      /^ok: part-1: decisions 1/,
      /^wrong: part-2: ENOENT/,
      /^wrong: part-3: decisions.parquet has another SHA-256/,
      /^wrong: part-4: its manifest is of another part/,
      /^wrong: part-5: it has no manifest/,
      /^note: part-6.new is no part/,
    ];
    assert.equal(lines.length, expected.length);
    for (const [index, pattern] of expected.entries()) assert.match(lines[index] ?? "", pattern);
  });

  it("RET-15: rows that differ from PostgreSQL's are found, even with a matching checksum of the file", async () => {
    await storeDecisions(newId("ws"), [84]);
    await runSettled(510, store());
    const [week = ""] = await readdir(root);
    const manifest = await readJson(week, "part-1");
    const changed = {
      ...manifest,
      tables: manifest.tables.map((table) => ({
        ...table,
        rows_sha256: table.rows_sha256.replace(/^./, "x"),
      })),
    };
    await writeFile(join(root, week, "part-1", "manifest.json"), JSON.stringify(changed));
    assert.deepEqual(await verified(), ["wrong: part-1: decisions.parquet has other rows"]);
  });
});
