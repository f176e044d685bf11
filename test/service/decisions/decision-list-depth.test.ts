import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../../src/domain/vocabulary/decision-scope.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createDecisionList, type DecisionListQuery } from "../../../src/features/decisions/decision-list.js";
import type { DecisionList } from "../../../src/features/decisions/wire/decision-log-schema.js";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { ACTIONS } from "../../../src/domain/vocabulary/vocabulary.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow, newId, NOW_MS, type TextRow } from "../../support/rows/decision-rows.js";
import { parsed } from "../../support/rows/parsed.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROWS = 10_050;
const HOURS = 700;

let database: TestDatabase;
let scope: DecisionScope;
/** The rows, newest first. */
let rows: TextRow[];
let currencyOf: ReadonlyMap<string, unknown>;
let list: (changes: Partial<DecisionListQuery>, filter?: Partial<DecisionFilter>) => Promise<DecisionList>;

before(async () => {
  database = await createTestDatabase();
  const workspaceId = newId("ws");
  scope = { workspaceId, mode: "live", merchantScope: null };
  rows = Array.from({ length: ROWS }, (_, at) => {
    const hour = Math.floor((at * HOURS) / ROWS);
    // Blocked payments exist only in every ninth hour: one or several.
    const isRare = hour % 9 === 4 && (at % 14 === 3 || (hour % 2 === 0 && at % 4 === 1));
    const changes = {
      workspaceId,
      ...(isRare ? { action: ACTIONS.indexOf("block"), merchantId: "rare", currency: "NGN" } : {}),
    };
    // The rows of an hour differ by up to three minutes, so that an interval can end between them.
    return withDocument(decisionRow(changes, NOW_MS - hour * HOUR_MS - (at % 4) * MINUTE_MS));
  }).toSorted((a, b) => (a.decisionId < b.decisionId ? 1 : -1));
  currencyOf = new Map(rows.map(({ decisionId, currency }) => [decisionId, currency]));
  const writer = createDecisionWriter(database.pool, { nodeId: "node" });
  for (let at = 0; at < ROWS; at += 2500) {
    await writer.write({ decisions: rows.slice(at, at + 2500), outcomes: [] }, at + 2500);
  }
  const read = createDecisionList(tenantsOf(database.pool));
  list = async (changes, filter = {}) => {
    const page = await read(scope, {
      pageSize: 100,
      page: 1,
      cursor: null,
      ...changes,
      filter: { ...EVERY_DECISION, ...filter },
    });
    return parsed(page);
  };
});

const idsOf = ({ decisions }: DecisionList): string[] => decisions.map(({ decision_id }) => decision_id);

describe("offset paging, capped at the first 10000 rows", () => {
  it("LIST-1, LIST-4: ends with the 10000th row; total stays exact", async () => {
    const last = await list({ page: 100 });
    assert.deepEqual(
      idsOf(last),
      rows.slice(9900, 10_000).map(({ decisionId }) => decisionId),
    );
    assert.deepEqual([last.has_more, last.total], [false, ROWS]);
    assert.equal((await list({ page: 99 })).has_more, true);
    const cut = await list({ page: 334, pageSize: 30 });
    assert.deepEqual(
      idsOf(cut),
      rows.slice(9990, 10_000).map(({ decisionId }) => decisionId),
    );
    const past = await list({ page: 101 });
    assert.deepEqual([past.decisions, past.has_more, past.total], [[], false, ROWS]);
  });

  it("LOG-20: an interval that ends within an hour is paged by its own rows", async () => {
    const untilMs = NOW_MS - 2 * HOUR_MS - 2 * MINUTE_MS + 1;
    const within = rows.map(({ decisionId }) => decisionId).filter((id) => idTimeMs(id) < untilMs);
    for (const filter of [{ untilMs }, { untilMs, currency: "USD" }]) {
      const expected = "currency" in filter ? within.filter((id) => currencyOf.get(id) === "USD") : within;
      for (const page of [1, 2, 9]) {
        const answer = await list({ page, pageSize: 10 }, filter);
        assert.deepEqual(idsOf(answer), expected.slice(10 * page - 10, 10 * page));
        assert.equal(answer.total, expected.length);
      }
    }
  });

  it("a cursor continues after it", async () => {
    const decisionId = rows[9999]?.decisionId as string;
    const { decisions, has_more } = await list({ cursor: { kind: "older_than", decisionId } });
    assert.deepEqual([decisions.length, has_more], [50, false]);
  });
});

describe("LOG-2, LOG-19, REV-13: a filter that few rows pass", () => {
  const isRare = (row: TextRow): boolean => row.action === ACTIONS.indexOf("block");

  for (const [name, whose, selected] of [
    ["an action", {}, { action: "block" }],
    ["a merchant's own", { merchantScope: "rare" }, {}],
    ["a merchant", {}, { merchantId: "rare" }],
    ["a currency", {}, { currency: "NGN" }],
  ] as const) {
    it(`finds the rows over hundreds of hours, by offset from either end and by both cursors: ${name}`, async () => {
      const own: DecisionScope = { ...scope, ...whose };
      const filter: DecisionFilter = { ...EVERY_DECISION, ...selected };
      const read = createDecisionList(tenantsOf(database.pool));
      const ask = async (changes: Partial<DecisionListQuery>): Promise<DecisionList> => {
        return parsed(await read(own, { pageSize: 7, page: 1, cursor: null, ...changes, filter }));
      };
      const expected = rows.filter(isRare).map(({ decisionId }) => decisionId);
      assert.ok(expected.length > 70);
      const byOffset: string[] = [];
      for (let page = 1; byOffset.length < expected.length; page++) {
        const { decisions, total } = await ask({ page });
        assert.equal(total, expected.length);
        assert.ok(decisions.length > 0);
        byOffset.push(...decisions.map(({ decision_id }) => decision_id));
      }
      assert.deepEqual(byOffset, expected);

      const oldestFirst: string[] = [];
      for (let more = true; more;) {
        const page = oldestFirst.length / 7 + 1;
        const answer = await ask({ page, isOldestFirst: true });
        assert.equal(answer.total, expected.length);
        oldestFirst.push(...idsOf(answer));
        more = answer.has_more;
      }
      assert.deepEqual(oldestFirst, expected.toReversed());

      const older = expected.slice(0, 1);
      for (let more = true; more;) {
        const answer = await ask({ cursor: { kind: "older_than", decisionId: older.at(-1) as string } });
        older.push(...idsOf(answer));
        more = answer.has_more;
      }
      assert.deepEqual(older, expected);

      const newer = expected.slice(-1);
      for (let more = true; more;) {
        const answer = await ask({ cursor: { kind: "newer_than", decisionId: newer[0] as string } });
        newer.unshift(...idsOf(answer));
        more = answer.has_more;
      }
      assert.deepEqual(newer, expected);
    });
  }
});
