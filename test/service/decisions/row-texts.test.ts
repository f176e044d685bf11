import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findPage } from "../../../src/features/decisions/queries/decision-page.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createRowTextReader } from "../../../src/features/decisions/row-texts.js";
import { createSegmentReader } from "../../../src/features/decisions/segments.js";
import { decisionRow, decisionsOnly, newId } from "../../support/rows/decision-rows.js";
import { EVERY_DECISION } from "../../../src/domain/vocabulary/decision-scope.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

describe("the cache of texts made from documents", () => {
  it("returns each decision's own text, from the cache or not, and makes it once while it is cached", async () => {
    const { pool } = await createTestDatabase();
    const workspaceId = newId("ws");
    const rows = Array.from({ length: 60 }, (_, n) =>
      decisionRow({ workspaceId, doc: Buffer.from(`{"n":${n},"text":"${"é".repeat(n)}"}`) }),
    );
    await createDecisionWriter(pool, { nodeId: "node" }).write(decisionsOnly(rows), 1);
    const scope = { workspaceId, mode: "live", merchantScope: null } as const;
    const tenant = tenantsOf(pool).of(workspaceId);
    const places = await findPage(tenant, scope, EVERY_DECISION, { kind: "offset", rows: 0 }, 60);
    let made = 0;
    const textOf = (doc: string): string => {
      made++;
      return `text of ${doc}`;
    };
    const expected = rows.map(({ doc }) => `text of ${Buffer.from(doc).toString()}`).toReversed();
    // The cache has room for all texts, for some, or for none.
    for (const charsMax of [100_000, 600, 0]) {
      // The segment reader has room for one of the two segments, or for both.
      const readSegments = createSegmentReader(tenantsOf(pool), charsMax === 600 ? 20_000 : 100_000);
      const read = createRowTextReader(readSegments, textOf, charsMax);
      for (const [from, to] of [
        [0, 60],
        [10, 30],
        [0, 5],
        [25, 60],
        [0, 60],
      ]) {
        assert.deepEqual(await read(workspaceId, places.slice(from, to)), expected.slice(from, to));
      }
    }
    const read = createRowTextReader(createSegmentReader(tenantsOf(pool)), textOf);
    await read(workspaceId, places);
    await pool.query("delete from decision_segments");
    made = 0;
    assert.deepEqual([await read(workspaceId, places), made], [expected, 0]);
    await assert.rejects(read(newId("ws"), places), /segment is not stored/);
  });
});
