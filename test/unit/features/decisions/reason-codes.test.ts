import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { DocumentPlace, PlaceInSegment } from "../../../../src/features/decisions/queries/segment.js";
import { countReasonCodes, createReasonCodeReader } from "../../../../src/features/decisions/reason-codes.js";
import { readReasonCodes } from "../../../../src/path/document/decision-document.js";
import { hostileText } from "../../../support/generators/arbitraries.js";
import { withDocument } from "../../../support/rows/decision-documents.js";
import { decisionRow } from "../../../support/rows/decision-rows.js";

const codes = fc.subarray(["CODE_A", "CODE_B", "CODE_C", "CODE_D"]);
/** Texts that a merchant might put into an order id so that it looks like the reply. */
const misleading = fc.oneof(
  hostileText,
  fc.constantFrom(
    '"reason_codes":["X"],"decision_latency_ms":1',
    ',"decision_latency_ms":',
    '"reason_codes":',
  ),
);

const codesIn = (doc: string): Set<string> => new Set(JSON.parse(readReasonCodes(doc)) as string[]);

describe("top_reason_codes", () => {
  it("AGG-2: counts a decision's own reason codes, with any request and rules", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(codes, misleading), { maxLength: 20 }), (decisions) => {
        const docs = decisions.map(([own, orderId]) =>
          Buffer.from(withDocument(decisionRow({ orderId }), own).doc).toString(),
        );
        const expected: Record<string, number> = {};
        for (const code of decisions.flatMap(([own]) => own)) expected[code] = (expected[code] ?? 0) + 1;
        const counted = countReasonCodes(docs.map(codesIn));
        assert.deepEqual(Object.fromEntries(counted.map(({ code, count }) => [code, count])), expected);
        const numbers = counted.map(({ count }) => count);
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => b - a),
        );
      }),
    );
  });

  it("reads a document that is laid out in another way as well", () => {
    const laidOut = '{ "response": { "reason_codes": [ "CODE_A" ] } }';
    assert.deepEqual(countReasonCodes([codesIn(laidOut)]), [{ code: "CODE_A", count: 1 }]);
  });

  it("reads each document once, and keeps workspaces and places apart", async () => {
    const read: (readonly DocumentPlace[])[] = [];
    const reader = createReasonCodeReader(async (workspaceId, places) => {
      read.push(places);
      return (places as PlaceInSegment[]).map(({ segmentId, docOffset }) =>
        JSON.stringify({ response: { reason_codes: [workspaceId, segmentId, String(docOffset)] } }),
      );
    });
    const ask = async (workspaceId: string, docOffsets: number[]): Promise<string[][]> => {
      const codes = await reader(workspaceId, [
        { segmentId: "one", docOffsets, docBytes: docOffsets.map(() => 5) },
        { segmentId: "two", docOffsets: [0], docBytes: [7] },
      ]);
      return codes.map((ofDecision) => [...ofDecision]).toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
    };
    const inOne = (workspaceId: string, docOffset: number): string[] => [
      workspaceId,
      "one",
      String(docOffset),
    ];
    const inTwo = ["ws_a", "two", "0"];

    assert.deepEqual(await ask("ws_a", [0, 5]), [inOne("ws_a", 0), inOne("ws_a", 5), inTwo]);
    assert.deepEqual(await ask("ws_a", [5, 10]), [inOne("ws_a", 10), inOne("ws_a", 5), inTwo]);
    assert.deepEqual(read[1], [{ segmentId: "one", docOffset: 10, docBytes: 5 }]);
    assert.deepEqual((await ask("ws_b", [5]))[0], inOne("ws_b", 5));
  });
});
