import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  EVERY_DECISION,
  NO_SIEVE,
  type DecisionScope,
  type DecisionSieve,
} from "../../../src/domain/vocabulary/decision-scope.js";
import { createDecisionList, type DecisionListQuery } from "../../../src/features/decisions/decision-list.js";
import { createDocumentReaders } from "../../../src/features/decisions/document-readers.js";
import type { DecisionList } from "../../../src/features/decisions/wire/decision-log-schema.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow, newId, NOW_MS, type TextRow } from "../../support/rows/decision-rows.js";
import { parsed } from "../../support/rows/parsed.js";

const MINUTE_MS = 60_000;
const ROWS = 500;
const BUDGET = { rowsMax: 60, documentsMax: 20 };

let database: TestDatabase;
let scope: DecisionScope;
/** Newest first. */
let rows: TextRow[];
type Changes = Partial<DecisionListQuery> & { sieve?: DecisionSieve };
let list: (changes: Changes) => Promise<DecisionList>;

const isRare = (at: number): boolean => at % 97 === 50;

before(async () => {
  database = await createTestDatabase();
  const workspaceId = newId("ws");
  scope = { workspaceId, mode: "live", merchantScope: null };
  rows = Array.from({ length: ROWS }, (_, at) => {
    const changes = {
      workspaceId,
      amountMinor: isRare(at) ? 77 : 1000 + at,
      orderId: isRare(at) ? `rare-${at}` : `order-${at}`,
      currency: at % 2 === 0 ? "USD" : "NGN",
    };
    const row = decisionRow(changes, NOW_MS - at * 7 * MINUTE_MS);
    return withDocument(row, isRare(at) ? ["CODE_RARE", "CODE_USUAL"] : ["CODE_USUAL"]);
  });
  const writer = createDecisionWriter(database.pool, { nodeId: "node" });
  await writer.write({ decisions: rows, outcomes: [] }, ROWS);
  const tenants = tenantsOf(database.pool);
  const read = createDecisionList(tenants, createDocumentReaders(tenants), BUDGET);
  list = async (changes) => {
    const query = { pageSize: 10, page: 1, cursor: null, filter: EVERY_DECISION, ...changes };
    return parsed(await read(scope, query));
  };
});

const idsOf = ({ decisions }: DecisionList): string[] => decisions.map(({ decision_id }) => decision_id);
const idAt = (at: number): string => rows[at]?.decisionId ?? assert.fail(String(at));
const RARE = Array.from({ length: ROWS }, (_, at) => at).filter(isRare);

/** Walks all pages from the first to the last, with the cursor of each page. */
async function walk(changes: Changes, kind: "older_than" | "newer_than"): Promise<DecisionList[]> {
  const pages = [await list(changes)];
  for (let page = pages[0] as DecisionList; page.has_more; pages.push(page)) {
    const ids = idsOf(page);
    const decisionId = page.searched_to ?? (kind === "older_than" ? ids.at(-1) : ids[0]);
    page = await list({ ...changes, cursor: { kind, decisionId: decisionId ?? assert.fail("no place") } });
  }
  return pages;
}

describe("LOG-27: a search without a helpful rollup stops, and continues from that point", () => {
  const sieves: [what: string, sieve: Partial<DecisionSieve>, rowsMax: number][] = [
    ["an amount", { amountMax: 77 }, BUDGET.rowsMax],
    ["the beginning of an order", { orderStart: "rare" }, BUDGET.rowsMax],
    ["a reason code", { reasonCode: "CODE_RARE" }, BUDGET.documentsMax],
  ];
  for (const [what, changes, rowsMax] of sieves) {
    const sieve = { ...NO_SIEVE, ...changes };
    it(`${what}: shows where it stopped, and every row is found once in either direction`, async () => {
      const first = await list({ sieve });
      assert.deepEqual(idsOf(first), RARE.filter((at) => at < rowsMax).map(idAt));
      assert.deepEqual(
        [first.has_more, first.searched_to, "total" in first],
        [true, idAt(rowsMax - 1), false],
      );
      const older = await walk({ sieve }, "older_than");
      assert.deepEqual(older.flatMap(idsOf), RARE.map(idAt));
      assert.equal(older.length, Math.ceil(ROWS / rowsMax));
      const cursor = { kind: "newer_than" as const, decisionId: idAt(ROWS - 1) };
      const newer = await walk({ sieve, cursor }, "newer_than");
      assert.deepEqual(newer.toReversed().flatMap(idsOf), RARE.map(idAt));
    });
  }

  it("rows that the other filters exclude are not examined", async () => {
    const filter = { ...EVERY_DECISION, currency: "USD" };
    const page = await list({ filter, sieve: { ...NO_SIEVE, amountMax: 77 } });
    assert.equal(page.searched_to, idAt(2 * (BUDGET.rowsMax - 1)));
    const within = { ...EVERY_DECISION, sinceMs: NOW_MS - 50 * 7 * MINUTE_MS, untilMs: NOW_MS };
    const whole = await list({ filter: within, sieve: { ...NO_SIEVE, amountMax: 77 } });
    assert.deepEqual([idsOf(whole), whole.total, whole.has_more], [[idAt(50)], 1, false]);
  });

  it("a full page continues after its last row, even if the search has stopped", async () => {
    const sieve = { ...NO_SIEVE, amountMin: 1000 };
    const page = await list({ sieve });
    assert.deepEqual(
      idsOf(page),
      rows.slice(0, 10).map(({ decisionId }) => decisionId),
    );
    assert.deepEqual([page.has_more, "searched_to" in page, "total" in page], [true, false, false]);
    const found = (await walk({ sieve, pageSize: 50 }, "older_than")).flatMap(idsOf);
    assert.deepEqual(
      found,
      rows.filter((_, at) => !isRare(at)).map(({ decisionId }) => decisionId),
    );
    const coded = { ...NO_SIEVE, reasonCode: "CODE_USUAL" };
    assert.deepEqual(idsOf(await list({ sieve: coded, page: 2 })), idsOf(await list({ page: 2 })));
    const past = await list({ sieve, page: 1001 });
    assert.deepEqual([past.decisions, past.has_more], [[], false]);
  });

  it("LOG-26: the beginning of a decision's id is found by its time, however old", async () => {
    const id = idAt(ROWS - 1);
    const page = await list({ search: id.slice(0, 16) });
    assert.deepEqual([idsOf(page), page.total], [[id], 1]);
    assert.deepEqual(idsOf(await list({ search: id })), [id]);
  });

  it("LOG-27, LOG-26: as delivered it looks through 20,000 rows", async () => {
    const delivered = createDecisionList(tenantsOf(database.pool));
    const query = { pageSize: 10, page: 1, cursor: null, filter: EVERY_DECISION, search: "rare" };
    const page = parsed<DecisionList>(await delivered(scope, query));
    assert.deepEqual([idsOf(page), page.total], [RARE.map(idAt), RARE.length]);
  });
});
