import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkFloors, FLOORS, type BenchFigures } from "../../../bench/bench-floors.js";
import { median, type Round, type RowId } from "../../../bench/harness/bench-rounds.js";
import {
  markdownTable,
  ratioWithinRounds,
  throughputTable,
  type RowRounds,
} from "../../../bench/harness/bench-table.js";

function round(requestsPerSecond: number, p99Ms = 2, faults: Record<string, number> = {}): Round {
  return {
    requestsPerSecond,
    p50Ms: 0.5,
    p95Ms: 1,
    p99Ms,
    serverCpuMicros: 10,
    postgresCpuMicros: Number.NaN,
    generatorCpuMicros: 7,
    faults,
  };
}

function row(id: RowId, ...rates: number[]): RowRounds {
  return { row: { id, label: id }, rounds: rates.map((rate) => round(rate)) };
}

/** Figures that keep every promise exactly or with the least to spare. */
function figures(change: Partial<BenchFigures> = {}): BenchFigures {
  return {
    rows: [
      row("a", 1000, 1000),
      row("b", 300, 300),
      row("c", 400, 400),
      row("d", 50, 50),
      row("e", 100, 100),
    ],
    halfRate: new Map([
      ["a", [round(500, 2)]],
      ["b", [round(150, 5)]],
    ]),
    autocannon: { exitStatus: 0, p95Ms: 49, requestsPerSecond: 100 },
    engine: [
      { rules: 10, policyUs: 2.9, decideUs: 5, renderUs: 1 },
      { rules: 100, policyUs: 4.9, decideUs: 9, renderUs: 1 },
    ],
    policyCheck: { rules: 100, checkMs: 4.9 },
    cachedKey: { keys: 1000, authenticateUs: 1.9 },
    journalBacklog: { batches: 3000, ratio: 2 },
    serviceStart: { freshMs: 4900, againMs: 1900, idleMegabytes: 299 },
    pricedEngine: { rules: 5000, v1Us: 4, v2Us: 5.2, ratio: 1.3 },
    ...change,
  };
}

function failures(change: Partial<BenchFigures>): string[] {
  return checkFloors(figures(change))
    .filter(({ passed }) => !passed)
    .map(({ line }) => line);
}

describe("bench figures", () => {
  it("take ratios within a round, then the median", () => {
    // The second round met a slow machine: both rows halved, and the ratio did not move.
    const ratio = ratioWithinRounds(
      [round(200), round(100), round(240)],
      [round(1000), round(500), round(1000)],
    );
    assert.deepEqual(ratio, { median: 0.2, min: 0.2, max: 0.24 });
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });

  it("are printed as a Markdown table of even columns", () => {
    assert.equal(
      markdownTable(["row", "n"], [["a", "1000"]]),
      ["| row |    n |", "|-----|-----:|", "| a   | 1000 |"].join("\n"),
    );
    const lines = throughputTable(figures().rows).split("\n");
    assert.equal(lines.length, 7);
    assert.equal(new Set(lines.map((line) => line.length)).size, 1);
    assert.match(lines[3] as string, /\(b\) b .* 300 \| 0\.300 \| 0\.300–0\.300/);
  });
});

describe("bench floors", () => {
  it("all hold for figures that keep every promise", () => {
    assert.deepEqual(failures({}), []);
    assert.equal(checkFloors(figures()).length, 16);
  });

  const rowsWith = (replacement: RowRounds): BenchFigures["rows"] =>
    figures().rows.map((entry) => (entry.row.id === replacement.row.id ? replacement : entry));
  const slowB = {
    row: { id: "b", label: "b" } as const,
    rounds: [{ ...round(300), p95Ms: FLOORS.p95BudgetMs }],
  };
  const faultyE = { row: { id: "e", label: "e" } as const, rounds: [round(100, 2, { "status 503": 4 })] };
  for (const [name, change, line] of [
    [
      "(b) under 0.20 of (a)",
      { rows: rowsWith(row("b", 199, 199)).filter(({ row: { id } }) => id !== "d") },
      /\(b\) ÷ \(a\).* 0\.199, at least 0\.2/,
    ],
    ["(b) under 6 times (d)", { rows: rowsWith(row("d", 51, 51)) }, /\(b\) ÷ \(d\) is 5\.882, at least 6/],
    ["(c) under 0.38 of (a)", { rows: rowsWith(row("c", 379, 379)) }, /\(c\) ÷ \(a\) is 0\.379/],
    ["SVC-7: p95 of 50 ms", { rows: rowsWith(slowB) }, /p95 of \(b\) at its highest rate is 50\.00 ms/],
    [
      "autocannon over the budget",
      { autocannon: { exitStatus: 1, p95Ms: 51, requestsPerSecond: 9 } },
      /autocannon is 51\.00 ms/,
    ],
    [
      "autocannon meeting other statuses",
      { autocannon: { exitStatus: 1, p95Ms: 5, requestsPerSecond: 9 } },
      /exit 1/,
    ],
    [
      "p99 at half rate over 2.5 times bare",
      {
        halfRate: new Map([
          ["a", [round(9, 2)]],
          ["b", [round(9, 5.2)]],
        ] as const),
      },
      /2\.60 times/,
    ],
    [
      "p99 at half rate of 10 ms",
      {
        halfRate: new Map([
          ["a", [round(9, 6)]],
          ["b", [round(9, 10)]],
        ] as const),
      },
      /10\.00 ms, under 10 ms/,
    ],
    [
      "policy work of 3 µs at 10 rules",
      { engine: [{ rules: 10, policyUs: 3, decideUs: 5, renderUs: 1 }] },
      /10 rules is 3\.00 µs/,
    ],
    [
      "a policy check of 5 ms",
      { policyCheck: { rules: 100, checkMs: 5 } },
      /100 rules takes 5\.00 ms, under 5 ms/,
    ],
    [
      "a cached key that takes 2 µs",
      { cachedKey: { keys: 1000, authenticateUs: 2 } },
      /1000 cached keys takes 2\.00 µs, under 2 µs/,
    ],
    [
      "a commit that takes over twice as long while the writer is behind",
      { journalBacklog: { batches: 3000, ratio: 2.01 } },
      /journal of 3000 batches takes 2\.01 times one into a short one, at most 2$/,
    ],
    [
      "a v2 decision of over 1.3 times a v1 one",
      { pricedEngine: { rules: 5000, v1Us: 4, v2Us: 5.24, ratio: 1.31 } },
      /5000 prices takes 1\.31 times/,
    ],
    [
      "a first start of 5 s",
      { serviceStart: { freshMs: 5000, againMs: 1900, idleMegabytes: 299 } },
      /^ready 5\.00 s after the start on an empty DATA_DIR, under 5 s$/,
    ],
    [
      "a later start of 2 s",
      { serviceStart: { freshMs: 4900, againMs: 2000, idleMegabytes: 299 } },
      /^ready 2\.00 s after a start on the same, under 2 s$/,
    ],
    [
      "300 MB of idle memory",
      { serviceStart: { freshMs: 4900, againMs: 1900, idleMegabytes: 300 } },
      /holds 300 MB without PostgreSQL, under 300 MB/,
    ],
    ["replies other than 200", { rows: rowsWith(faultyE) }, /\(e\) 4 requests without a 200: status 503/],
  ] satisfies Array<[string, Partial<BenchFigures>, RegExp]>) {
    it(`fail for ${name}, and only for that`, () => {
      const lines = failures(change);
      assert.equal(lines.length, 1, lines.join("\n"));
      assert.match(lines[0] as string, line);
    });
  }

  it("are left out where their rows did not run", () => {
    const partial = {
      rows: [row("a", 1000), row("d", 50)],
      halfRate: new Map(),
      autocannon: undefined,
      engine: [],
      policyCheck: undefined,
      cachedKey: undefined,
      journalBacklog: undefined,
      pricedEngine: undefined,
      serviceStart: undefined,
    };
    assert.deepEqual(checkFloors(partial), []);
  });
});
