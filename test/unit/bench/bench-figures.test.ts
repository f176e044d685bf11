import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { checkFloors, FLOORS, type BenchFigures } from "../../../bench/bench-floors.js";
import type { EnginePass } from "../../../bench/engine.js";
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

interface Engine {
  policyUs?: { 10: number; 100: number };
  checkMs?: number;
  authenticateUs?: number;
  learnUs?: number;
  /** How many times slower the host is. */
  slower?: number;
}

/** Makes a pass in which a decision with one rule takes 2 µs. */
function enginePass({
  policyUs = { 10: 0.8, 100: 2 },
  checkMs = 2,
  authenticateUs = 1,
  learnUs = 2.5,
  slower = 1,
}: Engine): EnginePass {
  return {
    rows: [
      { rules: 1, policyUs: 0.1 * slower, decideUs: 1.2 * slower, renderUs: 0.8 * slower },
      { rules: 10, policyUs: policyUs[10] * slower, decideUs: 5, renderUs: 1 },
      { rules: 100, policyUs: policyUs[100] * slower, decideUs: 9, renderUs: 1 },
    ],
    policyCheck: { rules: 100, checkMs: checkMs * slower },
    cachedKey: { keys: 1000, authenticateUs: authenticateUs * slower },
    learning: { places: 600, learnUs: learnUs * slower },
  };
}

/** Figures that keep every promise exactly or with the smallest margin. */
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
    engine: [enginePass({})],
    journalBacklog: { batches: 3000, ratio: 2 },
    serviceStart: { freshMs: 6000, againMs: [2000, 2000], bareMs: [80, 80], idleMegabytes: 299 },
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

describe("BENCHMARKS.md, where the bench wrote its last output", () => {
  it("SVC-7: p95 of a decision inside the server, by both generators, and no floor was missed", () => {
    const text = readFileSync(new URL("../../../../BENCHMARKS.md", import.meta.url), "utf8");
    const floors = text.split("\n").filter((line) => /^- (?:ok|FAIL)\b/.test(line));
    assert.ok(floors.length > 10, String(floors.length));
    for (const line of floors) assert.match(line, /^- ok /);
    const p95s = Array.from(text.matchAll(/^- ok +p95 of \(b\) .* is (\d+\.\d\d) ms/gm), ([, ms]) =>
      Number(ms),
    );
    assert.equal(p95s.length, 2);
    for (const p95Ms of p95s) assert.ok(p95Ms < FLOORS.p95BudgetMs, String(p95Ms));
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
    ["p95 of 50 ms", { rows: rowsWith(slowB) }, /p95 of \(b\) at its highest rate is 50\.00 ms/],
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
      "policy work of half a decision at 10 rules",
      { engine: [enginePass({ policyUs: { 10: 1, 100: 2 } })] },
      /10 rules takes 0\.50 times a decision with one rule, at most 0\.4$/,
    ],
    [
      "policy work that grows with the rules, as without their index",
      { engine: [enginePass({ policyUs: { 10: 0.8, 100: 4.8 } })] },
      /100 rules takes 2\.40 times a decision with one rule, at most 1$/,
    ],
    [
      "a policy check of over 1000 decisions",
      { engine: [enginePass({ checkMs: 2.01 })] },
      /100 rules takes 1005\.00 times a decision with one rule, at most 1000$/,
    ],
    [
      "a cached key that takes over half a decision",
      { engine: [enginePass({ authenticateUs: 1.1 })] },
      /1000 cached keys takes 0\.55 times a decision with one rule, at most 0\.5$/,
    ],
    [
      "an outcome whose learning takes over one and a quarter decisions",
      { engine: [enginePass({ learnUs: 2.6 })] },
      /one of 600 places takes 1\.30 times a decision with one rule, at most 1\.25$/,
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
      "a first start of over three later ones",
      { serviceStart: { freshMs: 6100, againMs: [2000, 2000], bareMs: [80, 80], idleMegabytes: 299 } },
      /^ready on an empty DATA_DIR after 6\.10 s, which is 3\.05 times a start on the same, at most 3$/,
    ],
    [
      "a later start of over 25 bare ones",
      { serviceStart: { freshMs: 5000, againMs: [2080, 2080], bareMs: [80, 80], idleMegabytes: 299 } },
      /^ready on the same after 2\.08 s, which is 26\.00 times the start of \(a\), at most 25$/,
    ],
    [
      "300 MB of idle memory",
      { serviceStart: { freshMs: 6000, againMs: [2000, 2000], bareMs: [80, 80], idleMegabytes: 300 } },
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

  it("hold on a host of any speed", () => {
    const slower = 4;
    const slow = {
      rows: figures().rows.map(({ row: of, rounds }) => ({
        row: of,
        rounds: rounds.map((one) => ({ ...one, requestsPerSecond: one.requestsPerSecond / slower })),
      })),
      halfRate: new Map([
        ["a", [round(125, 2 * slower)]],
        ["b", [round(40, 5 * slower)]],
      ] as const),
      // The host is not only slow, its speed also changes between the passes.
      engine: [enginePass({ slower }), enginePass({}), enginePass({ slower: 2 })],
      serviceStart: {
        freshMs: 24_000,
        againMs: [8000, 12_000, 8000],
        bareMs: [320, 480, 320],
        idleMegabytes: 299,
      },
    };
    assert.deepEqual(failures(slow), []);
  });

  it("fail where a figure is missing from a round or a pass", () => {
    const { rows, ...rest } = enginePass({});
    const lines = failures({
      halfRate: new Map([
        ["a", []],
        ["b", [round(9, 5)]],
      ] as const),
      engine: [{ ...rest, rows: rows.slice(1) }],
    });
    assert.equal(lines.length, 6);
  });

  it("are left out where their rows did not run", () => {
    const partial = {
      rows: [row("a", 1000), row("d", 50)],
      halfRate: new Map(),
      autocannon: undefined,
      engine: [],
      journalBacklog: undefined,
      pricedEngine: undefined,
      serviceStart: undefined,
    };
    assert.deepEqual(checkFloors(partial), []);
  });
});
