import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joined } from "../../../src/dashboard/pages/requests/tail.js";
import type { RequestLogEntry } from "../../../src/dashboard/api/wire-types.js";

const row = (count: number): RequestLogEntry =>
  ({ id: `rlog_${String(count).padStart(26, "0")}` }) as RequestLogEntry;
const countsOf = (rows: readonly RequestLogEntry[]): number[] => rows.map(({ id }) => Number(id.slice(5)));

describe("the tail of requests", () => {
  it("DASH-22: the answers of several nodes become one list, newest first and each row once", () => {
    const one = joined([], [row(5), row(3), row(1)]);
    const both = joined(one, [row(4), row(2)]);
    assert.deepEqual(countsOf(joined(both, [row(6), row(5)])), [6, 5, 4, 3, 2, 1]);
  });

  it("the list keeps its newest rows and no more than 300", () => {
    const many = Array.from({ length: 400 }, (_, at) => row(at));
    const kept = countsOf(joined(many.slice(0, 200), many.slice(200)));
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [300, 399, 100]);
  });
});
