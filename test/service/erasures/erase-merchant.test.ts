import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idFromHex, idTimeMs, idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { ACTIONS } from "../../../src/domain/vocabulary/vocabulary.js";
import { decodeSegment } from "../../../src/path/writer/copy/decision-batch.js";
import { foldFacets } from "../../../src/path/writer/copy/facet-fold.js";
import { createFacetIds } from "../../../src/path/writer/copy/facet-ids.js";
import { createDecisionWriter, type DecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { EVERY_DECISION, type DecisionFilter } from "../../../src/domain/vocabulary/decision-scope.js";
import { createDecisionAggregate } from "../../../src/features/decisions/decision-aggregate.js";
import { createDecisionList } from "../../../src/features/decisions/decision-list.js";
import { findDecision } from "../../../src/features/decisions/queries/decision.js";
import type { DecisionAggregate } from "../../../src/features/decisions/wire/decision-report-schema.js";
import type { DecisionList } from "../../../src/features/decisions/wire/decision-log-schema.js";
import { WEEKLY_TABLES } from "../../../src/features/retention/weeks.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow, decisionsOnly, type TextRow } from "../../support/rows/decision-rows.js";
import { erase, filledWorkspace, PROOF } from "../../support/rows/erasures.js";
import { rowsOfOthers, tablesWith } from "../../support/rows/every-table.js";

/** The id has every allowed character that has a meaning in a pattern or a URL. */
const ERASED = "acme.eu:1-x_";
/** This id matches if the dot is read as a pattern. */
const KEPT = "acmeXeu:1-x_";

const [ROUTE, HOLD] = [ACTIONS.indexOf("route"), ACTIONS.indexOf("hold")];
const ROUTED = `a${ROUTE}`;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

let nodes = 0;
const at = { merchants: [ERASED, KEPT] };

const newWriter = (): DecisionWriter => createDecisionWriter(database.pool, { nodeId: `node_${nodes++}` });

/** Stores decisions of both merchants in turn, so that they share blocks of documents. */
async function decided(workspaceId: string, writer = newWriter(), through = 40): Promise<TextRow[]> {
  const rows = Array.from({ length: 40 }, (_, n) => {
    const merchantId = at.merchants[n % 2] as string;
    return decisionRow(
      { workspaceId, merchantId, doc: Buffer.from(JSON.stringify({ merchantId, n })) },
      Date.now(),
    );
  });
  await writer.write(decisionsOnly(rows), through);
  for (const { decisionId } of rows) {
    await database.pool.query(
      "insert into outcomes (workspace_id, mode, decision_id, outcome, order_id) values ($1, 1, $2, 0, 'order')",
      [idToHex(workspaceId), idToHex(decisionId)],
    );
  }
  return rows;
}

describe("a merchant is erased", () => {
  it("RET-20: no table holds its id but the proof, and every row of others stays", async () => {
    const { pool } = database;
    const [{ workspaceId, userId }, admin] = [
      await filledWorkspace(pool, ERASED),
      await filledWorkspace(pool, KEPT),
    ];
    const ids = [idToHex(workspaceId)];
    await pool.query("insert into merchants (workspace_id, merchant_id) values ($1, $2)", [...ids, KEPT]);
    await pool.query(
      `insert into saved_views (workspace_id, view_id, owner, name, page, query, is_shared)
       select $1, new_ulid(), $2, 'mine', 'analytics', query, false
       from unnest($3::text[]) as query`,
      [...ids, idToHex(userId), ["range=7d&merchant_id=acme.eu%3A1-x_", "merchant_id=acmeXeu%3A1-x_"]],
    );
    await pool.query(
      `insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
       select $1, $2, new_ulid(), new_ulid(), 'decision.held', 'held',
         json_build_object('data', json_build_object('merchant_id', merchant))
       from unnest($3::text[]) as merchant`,
      [...ids, idToHex(userId), [ERASED, KEPT]],
    );
    const rows = await decided(workspaceId);
    await pool.query("select fold_rollups()");
    const others = await rowsOfOthers(pool, idToUuid(workspaceId));
    assert.deepEqual(await erase(pool, { workspaceId, merchantId: ERASED, provenIn: admin.workspaceId }), []);
    assert.deepEqual(await tablesWith(pool, [ERASED, ERASED.replace(":", "%3A")]), PROOF);
    assert.deepEqual(await rowsOfOthers(pool, idToUuid(workspaceId)), {
      ...others,
      audit_log: Number(others["audit_log"]) + 1,
    });
    const left = async (table: string): Promise<number> => {
      const found = await pool.query(`select from ${table} where workspace_id = $1`, ids);
      return found.rowCount ?? 0;
    };
    assert.equal(await left("decisions"), 20);
    assert.equal(await left("outcomes"), 20);
    for (const row of rows.filter(({ merchantId }) => merchantId === KEPT)) {
      const found = await findDecision(tenantsOf(pool).of(workspaceId), workspaceId, "live", row.decisionId);
      assert.equal(found?.doc, Buffer.from(row.doc).toString());
    }
    const { rows: segments } = await pool.query<{ docs: Buffer }>(
      "select docs from decision_segments where workspace_id = $1",
      ids,
    );
    const documents = segments.map(({ docs }) => decodeSegment(docs).toString()).join("");
    assert.ok(documents.includes(KEPT));
    assert.ok(!documents.includes(ERASED));
  });

  it("RET-20: a week that retention has detached, and not dropped yet, has nothing of it either", async () => {
    const { pool } = database;
    const [{ workspaceId }, admin] = [await filledWorkspace(pool, ERASED), await filledWorkspace(pool, KEPT)];
    const kept = (await decided(workspaceId)).filter(({ merchantId }) => merchantId === KEPT);
    const { rows: weeks } = await pool.query<{ name: string }>(
      "select distinct tableoid::regclass::text as name from decisions where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    const suffix = String(weeks[0]?.name).slice("decisions".length);
    const { rows: bounds } = await pool.query<{ bound: string }>(
      "select pg_get_expr(relpartbound, oid) as bound from pg_class where oid = $1::regclass",
      [`decisions${suffix}`],
    );
    for (const table of WEEKLY_TABLES)
      await pool.query(`alter table ${table} detach partition ${table}${suffix}`);
    const owner = { workspaceId, merchantId: ERASED, provenIn: admin.workspaceId };
    const failed = await erase(pool, owner);
    // The partitions are attached again, because later tests write into this week.
    for (const table of WEEKLY_TABLES) {
      await pool.query(`alter table ${table} attach partition ${table}${suffix} ${bounds[0]?.bound}`);
    }
    assert.deepEqual(failed, []);
    const { rows } = await pool.query<{ merchant_id: string; n: number; outcomes: number }>(
      `select merchant_id, count(*)::int as n, count(o.decision_id)::int as outcomes
       from decisions${suffix} d left join outcomes${suffix} o using (workspace_id, mode, decision_id)
       where workspace_id = $1 group by 1`,
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [{ merchant_id: KEPT, n: kept.length, outcomes: kept.length }]);
    const { rows: segments } = await pool.query<{ docs: Buffer }>(
      `select docs from decision_segments${suffix} where workspace_id = $1`,
      [idToHex(workspaceId)],
    );
    const documents = segments.map(({ docs }) => decodeSegment(docs).toString()).join("");
    assert.ok(documents.includes(KEPT));
    assert.ok(!documents.includes(ERASED));
  });

  it("RET-21: figures of all time stay exact, and its share has a name that is only this erasure's", async () => {
    const { pool } = database;
    const [{ workspaceId }, admin] = [await filledWorkspace(pool, KEPT), await filledWorkspace(pool, KEPT)];
    const writer = newWriter();
    // The second batch stays unfolded, so that the erasure must handle deltas too.
    await decided(workspaceId, writer);
    await decided(workspaceId, writer, 80);
    const shares = async () => {
      const { rows } = await pool.query<{ merchant_id: string; routed: string }>(
        `select merchant_id, sum(${ROUTED})::int as routed from (
           select merchant_id, ${ROUTED} from rollup_totals where workspace_id = $1 and mode = 1 and merchant_id <> ''
           union all select merchant_id, ${ROUTED} from rollup_deltas where workspace_id = $1 and mode = 1) counted
         group by 1 having sum(${ROUTED}) > 1 order by 1`,
        [idToHex(workspaceId)],
      );
      return Object.fromEntries(rows.map(({ merchant_id, routed }) => [merchant_id, routed]));
    };
    assert.deepEqual(await shares(), { [ERASED]: 40, [KEPT]: 40 });
    const owner = { workspaceId, merchantId: ERASED, provenIn: admin.workspaceId };
    assert.deepEqual(await erase(pool, owner), []);
    const { rows } = await pool.query(
      "select erasure_id from erasures where merchant_id = $1 and workspace_id = $2",
      [ERASED, idToHex(workspaceId)],
    );
    const name = `erased:${idFromHex("ers", rows[0].erasure_id)}`;
    assert.deepEqual(await shares(), { [name]: 40, [KEPT]: 40 });
    const { rows: deltas } = await pool.query<{ decided: string }>(
      "select decided from facet_deltas where workspace_id = $1 and decided is not null",
      [idToHex(workspaceId)],
    );
    const named = deltas.flatMap((row) => row.decided.split(";").map((entry) => entry.split(",")[0]));
    assert.deepEqual(new Set(named), new Set([KEPT, name]));
    const { rows: facets } = await pool.query<{ merchant_id: string }>(
      "select distinct merchant_id from facets where workspace_id = $1 order by 1",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(
      facets.map(({ merchant_id }) => merchant_id),
      [KEPT, name],
    );
  });

  it("RET-21, LIST-4, LIST-5, REV-13, AGG-4: lists have its decisions neither on a page nor in `total`, and no page has a gap", async () => {
    const { pool } = database;
    const [workspaceId, admin] = [newId("ws"), await filledWorkspace(pool, KEPT)];
    const writer = newWriter();
    const HOUR_MS = 3_600_000;
    const nowMs = Date.now();
    const fold = async (): Promise<void> => {
      await pool.query("select fold_rollups()");
      const client = await pool.connect();
      await foldFacets(client, createFacetIds());
      client.release();
    };
    const HOURS = 48;
    const madeIn = (hour: number, merchantId: string, count: number): TextRow[] =>
      Array.from({ length: count }, (_, n) => {
        const kind = { currency: n === 0 ? "EUR" : "USD", action: n < 2 ? HOLD : ROUTE };
        const atMs = nowMs - (HOURS - hour) * HOUR_MS;
        return withDocument(decisionRow({ workspaceId, merchantId, ...kind }, atMs));
      });
    // Every hour has more of the erased merchant than a page shows. Every sixth has some of the other one.
    const hours = Array.from({ length: HOURS }, (_, hour) => [
      ...madeIn(hour, ERASED, 8),
      ...madeIn(hour, KEPT, hour % 6 === 0 ? 5 : 0),
    ]);
    const rows = hours.flat();
    const folded = hours.slice(0, 40).flat();
    await writer.write(decisionsOnly(folded), folded.length);
    await fold();
    await writer.write(decisionsOnly(rows.slice(folded.length)), rows.length);
    assert.deepEqual(await erase(pool, { workspaceId, merchantId: ERASED, provenIn: admin.workspaceId }), []);
    const read = createDecisionList(tenantsOf(pool));
    const scope = { workspaceId, mode: "live", merchantScope: null } as const;
    const listedOf = (isListed: (row: TextRow) => boolean): string[] =>
      rows
        .filter((row) => row.merchantId === KEPT && isListed(row))
        .map(({ decisionId }) => decisionId)
        .toSorted()
        .toReversed();
    const [kept, held, euros] = [
      listedOf(() => true),
      listedOf(({ action }) => action === HOLD),
      listedOf(({ currency }) => currency === "EUR"),
    ];
    const sinceMs = nowMs - 24 * HOUR_MS;
    const isRecent = (id: string): boolean => idTimeMs(id) >= sinceMs;
    const cases: [what: string, filter: Partial<DecisionFilter>, ids: string[]][] = [
      ["all", {}, kept],
      ["the review queue", { action: "hold", unresolved: true }, held],
      ["a facet", { currency: "EUR" }, euros],
      ["an interval", { sinceMs }, kept.filter(isRecent)],
      ["a facet in an interval", { currency: "EUR", sinceMs, untilMs: nowMs }, euros.filter(isRecent)],
    ];
    const variants = cases.flatMap(([what, changes, ids]) => [
      { what, changes, ids, isOldestFirst: false },
      { what: `${what}, oldest first`, changes, ids: ids.toReversed(), isOldestFirst: true },
    ]);
    for (const { what, changes, ids, isOldestFirst } of variants) {
      for (const pageSize of [3, 100]) {
        const filter = { ...EVERY_DECISION, ...changes };
        const listed: string[] = [];
        for (let page = 1, more = true; more; page++) {
          const text = await read(scope, { filter, page, pageSize, cursor: null, isOldestFirst });
          const { total, has_more: hasMore, decisions } = JSON.parse(text) as DecisionList;
          assert.equal(total, ids.length, what);
          listed.push(...decisions.map(({ decision_id: id }) => id));
          more = hasMore;
        }
        assert.deepEqual(listed, ids, `${what}, ${pageSize} a page`);
      }
    }
    const aggregate = JSON.parse(
      await createDecisionAggregate(tenantsOf(pool), Date.now)(scope),
    ) as DecisionAggregate;
    assert.deepEqual(
      aggregate.recent.map(({ decision_id: id }) => id),
      kept.slice(0, 8),
    );
    assert.deepEqual([aggregate.reason_code_sample, aggregate.total], [kept.length, rows.length]);
  });
});
