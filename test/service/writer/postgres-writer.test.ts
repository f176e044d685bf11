import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { findDecision } from "../../../src/features/decisions/queries/decision.js";
import { weekOf } from "../../../src/path/writer/copy/decision-week.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { idFromHex, idToHex } from "../../../src/domain/ids/ids.js";
import { MODES, type Mode } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  decisionsOnly,
  asJournalled,
  decisionRow,
  decisionRows,
  newId,
  type TextRow,
} from "../../support/rows/decision-rows.js";
import {
  createTestDatabase,
  openPool,
  type TestDatabase,
  tenantsOf,
} from "../../support/postgres/postgres.js";
import { anyText } from "../../support/generators/text.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

let nodes = 0;
const newNode = (): string => `node-${nodes++}`;

async function assertStored(row: TextRow): Promise<void> {
  const found = await findDecision(
    tenantsOf(database.pool).of(row.workspaceId),
    row.workspaceId,
    MODES[row.mode] as Mode,
    row.decisionId,
  );
  assert.equal(found?.doc, Buffer.from(row.doc).toString());
  assert.equal(found?.merchantId, row.merchantId);
}

async function idsOf(workspaceId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ decision_id: string; workspace_id: string }>(
    "select decision_id, workspace_id from decisions order by decision_id",
  );
  return rows
    .filter((row) => idFromHex("ws", row.workspace_id) === workspaceId)
    .map((row) => idFromHex("dec", row.decision_id));
}

describe("decision writer: reads return the written rows", () => {
  it("starts a node at position 0 and remembers its position", async () => {
    const nodeId = newNode();
    const writer = createDecisionWriter(database.pool, { nodeId });
    assert.equal(await writer.position(), 0);
    assert.equal(await writer.write(decisionsOnly([decisionRow()]), 7), "written");
    assert.equal(await createDecisionWriter(database.pool, { nodeId }).position(), 7);
  });

  it("reads back every document of several workspaces and segments", async () => {
    const workspaces = [newId("ws"), newId("ws"), newId("ws")];
    const rows = Array.from({ length: 300 }, (_, i) =>
      decisionRow({
        workspaceId: workspaces[(i * i) % 3] as string,
        doc: Buffer.from(`{"n":${i},"x":"${"é".repeat(i)}"}`),
      }),
    );
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(decisionsOnly(rows), 300);
    for (const row of rows) await assertStored(row);
  });

  it("stores every column", async () => {
    const row = decisionRow({
      workspaceId: newId("ws"),
      mode: 0,
      decisionMode: 1,
      action: 6,
      riskBand: 3,
      amountMinor: Number.MAX_SAFE_INTEGER,
      currency: "KWD",
      primaryProvider: null,
      fallbackProvider: null,
    });
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(decisionsOnly([row]), 1);
    const { rows } = await database.pool.query(
      `select mode, decision_mode, action, risk_band, merchant_id, order_id, amount_minor, currency, primary_provider, fallback_provider
       from decisions where merchant_id = $1 and order_id = $2`,
      [row.merchantId, row.orderId],
    );
    assert.deepEqual(rows, [
      {
        mode: 0,
        decision_mode: 1,
        action: 6,
        risk_band: 3,
        merchant_id: "merchant",
        order_id: row.orderId,
        amount_minor: "9007199254740991",
        currency: "KWD",
        primary_provider: null,
        fallback_provider: null,
      },
    ]);
  });

  it("ERR-15: keeps any order_id, merchant_id and document, byte for byte", async () => {
    const writer = createDecisionWriter(database.pool, { nodeId: newNode() });
    let position = await writer.position();
    const text = anyText({ minLength: 1, maxLength: 128 }).filter(
      (value) => !value.includes("\0") && value.isWellFormed(),
    );
    const hostile = fc.constantFrom(
      "\\.",
      "\\N",
      "'; drop table decisions; --",
      "\t\n\r\\",
      "\u{1F4B3}",
      "é".repeat(128),
      "a".repeat(49),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, hostile),
        fc.oneof(text, hostile),
        fc.json(),
        async (orderId, merchantId, doc) => {
          const row = decisionRow({ orderId, merchantId, doc: Buffer.from(doc) });
          assert.equal(
            await writer.write(decisionsOnly([position % 2 === 0 ? row : asJournalled(row)]), ++position),
            "written",
          );
          await assertStored(row);
          const { rows } = await database.pool.query<{ decision_id: string }>(
            `select decision_id from decisions where order_id = $1 and merchant_id = $2 and workspace_id = $3::uuid
           and hashtextextended(order_id, uuid_hash_extended(workspace_id, 0)) = hashtextextended($1, uuid_hash_extended($3::uuid, 0))
           order by decision_id desc limit 1`,
            [orderId, merchantId, idToHex(row.workspaceId)],
          );
          assert.equal(idFromHex("dec", rows[0]?.decision_id ?? "0"), row.decisionId);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("keeps a document far larger than a page", async () => {
    const row = decisionRow({
      doc: Buffer.from(JSON.stringify(decisionRows(5_000).map((other) => other.decisionId))),
    });
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(decisionsOnly([row]), 1);
    await assertStored(row);
  });

  it("TEN-2: finds no decision through another workspace or mode", async () => {
    const row = decisionRow();
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(decisionsOnly([row]), 1);
    const stranger = newId("ws");
    assert.equal(
      await findDecision(tenantsOf(database.pool).of(stranger), stranger, "live", row.decisionId),
      null,
    );
    assert.equal(
      await findDecision(
        tenantsOf(database.pool).of(row.workspaceId),
        row.workspaceId,
        "test",
        row.decisionId,
      ),
      null,
    );
  });
});

describe("decision writer: exactly once", () => {
  it("writes nothing when a batch is delivered again", async () => {
    const nodeId = newNode();
    const workspaceId = newId("ws");
    const rows = decisionRows(40, { workspaceId });
    const writer = createDecisionWriter(database.pool, { nodeId });
    assert.equal(await writer.write(decisionsOnly(rows), 40), "written");
    assert.equal(await writer.write(decisionsOnly(rows), 40), "position_moved");
    assert.equal(
      await createDecisionWriter(database.pool, { nodeId }).write(decisionsOnly(rows), 40),
      "position_moved",
    );
    assert.deepEqual(
      await idsOf(workspaceId),
      rows.map((row) => row.decisionId),
    );
  });

  it("lets one of two concurrent drains succeed", async () => {
    for (let round = 0; round < 10; round++) {
      const nodeId = newNode();
      const workspaceId = newId("ws");
      const rows = decisionRows(200, { workspaceId });
      const writers = [
        createDecisionWriter(database.pool, { nodeId }),
        createDecisionWriter(openPool(database.url), { nodeId }),
      ];
      for (const writer of writers) assert.equal(await writer.position(), 0);
      const results = await Promise.all(writers.map((writer) => writer.write(decisionsOnly(rows), 200)));
      assert.deepEqual(results.toSorted(), ["position_moved", "written"]);
      assert.deepEqual(
        await idsOf(workspaceId),
        rows.map((row) => row.decisionId),
      );
    }
  });

  it("continues from the stored position after another writer was faster", async () => {
    const nodeId = newNode();
    const [slow, fast] = [
      createDecisionWriter(database.pool, { nodeId }),
      createDecisionWriter(database.pool, { nodeId }),
    ];
    await slow.position();
    await fast.write(decisionsOnly(decisionRows(3)), 3);
    assert.equal(await slow.write(decisionsOnly(decisionRows(3)), 4), "position_moved");
    assert.equal(await slow.position(), 3);
    assert.equal(await slow.write(decisionsOnly([decisionRow()]), 4), "written");
  });

  it("keeps the positions of nodes separate", async () => {
    const [a, b] = [
      createDecisionWriter(database.pool, { nodeId: newNode() }),
      createDecisionWriter(database.pool, { nodeId: newNode() }),
    ];
    assert.equal(await a.write(decisionsOnly(decisionRows(5)), 5), "written");
    assert.equal(await b.write(decisionsOnly(decisionRows(2)), 2), "written");
    assert.deepEqual([await a.position(), await b.position()], [5, 2]);
  });

  it("advances the position without rows", async () => {
    const writer = createDecisionWriter(database.pool, { nodeId: newNode() });
    assert.equal(await writer.write(decisionsOnly([]), 12), "written");
    assert.equal(await writer.position(), 12);
  });

  it("leaves neither rows nor position behind when PostgreSQL refuses a batch, and continues", async () => {
    const workspaceId = newId("ws");
    const writer = createDecisionWriter(database.pool, { nodeId: newNode() });
    const good = decisionRow({ workspaceId });
    await assert.rejects(writer.write(decisionsOnly([good, { ...good }]), 2), /duplicate key/);
    assert.deepEqual(await idsOf(workspaceId), []);
    assert.equal(await writer.position(), 0);
    assert.equal(await writer.write(decisionsOnly([good]), 2), "written");
  });

  it("loses and doubles nothing when its connection is cut repeatedly", async () => {
    const nodeId = newNode();
    const workspaceId = newId("ws");
    const writer = createDecisionWriter(openPool(database.url, "cut"), { nodeId });
    const batches = Array.from({ length: 40 }, () => decisionRows(250, { workspaceId }));
    let cuts = 0;
    let drained = false;
    const cutting = (async () => {
      while (!drained && cuts < 20) {
        const { rowCount } = await database.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'",
        );
        cuts += rowCount ?? 0;
        await setTimeout(cuts % 7);
      }
    })();
    for (let position = 0; position < batches.length; position = await retried(() => writer.position())) {
      await writer.write(decisionsOnly(batches[position] as TextRow[]), position + 1).catch(() => undefined);
    }
    drained = true;
    await cutting;
    assert.ok(cuts > 0, "no connection was cut");
    assert.deepEqual(
      await idsOf(workspaceId),
      batches
        .flat()
        .map((row) => row.decisionId)
        .toSorted(),
    );
  });
});

describe("decision writer: weekly partitions", () => {
  it("RET-1: creates the weeks it needs and keeps a batch across their boundary in order", async () => {
    const workspaceId = newId("ws");
    const boundaryMs = Date.UTC(2027, 0, 4);
    const rows = [-86_400_000, -2, -1, 0, 1, 86_400_000].map((delta) =>
      decisionRow({ workspaceId }, boundaryMs + delta),
    );
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(decisionsOnly(rows), 6);
    for (const row of rows) await assertStored(row);
    const { rows: counted } = await database.pool.query(
      `select tableoid::regclass::text as partition, count(*)::int as count from decisions
       where decision_id >= ulid_floor('2026-12-28Z') group by 1 order by 1`,
    );
    assert.deepEqual(counted, [
      { partition: "decisions_2026_12_28", count: 3 },
      { partition: "decisions_2027_01_04", count: 3 },
    ]);
  });

  it("RET-1: creates the next week ahead of time", async () => {
    await createDecisionWriter(database.pool, { nodeId: newNode() }).write(
      decisionsOnly([decisionRow({}, Date.UTC(2028, 1, 29))]),
      1,
    );
    const { rows } = await database.pool.query(
      "select to_regclass('decisions_2028_03_06') is not null as made",
    );
    assert.deepEqual(rows, [{ made: true }]);
  });

  it("RET-1: the writer and PostgreSQL agree on the week of a moment, from 1970 on", async () => {
    const timesMs = [
      0,
      345_599_999,
      345_600_000,
      Date.UTC(2026, 10, 22, 23),
      Date.UTC(2026, 10, 23),
      2 ** 47,
    ];
    const { rows } = await database.pool.query<{ suffix: string; start_ms: string }>(
      `select to_char(start at time zone 'UTC', 'YYYY_MM_DD') as suffix, (extract(epoch from start) * 1000)::bigint as start_ms
       from unnest($1::bigint[]) with ordinality as t (ms, at), partition_start(to_timestamp(ms / 1000.0)) as start
       order by at`,
      [timesMs],
    );
    assert.deepEqual(
      rows.map(({ suffix, start_ms }) => ({ suffix, startMs: Number(start_ms) })),
      timesMs.map(weekOf).map(({ suffix, startMs }) => ({ suffix, startMs })),
    );
  });

  it("RET-1: retries of two weeks lie in the partitions of their decisions", async () => {
    const workspaceId = newId("ws");
    const decisions = [-1, 0].map((delta) => decisionRow({ workspaceId }, Date.UTC(2026, 5, 1) + delta));
    const retries = decisions.map(({ decisionId }) => ({
      workspaceId,
      decisionId,
      mode: 0,
      failedProvider: "provider_1",
      failedOutcome: 1,
    }));
    const writer = createDecisionWriter(database.pool, { nodeId: newNode() });
    await writer.write({ ...decisionsOnly(decisions), retries }, 2);
    const { rows } = await database.pool.query(
      "select tableoid::regclass::text as name from retried_decisions where workspace_id = $1 order by 1",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [
      { name: "retried_decisions_2026_05_25" },
      { name: "retried_decisions_2026_06_01" },
    ]);
  });

  it("creates a week once when many nodes ask at the same time", async () => {
    const call = (): Promise<unknown> =>
      database.pool.query("select ensure_decision_partitions('2029-05-05Z')");
    await Promise.all(Array.from({ length: 20 }, call));
    const { rows } = await database.pool.query(
      "select to_regclass('outcomes_2029_04_30') is not null as made",
    );
    assert.deepEqual(rows, [{ made: true }]);
  });
});

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 200) throw error;
      await setTimeout(5);
    }
  }
}
