import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DecisionBatchEncoder, SEGMENT_ROWS_MAX } from "../../../../src/path/writer/copy/decision-batch.js";
import { asJournalled, decisionRow, decisionRows, newId } from "../../../support/rows/decision-rows.js";

/** Counts the rows in the bytes of a COPY. Skips each field by its length. */
function countRows(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes);
  let [at, rows] = [19, 0];
  for (let fields = buffer.readInt16BE(at); fields !== -1; fields = buffer.readInt16BE(at)) {
    at += 2;
    for (let i = 0; i < fields; i++) at += 4 + Math.max(0, buffer.readInt32BE(at));
    rows++;
  }
  assert.equal(at + 2, buffer.length);
  return rows;
}

function rowCounts(rows: Parameters<DecisionBatchEncoder["encode"]>[0]): Record<string, number> {
  const { steps } = new DecisionBatchEncoder().encode(rows);
  return Object.fromEntries(
    steps.map((step) => [step.sql.split(" ")[1], "copyBytes" in step ? countRows(step.copyBytes) : 0]),
  );
}

describe("decision batch", () => {
  it("puts rows of one workspace into segments of at most SEGMENT_ROWS_MAX", () => {
    const rows = decisionRows(2 * SEGMENT_ROWS_MAX + 1);
    assert.deepEqual(rowCounts(rows), { decisions_2026_11_16: rows.length, decision_segments_2026_11_16: 3 });
  });

  it("shares no segment between workspaces", () => {
    const [a, b] = [newId("ws"), newId("ws")];
    const rows = Array.from({ length: 10 }, (_, i) => decisionRow({ workspaceId: i % 2 === 0 ? a : b }));
    assert.deepEqual(rowCounts(rows), { decisions_2026_11_16: 10, decision_segments_2026_11_16: 2 });
  });

  it("splits at the UTC week, which begins on Monday, even if the order alternates", () => {
    const boundaryMs = Date.UTC(2026, 10, 30);
    const rows = [-1, 0, -1, 0].map((delta) => decisionRow({}, boundaryMs + delta));
    assert.deepEqual(rowCounts(rows), {
      decisions_2026_11_23: 2,
      decision_segments_2026_11_23: 2,
      decisions_2026_11_30: 2,
      decision_segments_2026_11_30: 2,
    });
  });

  it("keeps every row of a batch that spans many weeks", () => {
    const rows = Array.from({ length: 30 }, (_, i) => decisionRow({}, Date.UTC(2020, (i * 7) % 12, 1)));
    const counts = rowCounts(rows);
    const decisions = Object.entries(counts).filter(([table]) => table.startsWith("decisions_"));
    assert.equal(
      decisions.reduce((sum, [, count]) => sum + count, 0),
      rows.length,
    );
    assert.equal(decisions.length, 12);
  });

  it("writes the same bytes for a row of the journal as for one of strings", () => {
    const rows = [-1, 0].flatMap((delta) =>
      [null, "provider_3"].map((fallbackProvider) =>
        decisionRow(
          { orderId: "é💳", workspaceId: newId("ws"), fallbackProvider },
          Date.UTC(2026, 10, 30) + delta,
        ),
      ),
    );
    const [texts, bytes] = [
      new DecisionBatchEncoder().encode(rows),
      new DecisionBatchEncoder().encode(rows.map(asJournalled)),
    ];
    assert.deepEqual([bytes.steps, bytes.weekStartsMs], [texts.steps, texts.weekStartsMs]);
  });

  it("has no step for no rows", () => {
    assert.deepEqual(new DecisionBatchEncoder().encode([]), { segments: [], steps: [], weekStartsMs: [] });
  });
});
