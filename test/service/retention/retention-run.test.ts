import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { createDecisionList } from "../../../src/features/decisions/decision-list.js";
import { findDecision } from "../../../src/features/decisions/queries/decision.js";
import type { StorePart } from "../../../src/features/retention/archive/archive-part.js";
import { runRetention, type RetentionRun } from "../../../src/features/retention/retention-run.js";
import { WEEKLY_TABLES } from "../../../src/features/retention/weeks.js";
import { EVERY_DECISION } from "../../../src/domain/vocabulary/decision-scope.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  claimBatches,
  confirmBatches,
  leaseLane,
  type Lane,
} from "../../../src/path/log-copy/lane-queries.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createTenantDb, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { NO_REST, type Pace } from "../../../src/platform/timing/pace.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { closeLater } from "../../support/closing.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly, newId, type TextRow } from "../../support/rows/decision-rows.js";
import { erase } from "../../support/rows/erasures.js";

const DAY_MS = 86_400_000;
/** A Monday, the first day of a week. */
const START_MS = Date.UTC(2021, 0, 4);
const at = (day: number): number => START_MS + day * DAY_MS;

let database: TestDatabase;
let nodes = 0;
/** The time at which the tenants' reads take place. */
let readAtMs = 0;
let tenants: TenantDb;
before(async () => {
  database = await createTestDatabase();
  tenants = createTenantDb({
    connectionString: database.url,
    connectionsMax: 2,
    statementTimeoutMs: 20_000,
    applicationName: "test-kept",
    retention: { days: 400, now: () => readAtMs },
  });
  closeLater(() => tenants.end());
});

async function createWorkspace(retentionDays: number | null = null): Promise<string> {
  const workspaceId = newId("ws");
  await insertWorkspace(database.pool, { workspaceId, name: "Test" });
  await database.pool.query(
    "update workspaces set created_at = '2020-01-01Z', retention_days = $2 where workspace_id = $1",
    [idToHex(workspaceId), retentionDays],
  );
  return workspaceId;
}

async function store(workspaceId: string, days: readonly number[]): Promise<TextRow[]> {
  const rows = days.map((day) => decisionRow({ workspaceId }, at(day)));
  const retries = rows.map(({ decisionId }) => ({
    workspaceId,
    decisionId,
    mode: 0,
    failedProvider: "provider_1",
    failedOutcome: 1,
  }));
  const writer = createDecisionWriter(database.pool, { nodeId: `node_${nodes++}` });
  await writer.write({ ...decisionsOnly(rows), retries }, rows.length);
  for (const { decisionId } of rows) {
    await database.pool.query(
      `insert into outcomes (workspace_id, mode, decision_id, outcome, order_id) values ($1, 0, $2, 0, 'order')`,
      [idToHex(workspaceId), idToHex(decisionId)],
    );
    await database.pool.query(
      `insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by) values ($1, 0, $2, 0, $1)`,
      [idToHex(workspaceId), idToHex(decisionId)],
    );
  }
  return rows;
}

/**
 * Repeats the run until no week is postponed, and adds up the counts. A run postpones a week while an older
 * transaction is open, even one of another test on the same server.
 */
async function runToEnd(day: number): ReturnType<typeof run> {
  const total = { dropped: 0, rewritten: 0, uncopied: 0 };
  for (;;) {
    const { dropped, rewritten, uncopied, ...left } = await run(day);
    total.dropped += dropped;
    total.uncopied += uncopied;
    total.rewritten += rewritten;
    if (left.postponed === 0) return { ...left, ...total };
    await sleep(20);
  }
}

async function run(
  day: number,
  {
    serviceDays = 400,
    client,
    waitsForCopies = false,
    pace = NO_REST,
    store: storePart = null,
  }: {
    serviceDays?: number;
    client?: PoolClient;
    waitsForCopies?: boolean;
    pace?: Pace;
    store?: StorePart | null;
  } = {},
): Promise<RetentionRun & { dropped: number; rewritten: number; uncopied: number }> {
  const used = client ?? (await database.pool.connect());
  const counted = { dropped: 0, rewritten: 0, uncopied: 0 };
  try {
    const left = await runRetention(used, {
      serviceDays,
      now: () => at(day),
      store: storePart,
      pace,
      waitsForCopies,
      onDropped: (isCopied) => counted[isCopied ? "dropped" : "uncopied"]++,
      onRewritten: () => counted.rewritten++,
    });
    assert.ok(left !== null);
    return { ...left, ...counted };
  } finally {
    if (client === undefined) used.release(true);
  }
}

/** Returns the days of the decisions on disk. All weekly tables must agree. */
async function onDisk(workspaceId: string): Promise<number[]> {
  const all = await Promise.all(
    ["decisions", "outcomes", "retried_decisions"].map((table) => daysIn(table, "decision_id", workspaceId)),
  );
  const [days = []] = all;
  for (const others of all) assert.deepEqual(others, days);
  // A segment has the documents of one week, and the id of the first of them.
  const weeks = (of: readonly number[]): number[] => [...new Set(of.map((day) => Math.floor(day / 7)))];
  assert.deepEqual(weeks(await daysIn("decision_segments", "segment_id", workspaceId)), weeks(days));
  return days;
}

async function daysIn(table: string, id: string, workspaceId: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ hour: number }>(
    `select id_hour(${id}) as hour from ${table} where workspace_id = $1 order by ${id}`,
    [idToHex(workspaceId)],
  );
  return rows.map(({ hour }) => (hour * 3_600_000 - START_MS) / DAY_MS);
}

async function totalOf(workspaceId: string): Promise<number> {
  const { rows } = await database.pool.query<{ total: number }>(
    `select coalesce(sum(a0), 0)::int as total from (
       select a0 from rollup_totals where workspace_id = $1 and merchant_id = ''
       union all select a0 from rollup_deltas where workspace_id = $1) parts`,
    [idToHex(workspaceId)],
  );
  return rows[0]?.total ?? 0;
}

describe("retention: weeks leave", () => {
  it("RET-7: over years each week leaves once all of it is past the limit, and totals stay", async () => {
    const workspaceId = await createWorkspace();
    const days = [0, 6, 7, 380, 381, 800, 1600];
    await store(workspaceId, days);
    const expected: [day: number, kept: number[]][] = [
      [400, days],
      // The first week ends before day 7, so it is past the limit on day 407.
      [406, days],
      [407, days.slice(2)],
      [414, days.slice(3)],
      // If the clock goes back, nothing is dropped and nothing returns.
      [100, days.slice(3)],
      [1204, [800, 1600]],
      [1800, [1600]],
    ];
    let latest = 0;
    for (const [day, kept] of expected) {
      await run(day);
      assert.deepEqual(await onDisk(workspaceId), kept, `day ${day}`);
      latest = Math.max(latest, day);
      const reviewed = days.filter((decided) => decided >= latest - 400);
      assert.deepEqual(await daysIn("reviews", "decision_id", workspaceId), reviewed, `day ${day}`);
    }
    assert.equal(await totalOf(workspaceId), days.length);
  });

  it("RET-2, RET-7: nothing leaves before PostgreSQL's clock says so, and with 0 days never", async () => {
    const workspaceId = await createWorkspace();
    const recent = Math.floor((Date.now() - START_MS) / DAY_MS) - 30;
    await store(workspaceId, [recent]);
    await run(recent + 5000);
    assert.deepEqual(await onDisk(workspaceId), [recent]);
    await store(workspaceId, [10]);
    await run(recent, { serviceDays: 0 });
    assert.deepEqual(await onDisk(workspaceId), [10, recent]);
  });

  it("RET-7: a run that broke off is taken up, and a second one at the same time does nothing", async () => {
    const workspaceId = await createWorkspace();
    await store(workspaceId, [20, 27]);
    await database.pool.query("alter table decisions detach partition decisions_2021_01_18");
    const client = await database.pool.connect();
    try {
      await client.query("select pg_advisory_lock(hashtextextended('retention', 0))");
      const other = await database.pool.connect();
      const options = {
        serviceDays: 400,
        now: () => at(500),
        store: null,
        pace: NO_REST,
        waitsForCopies: false,
        onDropped() {},
        onRewritten() {},
      };
      assert.equal(await runRetention(other, options), null);
      other.release();
      await client.query("select pg_advisory_unlock(hashtextextended('retention', 0))");
    } finally {
      client.release(true);
    }
    await run(425);
    assert.deepEqual(await onDisk(workspaceId), [27]);
  });

  it("RET-7: a run rests after each statement over rows, and long after each change that readers notice", async () => {
    const workspaceId = await createWorkspace();
    await store(workspaceId, [27]);
    const rests: string[] = [];
    const pace = {
      rest: async () => void rests.push("short"),
      restLong: async () => void rests.push("long"),
    };
    await run(434, { pace });
    assert.deepEqual(rests.slice(0, 8), [...Array(4).fill("long"), ...Array(4).fill("short")]);
    // Each table that is swept by rows has at least one step.
    assert.deepEqual([...new Set(rests.slice(8))], ["short"]);
    assert.ok(rests.length >= 14);
    const short = await createWorkspace(30);
    await store(short, [2050]);
    await run(2080);
    await untilPasses(async () => {
      rests.length = 0;
      assert.equal((await run(2081, { pace })).rewritten, 1);
    });
    assert.deepEqual(
      rests.filter((rest) => rest === "long"),
      ["long"],
    );
    // Six deletions come first, then the copies of four tables.
    assert.ok(rests.indexOf("long") >= 10);
    assert.deepEqual(await onDisk(short), []);
  });

  it("RET-7: a reader that began earlier continues, and a week that is read waits for it", async () => {
    const workspaceId = await createWorkspace();
    await store(workspaceId, [40, 47]);
    const reader = await database.pool.connect();
    try {
      await reader.query("begin isolation level repeatable read");
      const counted = "select count(*)::int as number from decisions where workspace_id = $1";
      const count = async (): Promise<unknown> => (await reader.query(counted, [idToHex(workspaceId)])).rows;
      assert.deepEqual(await count(), [{ number: 2 }]);
      const running = run(448);
      // Other readers can read while the run waits for `reader`.
      for (let read = 0; read < 5; read++) await onDiskCount(workspaceId);
      assert.deepEqual(await count(), [{ number: 2 }]);
      await reader.query("commit");
      await running;
      assert.deepEqual(await onDisk(workspaceId), [47]);
    } finally {
      reader.release(true);
    }
  });

  async function onDiskCount(workspaceId: string): Promise<void> {
    await database.pool.query("select count(*) from decisions where workspace_id = $1", [
      idToHex(workspaceId),
    ]);
  }
});

describe("retention: a week waits for ClickHouse", () => {
  /** Stores a decision with an outcome as a node with ANALYTICS_URL does. */
  async function storeNoted(workspaceId: string, day: number): Promise<Lane> {
    const row = decisionRow({ workspaceId }, at(day));
    const nodeId = `node_${nodes++}`;
    const writer = createDecisionWriter(database.pool, { nodeId, notesBatches: true });
    await writer.write(decisionsOnly([row]), 1);
    const lane = await leaseLane(database.pool, nodeId, "copier");
    assert.ok(lane !== null);
    return lane;
  }

  /** Confirms a batch as the copier does once ClickHouse has stored it. */
  async function confirm(lane: Lane): Promise<void> {
    const batches = await claimBatches(database.pool, lane, "copier");
    assert.ok(batches !== null);
    assert.equal(await confirmBatches(database.pool, lane, batches.through, "copier"), true);
  }

  async function waitingAt(day: number): Promise<number> {
    const { waiting, uncopied } = await run(day, { waitsForCopies: true });
    assert.equal(uncopied, 0);
    return waiting;
  }

  it("RET-27: a week stays, with its reviews, until its decisions are confirmed, and others leave", async () => {
    const workspaceId = await createWorkspace();
    await run(2003);
    await store(workspaceId, [1610, 1624]);
    const lane = await storeNoted(workspaceId, 1617);
    assert.equal(await waitingAt(2031), 1);
    assert.deepEqual(await daysIn("decisions", "decision_id", workspaceId), [1617]);
    assert.deepEqual(await daysIn("reviews", "decision_id", workspaceId), [1624]);
    await confirm(lane);
    assert.equal(await waitingAt(2031), 0);
    assert.deepEqual(await daysIn("decisions", "decision_id", workspaceId), []);
    assert.deepEqual(await daysIn("reviews", "decision_id", workspaceId), []);
  });

  for (const [name, table, note] of [
    [
      "an outcome",
      "log_copy_batches",
      `insert into log_copy_batches (node_id, through, decisions, workspaces, segments,
       outcome_workspaces, outcome_modes, outcomes) values ('late', 1, 0, '{}', '{}', '{}', '{}', array[$1::uuid])`,
    ],
    [
      "a review",
      "log_copy_feedback",
      `insert into log_copy_feedback (workspaces, modes, decisions)
       values ('{}', '{}', array[$1::uuid])`,
    ],
  ] as const) {
    it(`RET-27: so it does for the note of ${name}`, async () => {
      const workspaceId = await createWorkspace();
      const [row] = (await store(workspaceId, [1638])) as [TextRow];
      // A stored review notes itself while a copier is known.
      await database.pool.query("delete from log_copy_feedback");
      await database.pool.query(note, [idToHex(row.decisionId)]);
      assert.equal(await waitingAt(2045), 1);
      assert.deepEqual(await onDisk(workspaceId), [1638]);
      await database.pool.query(`delete from ${table}`);
      assert.equal(await waitingAt(2045), 0);
      assert.deepEqual(await onDisk(workspaceId), []);
    });
  }

  it("RET-27: it waits for seven days, and then leaves and is counted", async () => {
    const workspaceId = await createWorkspace();
    await storeNoted(workspaceId, 1645);
    assert.equal(await waitingAt(1652 + 407), 1);
    const { waiting, uncopied } = await run(1652 + 408, { waitsForCopies: true });
    assert.deepEqual([waiting, uncopied], [0, 1]);
    assert.deepEqual(await daysIn("decisions", "decision_id", workspaceId), []);
    await database.pool.query("delete from log_copy_batches");
  });

  it("RET-27: a workspace's own limit does not wait, and one that is no shorter removes nothing", async () => {
    const [short, long] = [await createWorkspace(30), await createWorkspace(500)];
    await storeNoted(short, 1659);
    const lane = await storeNoted(long, 1660);
    await untilPasses(async () => {
      const { postponed, waiting } = await run(1659 + 407, { waitsForCopies: true });
      assert.deepEqual([postponed, waiting], [0, 1]);
    });
    assert.deepEqual(await daysIn("decisions", "decision_id", short), []);
    assert.deepEqual(await daysIn("decisions", "decision_id", long), [1660]);
    await confirm(lane);
    await database.pool.query("delete from log_copy_batches");
    assert.equal(await waitingAt(1659 + 407), 0);
    // The next week's partitions are made ahead.
    await run(2080);
  });
});

describe("retention: a workspace's own limit", () => {
  it("RET-8: a week is rewritten without the workspace's rows, once, and others keep theirs", async () => {
    const [short, long] = [await createWorkspace(30), await createWorkspace()];
    await store(short, [2000, 2007, 2036]);
    await store(long, [2001, 2008]);
    assert.equal((await runToEnd(2035)).rewritten, 1);
    assert.deepEqual(await onDisk(short), [2007, 2036]);
    assert.deepEqual(await onDisk(long), [2001, 2008]);
    assert.deepEqual(await runToEnd(2038), {
      oldestStartMs: at(1995),
      postponed: 0,
      waiting: 0,
      dropped: 0,
      rewritten: 0,
      uncopied: 0,
    });
    assert.equal((await runToEnd(2039)).rewritten, 1);
    assert.deepEqual(await onDisk(short), [2036]);
    assert.deepEqual(await onDisk(long), [2001, 2008]);
    assert.deepEqual(await daysIn("reviews", "decision_id", short), [2036]);
    assert.equal(await totalOf(short), 3);
    // The rewritten week still accepts rows, and queries find it.
    await store(long, [2002]);
    assert.deepEqual(await onDisk(long), [2001, 2002, 2008]);
  });

  it("RET-8: a week whose rows were moved while it was copied is left to the next run", async () => {
    const short = await createWorkspace(30);
    await store(short, [2058]);
    await runToEnd(2094);
    const moves: StorePart = async () => {
      await database.pool.query("vacuum full decisions_2026_08_24");
      return { part: 1, rows: 0, bytes: 0, seenFrom: "0" };
    };
    const { postponed, rewritten } = await run(2095, { store: moves });
    assert.deepEqual([postponed, rewritten], [1, 0]);
    assert.deepEqual(await onDisk(short), [2058]);
    assert.equal((await runToEnd(2095)).rewritten, 1);
    assert.deepEqual(await onDisk(short), []);
  });

  /** The tables that are left of a week's copies. */
  async function copiesLeft(): Promise<string[]> {
    const { rows } = await database.pool.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relname like '%\\_kept' order by 1",
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Ends the connection of a run that has copied a week, as `kill -9` of its node would. Returns a workspace with a row
   * in these copies.
   */
  async function breakOffRewrite(): Promise<string> {
    const [short, long] = [await createWorkspace(30), await createWorkspace()];
    await store(short, [2100]);
    await store(long, [2101]);
    const killed: StorePart = async () => {
      await database.pool.query(
        `select pg_terminate_backend(pid, 5000) from pg_locks
         where locktype = 'advisory' and granted and pid <> pg_backend_pid()
           and database = (select oid from pg_database where datname = current_database())`,
      );
      throw new Error("killed");
    };
    await assert.rejects(run(2140, { store: killed }));
    assert.deepEqual(await daysIn("decisions_kept", "decision_id", long), [2101]);
    // Nothing has to be rewritten any more.
    await database.pool.query("update workspaces set retention_days = null where workspace_id = $1", [
      idToHex(short),
    ]);
    return long;
  }

  const COPIES = WEEKLY_TABLES.map((table) => `${table}_kept`).toSorted();

  it("RET-8: the copies of a run that broke off are removed by the next one, even if it rewrites no week", async () => {
    const long = await breakOffRewrite();
    assert.deepEqual(await copiesLeft(), COPIES);
    assert.equal((await run(2140)).rewritten, 0);
    assert.deepEqual(await copiesLeft(), []);
    assert.deepEqual(await onDisk(long), [2101]);
  });

  it("RET-8, RET-20: so they are by an erasure, since they may hold rows of the erased", async () => {
    const [long, admin] = [await breakOffRewrite(), await createWorkspace()];
    assert.deepEqual(await copiesLeft(), COPIES);
    assert.deepEqual(
      await erase(database.pool, { workspaceId: long, merchantId: null, provenIn: admin }),
      [],
    );
    assert.deepEqual(await copiesLeft(), []);
    assert.deepEqual(await onDisk(long), []);
  });

  it("RET-8: a week with too many rows to look at beside its writers is left as it is", async () => {
    const short = await createWorkspace(30);
    await store(short, [2100]);
    const client = await database.pool.connect();
    const { query } = client;
    // The check for writes is as slow as in a week with many rows.
    const slow = (text: string, ...values: unknown[]): unknown =>
      text.includes("age(xmin)")
        ? Reflect.apply(query, client, ["select pg_sleep(60)"])
        : Reflect.apply(query, client, [text, ...values]);
    Object.assign(client, { query: slow });
    const { postponed, rewritten } = await run(2140, { client }).finally(() => client.release(true));
    assert.ok(postponed >= 1);
    assert.equal(rewritten, 0);
    assert.deepEqual(await onDisk(short), [2100]);
    assert.equal((await runToEnd(2140)).rewritten, postponed);
    assert.deepEqual(await onDisk(short), []);
  });
});

describe("retention: reads", () => {
  it("RET-4: a decision is unknown from the moment that its limit passes, and the list ends before it", async () => {
    const [short, long] = [await createWorkspace(30), await createWorkspace()];
    for (const [workspaceId, days] of [
      [short, 30],
      [long, 400],
    ] as const) {
      const [older, newer] = (await store(workspaceId, [2100, 2110])) as [TextRow, TextRow];
      const listed = async (): Promise<string[]> => {
        const scope = { workspaceId, mode: "live", merchantScope: null } as const;
        const query = { pageSize: 10, page: 1, cursor: null, filter: EVERY_DECISION };
        const { rows } = await tenants
          .of(workspaceId)
          .query<{ id: string }>("select decision_id::text as id from decisions order by 1");
        const list = createDecisionList(tenants, {
          rowHeads: async (_, found) => found.map(() => '{"row":1'),
        } as Parameters<typeof createDecisionList>[1]);
        const page = JSON.parse(await list(scope, query)) as { total: number; decisions: unknown[] };
        assert.deepEqual([page.total, page.decisions.length], [rows.length, rows.length]);
        return rows.map(({ id }) => id.replaceAll("-", ""));
      };
      const found = async (row: TextRow): Promise<boolean> =>
        (await findDecision(tenants.of(workspaceId), workspaceId, "live", row.decisionId)) !== null;
      readAtMs = at(2100 + days);
      assert.deepEqual(
        await listed(),
        [older, newer].map(({ decisionId }) => idToHex(decisionId)),
      );
      assert.equal(await found(older), true);
      readAtMs += 1;
      assert.deepEqual(await listed(), [idToHex(newer.decisionId)]);
      assert.deepEqual([await found(older), await found(newer)], [false, true]);
      const { rows } = await tenants.of(workspaceId).query<{ left: number }>(
        `select (select count(*) from outcomes) + (select count(*) from reviews)
           + (select count(*) from retried_decisions) as left`,
      );
      assert.equal(Number(rows[0]?.left), 3);
    }
  });
});
