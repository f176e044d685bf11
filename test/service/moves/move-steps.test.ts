import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { PoolClient } from "pg";
import { idFromHex, idToHex } from "../../../src/domain/ids/ids.js";
import { WORKSPACE_STATUSES } from "../../../src/domain/vocabulary/vocabulary.js";
import { insertErasure } from "../../../src/features/erasures/queries.js";
import { reasonsAgainst } from "../../../src/features/moves/job/check.js";
import { copyConfig } from "../../../src/features/moves/job/config.js";
import { carryErasures } from "../../../src/features/moves/job/erased.js";
import { carryLast } from "../../../src/features/moves/job/last.js";
import { copyLog, oldestTransaction } from "../../../src/features/moves/job/log.js";
import { giveUp } from "../../../src/features/moves/job/move.js";
import { prepareEnd, together, type Ends } from "../../../src/features/moves/job/rows.js";
import {
  beginMove,
  endAtSource,
  freeze,
  goBack,
  leavingSinceMs,
  leavingStep,
  lockMove,
  noteSwitch,
} from "../../../src/features/moves/job/states.js";
import { CHUNK_TABLE, LOG_TABLES } from "../../../src/features/moves/job/tables.js";
import { withRetentionLock } from "../../../src/features/retention/service.js";
import { closeLater } from "../../support/closing.js";
import { fillWorkspace } from "../../support/people/any-rows.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { untilPasses } from "../../support/waiting/eventually.js";

let a: TestDatabase;
let b: TestDatabase;
/** The connections of a command. The tests use them one after the other. */
let connections: Pick<Ends, "source" | "target">;
before(async () => {
  [a, b] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  connections = { source: await connected(a), target: await connected(b) };
});

async function connected({ pool }: TestDatabase): Promise<PoolClient> {
  const client = await pool.connect();
  closeLater(() => client.release());
  await prepareEnd(client);
  return client;
}

/** Creates an active workspace in cell a. Returns the two ends of its move. */
async function newMove(): Promise<Ends> {
  const workspaceId = newId("ws");
  await a.pool.query("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [
    idToHex(workspaceId),
  ]);
  return { ...connections, workspaceId: idToHex(workspaceId) };
}

/** The step and the workspace's status in cell b. */
async function inTarget({ target, workspaceId }: Ends): Promise<unknown> {
  const { rows } = await target.query(
    "select step, status from workspace_moves join workspaces using (workspace_id) where workspace_id = $1",
    [workspaceId],
  );
  return rows[0] === undefined ? null : [rows[0].step, WORKSPACE_STATUSES[rows[0].status]];
}

const setStep = ({ source, workspaceId }: Ends, step: string) =>
  source.query("update workspace_moves set step = $2 where workspace_id = $1", [workspaceId, step]);

const NO_LIMIT = (): boolean => false;

describe("the steps of a move", () => {
  it("CELL-12: of two commands at once the second one ends, and a step that was taken is not taken back", async () => {
    const move = await newMove();
    assert.equal(await lockMove(move), true);
    const second: Ends = { ...move, source: await connected(a) };
    assert.equal(await lockMove(second), false);
    await beginMove(move, ["a"]);
    await freeze(move, NO_LIMIT);
    assert.equal(await noteSwitch(move), true);
    await assert.rejects(freeze(second, NO_LIMIT), /switched/);
    for (const step of ["switched", "moved"] as const) {
      await setStep(move, step);
      await assert.rejects(beginMove(second, ["a"]), /switched already/);
      assert.equal(await leavingStep(move), step);
    }
    assert.deepEqual(await inTarget(move), ["arriving", "arriving"]);
    // A later run copies what came since the switch, so the end of the move must not change that time.
    await move.source.query(
      "update workspace_moves set changed_at = to_timestamp(1e9) where workspace_id = $1",
      [move.workspaceId],
    );
    await endAtSource(move);
    assert.equal(await leavingSinceMs(move), 1e12);
    assert.equal(await goBack(move), false);
    assert.deepEqual(await inTarget(move), ["arriving", "arriving"]);
  });

  it("CELL-7: a copy of the log reads each row once, however many pages there are", async () => {
    const move = await newMove();
    const { source, workspaceId } = move;
    const rows = 20_000;
    for (const { pool } of [a, b])
      await pool.query(
        "select ensure_decision_partitions(now() - n * interval '7 days') from generate_series(0, 2) n",
      );
    await source.query(
      `insert into decisions (workspace_id, decision_id, segment_id, amount_minor, doc_offset, doc_bytes, latency_units,
         mode, decision_mode, action, risk_band, merchant_id, order_id, currency, payment_method)
       select $1, id, id, 100, 0, 0, 100, 1, 0, 0, 0, 'acme', 'order', 'USD', 0
       from generate_series(1, ${rows}) as n,
         lateral (select overlay(ulid_floor(now())::text placing lpad(to_hex(n), 12, '0') from 25)::uuid as id) as i`,
      [workspaceId],
    );
    // With figures of the table, PostgreSQL thinks that no row follows a key in the only mode there is.
    await a.pool.query("vacuum analyze decisions");
    const log = LOG_TABLES.find(({ table }) => table === "decisions");
    assert.ok(log !== undefined);
    const fetched = await together(source, async () => {
      await copyLog(move, log);
      const { rows: stats } = await source.query<{ fetched: number }>(
        `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as fetched
         from pg_stat_xact_user_tables where relname like 'decisions\\_2%'`,
      );
      return stats[0]?.fetched ?? 0;
    });
    const copied = await move.target.query("select from decisions where workspace_id = $1", [workspaceId]);
    assert.equal(copied.rowCount, rows);
    assert.ok(fetched >= rows && fetched < 1.1 * rows, String(fetched));
  });

  it("CELL-12: a move that is given up goes back in both cells, and may begin anew", async () => {
    const move = await newMove();
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    await beginMove(move, ["a"]);
    await freeze(move, NO_LIMIT);
    assert.equal(await giveUp({ ...move, print }), 0);
    assert.equal(await leavingStep(move), null);
    assert.deepEqual(await inTarget(move), ["moved", "moved"]);
    assert.deepEqual(await reasonsAgainst(move, false), []);
    await beginMove(move, ["a"]);
    assert.deepEqual(await inTarget(move), ["arriving", "arriving"]);
    await setStep(move, "switched");
    assert.equal(await giveUp({ ...move, print }), 1);
    assert.deepEqual(lines, [
      "everything is as before",
      "the edge was switched already: the move only goes forward",
    ]);
  });

  it("CELL-12: a signal ends what copies", async () => {
    const move = await newMove();
    const signal = AbortSignal.abort(new Error("SIGINT"));
    for (const log of LOG_TABLES) await assert.rejects(copyLog({ ...move, signal }, log), /SIGINT/);
  });

  it("CELL-13: one that is suspended, erased or open there since the command looked does not begin to move", async () => {
    const suspended = await newMove();
    await suspended.source.query("update workspaces set status = 1 where workspace_id = $1", [
      suspended.workspaceId,
    ]);
    await assert.rejects(beginMove(suspended, ["a"]), /suspended/);
    const erased = await newMove();
    await erase(erased, "queued");
    await assert.rejects(beginMove(erased, ["a"]), /erasure/);
    const open = await newMove();
    await open.target.query("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [
      open.workspaceId,
    ]);
    await assert.rejects(beginMove(open, ["a"]), /in the other cell already/);
  });
});

async function erase({ source, workspaceId }: Ends, status: string): Promise<void> {
  const { erasureId } = await insertErasure(source, {
    erasureId: newId("ers"),
    workspaceId: idFromHex("ws", workspaceId),
    merchantId: "shop",
    requestedBy: newId("usr"),
    provenIn: newId("ws"),
  });
  await source.query("update erasures set status = $2 where erasure_id = $1", [idToHex(erasureId), status]);
}

describe("a merchant that was erased", () => {
  /** Stores a row in the new cell that leaves with the merchant, as an earlier command may have left it. */
  const note = ({ target, workspaceId }: Ends) =>
    target.query(
      `insert into audit_log (workspace_id, audit_id, actor, action, resource, metadata)
       values ($1, gen_random_uuid(), 'usr', 'merchant.created', 'shop', '{}')`,
      [workspaceId],
    );
  const left = async ({ target, workspaceId }: Ends) => {
    const { rows } = await target.query<{ notes: number; erased: boolean }>(
      `select (select count(*)::int from audit_log where workspace_id = $1) as notes,
         is_erased($1, 'shop') as erased`,
      [workspaceId],
    );
    return rows[0];
  };

  it("CELL-9: stays erased in the new cell, where an earlier command has left rows of it", async () => {
    const move = await newMove();
    await beginMove(move, ["a"]);
    await note(move);
    await carryErasures(move);
    assert.deepEqual(await left(move), { notes: 1, erased: false });
    await erase(move, "done");
    await carryErasures(move);
    assert.deepEqual(await left(move), { notes: 0, erased: true });
    // Rows that arrive after the erasure are rows of the old cell as it is now, so they stay.
    await note(move);
    await carryErasures(move);
    assert.deepEqual(await left(move), { notes: 1, erased: true });
    assert.deepEqual(await reasonsAgainst(move, true), []);
  });

  it("CELL-9, CELL-12: while retention runs in the new cell nothing changes there, and a later command goes on", async () => {
    const move = await newMove();
    await beginMove(move, ["a"]);
    await note(move);
    await erase(move, "done");
    const retention = await connected(b);
    const isRun = await withRetentionLock(retention, async () => {
      await assert.rejects(carryErasures(move), /retention or an erasure runs in the other cell: try again/);
      assert.deepEqual(await left(move), { notes: 1, erased: false });
      return true;
    });
    assert.equal(isRun, true);
    await carryErasures(move);
    assert.deepEqual(await left(move), { notes: 0, erased: true });
    // The command's own lock is free again.
    assert.equal(await withRetentionLock(retention, () => Promise.resolve(true)), true);
  });
});

/** Stores the same row of each of these tables in both cells. */
async function filledMove(tables: readonly string[]): Promise<Ends> {
  const owner = { workspaceId: newId("ws"), personId: newId("usr"), merchantId: "shop" };
  for (const { pool } of [a, b]) await fillWorkspace(pool, ["workspaces", ...tables], owner);
  return { ...connections, workspaceId: idToHex(owner.workspaceId) };
}

const logTable = (name: string) => {
  const log = LOG_TABLES.find(({ table }) => table === name);
  assert.ok(log !== undefined);
  return log;
};

describe("rows that both cells have", () => {
  it("CELL-9: the outcome of two that stays is the one that a cell by itself would keep", async () => {
    const move = await filledMove(["outcomes"]);
    const set = (at: "source" | "target", outcome: number, provider: string | null, minute: number) =>
      move[at].query(
        `update outcomes set outcome = $2, provider_used = $3,
           reported_at = to_timestamp(1e9) + $4 * interval '1 minute' where workspace_id = $1`,
        [move.workspaceId, outcome, provider, minute],
      );
    const cases: [string, source: [string | null, number], target: [string | null, number], kept: number][] =
      [
        ["the later one", ["p", 2], ["p", 1], 0],
        ["the later one, of the new cell", ["p", 1], ["p", 2], 1],
        ["of one instant the one that came last in the old cell", ["p", 1], ["p", 1], 0],
        ["a report, not what a rejected review says", ["p", 1], [null, 2], 0],
        ["a report of the new cell", [null, 2], ["p", 1], 1],
      ];
    for (const [name, [ofSource, sourceAt], [ofTarget, targetAt], kept] of cases) {
      await set("source", 0, ofSource, sourceAt);
      await set("target", 1, ofTarget, targetAt);
      await copyLog(move, logTable("outcomes"));
      const { rows } = await move.target.query("select outcome from outcomes where workspace_id = $1", [
        move.workspaceId,
      ]);
      assert.deepEqual(rows, [{ outcome: kept }], name);
    }
  });

  it("CELL-9: what is counted for a retry is the new cell's, once the workspace is open there", async () => {
    const move = await filledMove(["retried_decisions", "workspace_moves"]);
    const { source, target, workspaceId } = move;
    await source.query("update retried_decisions set counted_outcome = 1 where workspace_id = $1", [
      workspaceId,
    ]);
    const copied = async (step: string): Promise<unknown> => {
      await target.query("update workspace_moves set step = $2 where workspace_id = $1", [workspaceId, step]);
      await target.query("update retried_decisions set counted_outcome = 0 where workspace_id = $1", [
        workspaceId,
      ]);
      await copyLog(move, logTable("retried_decisions"));
      const { rows } = await target.query<{ counted_outcome: number }>(
        "select counted_outcome from retried_decisions where workspace_id = $1",
        [workspaceId],
      );
      return rows[0]?.counted_outcome;
    };
    assert.deepEqual([await copied("arriving"), await copied("arrived")], [1, 0]);
  });

  it("CELL-9: a report that waits for its decision and is replaced while it is carried is not lost", async () => {
    const move = await filledMove(["unmatched_outcomes"]);
    const { source, target, workspaceId } = move;
    const replaced = "update unmatched_outcomes set reported_at_ms = 2 where workspace_id = $1";
    let hasReplaced = false;
    const meanwhile = new Proxy(target, {
      get: (client, name) =>
        name !== "query"
          ? Reflect.get(client, name)
          : async (...query: [string, unknown[]]) => {
              if (!hasReplaced && query[0].includes("unmatched_outcomes")) {
                hasReplaced = true;
                await source.query(replaced, [workspaceId]);
              }
              return client.query(...query);
            },
    });
    const reported = async (client: Ends["source"]): Promise<unknown> => {
      const { rows } = await client.query(
        "select reported_at_ms::int as at from unmatched_outcomes where workspace_id = $1",
        [workspaceId],
      );
      return rows.map(({ at }) => at);
    };
    await carryLast({ ...move, target: meanwhile });
    assert.deepEqual([await reported(source), await reported(target)], [[2], [1]]);
    await carryLast(move);
    assert.deepEqual([await reported(source), await reported(target)], [[], [2]]);
  });

  it("CELL-8, CELL-9: a later pass copies what was stored or changed since the pass before, and no more", async () => {
    const move = await filledMove(["outcomes"]);
    const { source, target, workspaceId } = move;
    const { rows: hours } = await source.query<{ hour: number }>(
      "select id_hour(decision_id) as hour from outcomes where workspace_id = $1",
      [workspaceId],
    );
    const hour = Number(hours[0]?.hour);
    const pass = async (fromTransaction: string | null): Promise<unknown> => {
      await target.query("delete from outcomes where workspace_id = $1", [workspaceId]);
      await copyLog(move, logTable("outcomes"), { hour, fromTransaction });
      const { rows } = await target.query("select outcome from outcomes where workspace_id = $1", [
        workspaceId,
      ]);
      return rows.map(({ outcome }) => outcome);
    };
    const before = await oldestTransaction(move);
    assert.deepEqual(await pass(null), [0]);
    await source.query("update outcomes set outcome = 1 where workspace_id = $1", [workspaceId]);
    assert.deepEqual(await pass(before), [1]);
    // Other databases of the server may have older transactions for a while.
    await untilPasses(async () => assert.deepEqual(await pass(await oldestTransaction(move)), []));
  });

  it("EXP-8: files of exports move once the exports are done, and never without them", async () => {
    const move = await filledMove([]);
    const { source, target, workspaceId } = move;
    const add = async (status: string): Promise<string> => {
      const { rows } = await source.query<{ id: string }>(
        `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters, status)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'usage', 'csv', 0, now(), now(), '{}', $2)
         returning export_id as id`,
        [workspaceId, status],
      );
      const id = String(rows[0]?.id);
      await source.query(
        "insert into export_chunks (workspace_id, export_id, raw_offset, raw_bytes, content) values ($1, $2, 0, 1, 'x')",
        [workspaceId, id],
      );
      return id;
    };
    const arrived = async (): Promise<unknown> => {
      const { rows } = await target.query<{ id: string }>(
        "select export_id::text as id from export_chunks where workspace_id = $1 order by id",
        [workspaceId],
      );
      return rows.map(({ id }) => id);
    };
    const [early, running] = [await add("done"), await add("running")];
    const first = await oldestTransaction(move);
    await copyConfig(move);
    // This export is finished after the exports were copied and before their files are.
    const late = await add("done");
    await copyLog(move, CHUNK_TABLE);
    assert.deepEqual(await arrived(), [early]);
    await source.query("update exports set status = 'done' where workspace_id = $1 and export_id = $2", [
      workspaceId,
      running,
    ]);
    await copyConfig(move);
    await copyLog(move, CHUNK_TABLE, { fromTransaction: first });
    assert.deepEqual(
      await arrived(),
      [early, running, late].toSorted((x, y) => (x < y ? -1 : 1)),
    );
  });
});
