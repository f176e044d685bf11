import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { loadUsage } from "../../../src/features/usage/queries.js";
import { createAnalyticsSummary } from "../../../src/features/analytics/service.js";
import type { CostComparison } from "../../../src/domain/pricing/cost-comparison.js";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { RANGES, type Range } from "../../../src/domain/vocabulary/range.js";
import { formatMonth, monthOf } from "../../../src/domain/vocabulary/month.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  type Mode,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { decisionRow, decisionRows, newId, type TextRow } from "../../support/rows/decision-rows.js";
import { ofRange } from "../../support/rows/analytics-queries.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.now();
const AGES_MS = [
  0,
  1,
  HOUR_MS,
  23 * HOUR_MS,
  25 * HOUR_MS,
  2 * DAY_MS,
  6 * DAY_MS,
  8 * DAY_MS,
  31 * DAY_MS,
  89 * DAY_MS,
  92 * DAY_MS,
  400 * DAY_MS,
  // LOG-5: the first moment of a range, the last moment before it, and other moments of the same hour and day.
  ...[DAY_MS, 7 * DAY_MS, 90 * DAY_MS].flatMap((range) =>
    [-5 * HOUR_MS, -HOUR_MS / 2, -1, 0, 1, HOUR_MS / 2].map((beside) => range + beside),
  ),
];

const position = (list: readonly unknown[]): fc.Arbitrary<number> => fc.nat({ max: list.length - 1 });
const decision = fc.record({
  ageMs: fc.constantFrom(...AGES_MS),
  mode: position(MODES),
  decisionMode: position(DECISION_MODES),
  action: position(ACTIONS),
  merchantId: fc.constantFrom("merchant_a", "merchant_b"),
  primaryProvider: fc.option(fc.constantFrom("provider_1", "provider_2"), { freq: 5 }),
  latencyUnits: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100_000 })),
  currency: fc.constantFrom("USD", "NGN"),
  cost: fc.option(
    fc
      .record({
        costMinor: fc.integer({ min: 0, max: 5000 }),
        dearerMinor: fc.integer({ min: 0, max: 900 }),
        firstMinor: fc.option(fc.integer({ min: 0, max: 6000 })),
      })
      .map(({ costMinor, dearerMinor, firstMinor }) => ({
        costMinor,
        dearestMinor: costMinor + dearerMinor,
        firstMinor,
      })),
  ),
  failed: fc.option(
    fc.record({
      failedProvider: fc.constantFrom("provider_1", "provider_2"),
      failedOutcome: fc.constantFrom(1, 2, 3, 4),
    }),
  ),
});
const batch = fc.record({
  decisions: fc.array(decision, { maxLength: 12 }),
  reports: fc.array(
    fc.record({
      target: fc.nat(),
      outcome: position(OUTCOMES),
      providerUsed: fc.constantFrom("provider_1", "provider_2", "provider_3"),
    }),
    { maxLength: 8 },
  ),
});

interface Known {
  row: TextRow;
  outcome: number | null;
  providerUsed: string | null;
  cost: CostComparison | null;
  failed: { failedProvider: string; failedOutcome: number } | null;
}

/** Writes the batches as a node's writer does, and folds now and then. Resolves to all written records. */
async function play(
  workspaceId: string,
  batches: readonly (typeof batch extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<Known[]> {
  const known: Known[] = [];
  const writer = createDecisionWriter(database.pool, {
    nodeId: newId("ws"),
    foldLimits: { deltas: 6, decisions: 20 },
  });
  for (const [at, { decisions, reports }] of batches.entries()) {
    const made = decisions.map(({ ageMs, latencyUnits, cost, failed, ...columns }): Known => {
      const latencyMs = latencyUnits / 100;
      const row = decisionRow({ ...columns, workspaceId, latencyMs }, NOW_MS - ageMs);
      return { row, outcome: null, providerUsed: null, cost, failed };
    });
    known.push(...made);
    const outcomes = reports.flatMap(({ target, outcome, providerUsed }, order): OutcomeRow[] => {
      const reported = known[target % Math.max(1, known.length)];
      if (reported === undefined) return [];
      reported.outcome = outcome;
      reported.providerUsed = providerUsed;
      const { decisionId, mode, orderId } = reported.row;
      return [
        {
          workspaceId,
          decisionId,
          mode,
          orderId,
          outcome,
          technicalFailureType: null,
          providerUsed,
          providerLatencyMs: 120,
          providerReasonCode: null,
          amountMinor: 1250,
          currency: "USD",
          reportedAtMs: NOW_MS + at * 100 + order,
          createdAtMs: null,
          merchantScope: null,
        },
      ];
    });
    const written = {
      decisions: made.map(({ row }) => row),
      outcomes,
      costs: made.flatMap(({ row, cost }) => (cost === null ? [] : [{ ...row, ...cost }])),
      retries: made.flatMap(({ row: { decisionId, mode }, failed }) =>
        failed === null ? [] : [{ workspaceId, decisionId, mode, ...failed }],
      ),
    };
    assert.equal(await writer.write(written, at + 1), "written");
  }
  return known;
}

const tally = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};
const over = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const createdAt = ({ row }: Pick<Known, "row">): string => new Date(idTimeMs(row.decisionId)).toISOString();

/**
 * Returns the first moment of a range. `stepChars` is the length of the timestamp prefix that distinguishes the steps
 * of its series.
 */
function windowOf(range: Range): { since: string | null; stepChars: number } {
  if (range === "all") return { since: null, stepChars: 7 };
  const days = range === "24h" ? 1 : Number.parseInt(range, 10);
  return { since: new Date(NOW_MS - days * DAY_MS).toISOString(), stepChars: range === "24h" ? 13 : 10 };
}

function figuresOf(all: readonly Known[]): Record<string, unknown> {
  const latencies = all.map(({ row }) => row.latencyMs).toSorted((a, b) => a - b);
  const nearestRank = (share: number): number | null =>
    latencies[Math.ceil(share * latencies.length) - 1] ?? null;
  const outcomes = all.flatMap(({ outcome }) => (outcome === null ? [] : [OUTCOMES[outcome] as string]));
  const approved = outcomes.filter((outcome) => outcome === "approved").length;
  return {
    total: all.length,
    by_action: tally(all.map(({ row }) => ACTIONS[row.action] as string)),
    by_provider: tally(
      all.flatMap(({ row }) => (row.primaryProvider === null ? [] : [String(row.primaryProvider)])),
    ),
    outcome_counts: tally(outcomes),
    with_outcome: outcomes.length,
    approved,
    approval_rate: over(approved, outcomes.length),
    feedback_rate: over(outcomes.length, all.length),
    p50_latency_ms: nearestRank(0.5),
    p95_latency_ms: nearestRank(0.95),
    p99_latency_ms: nearestRank(0.99),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Groups items by name. The names are sorted. */
function grouped<T>(all: readonly T[], nameOf: (one: T) => string): [string, T[]][] {
  const names = [...new Set(all.map(nameOf))].toSorted();
  return names.map((name) => [name, all.filter((one) => nameOf(one) === name)]);
}

function costsOf(all: readonly Known[]): Record<string, unknown>[] {
  const priced = all.flatMap(({ row, cost }) => (cost === null ? [] : [{ row, cost }]));
  return grouped(priced, ({ row }) => `${String(row.currency)} ${row.decisionMode}`).map(([name, group]) => {
    const first = group.flatMap(({ cost: { costMinor, firstMinor } }) =>
      firstMinor === null ? [] : [firstMinor - costMinor],
    );
    return {
      currency: name.slice(0, 3),
      decision_mode: DECISION_MODES[Number(name.slice(4))],
      decisions: group.length,
      estimated_cost_minor: sum(group.map(({ cost }) => cost.costMinor)),
      saving_vs_most_expensive_minor: sum(group.map(({ cost }) => cost.dearestMinor - cost.costMinor)),
      first_offered_decisions: first.length,
      saving_vs_first_offered_minor: sum(first),
    };
  });
}

function recoveryOf(all: readonly Known[]): Record<string, unknown> {
  const reported = all.filter(({ outcome }) => outcome !== null);
  const recovered = reported.filter(({ outcome }) => OUTCOMES[outcome ?? -1] === "approved").length;
  return {
    with_outcome: reported.length,
    recovered,
    recovery_rate: over(recovered, reported.length),
  };
}

const CLASSES = ["none", "soft_decline", "hard_decline", "technical", "timeout"];

function retriesOf(all: readonly Known[]): Record<string, unknown>[] {
  const retried = all.filter(({ failed }) => failed !== null);
  const nameOf = ({ failed }: Known): string => `${failed?.failedProvider} ${failed?.failedOutcome}`;
  return grouped(retried, nameOf).map(([name, group]) => {
    const [provider, outcome] = name.split(" ");
    return {
      provider,
      failure_class: CLASSES[Number(outcome)],
      decisions: group.length,
      ...recoveryOf(group),
      same_provider: recoveryOf(group.filter(({ providerUsed }) => providerUsed === provider)),
      other_provider: recoveryOf(group.filter(({ providerUsed }) => providerUsed !== provider)),
    };
  });
}

async function assertSummary(
  workspaceId: string,
  mode: Mode,
  range: Range,
  known: readonly Known[],
): Promise<void> {
  const summary = await createAnalyticsSummary(tenantsOf(database.pool), () => NOW_MS)(
    workspaceId,
    mode,
    ofRange(range),
  );
  const { since, stepChars } = windowOf(range);
  const all = known.filter((one) => MODES[one.row.mode] === mode && createdAt(one) >= (since ?? ""));
  const { series, series_interval, generated_at, avg_latency_ms, ...figures } = summary;
  const counts = <T extends { count: number }>(list: readonly T[], name: keyof T): Record<string, number> =>
    Object.fromEntries(list.map((entry) => [entry[name], entry.count]));
  assert.deepEqual(
    {
      ...figures,
      by_action: counts(figures.by_action, "action"),
      by_provider: counts(figures.by_provider, "provider"),
      outcome_counts: counts(figures.outcome_counts, "outcome"),
    },
    {
      range,
      mode,
      since,
      ...figuresOf(all),
      cost: { since, by_currency: costsOf(all) },
      retries: { since, by_failure: retriesOf(all) },
    },
  );
  assert.equal(generated_at, new Date(NOW_MS).toISOString());
  const meanMs = over(
    all.reduce((sum, { row }) => sum + row.latencyMs, 0),
    all.length,
  );
  assert.ok(Math.abs((avg_latency_ms ?? 0) - (meanMs ?? 0)) < 1e-6);
  assert.equal(series_interval, { 7: "month", 10: "day", 13: "hour" }[stepChars]);
  if (range === "24h") assert.equal(series.length, 25);
  else if (range !== "all") assert.equal(series.length, Number.parseInt(range, 10) + 1);
  const steps = series.map(({ start }) => start.slice(0, stepChars));
  assert.deepEqual(steps, steps.toSorted());
  const stepMs = { hour: HOUR_MS, day: DAY_MS, month: null }[series_interval];
  if (since !== null && stepMs !== null) {
    assert.ok(series.every(({ start }) => Date.parse(start) % stepMs === 0));
    assert.equal(Date.parse(series[0]?.start ?? ""), Math.floor(Date.parse(since) / stepMs) * stepMs);
  }
  assert.equal(steps.at(-1), new Date(NOW_MS).toISOString().slice(0, stepChars));
  for (const { start, total, with_outcome, approved, approval_rate } of series) {
    const within = all.filter((one) => createdAt(one).slice(0, stepChars) === start.slice(0, stepChars));
    const expected = figuresOf(within);
    assert.deepEqual(
      { total, with_outcome, approved, approval_rate },
      {
        total: expected["total"],
        with_outcome: expected["with_outcome"],
        approved: expected["approved"],
        approval_rate: expected["approval_rate"],
      },
    );
  }
  assert.equal(
    series.reduce((sum, { total }) => sum + total, 0),
    all.length,
  );
}

async function assertUsage(
  workspaceId: string,
  months: [from: number, to: number],
  known: readonly Known[],
): Promise<void> {
  const usage = await loadUsage(tenantsOf(database.pool).of(workspaceId), workspaceId, {
    from: months[0],
    to: months[1],
  });
  assert.ok(usage !== "too_many");
  const [first, last] = months.map(formatMonth) as [string, string];
  const within = known.filter(
    (one) => createdAt(one).slice(0, 7) >= first && createdAt(one).slice(0, 7) <= last,
  );
  const key = ({ row }: Pick<Known, "row">): string =>
    [createdAt({ row }).slice(0, 7), MODES[row.mode], row.merchantId].join(" ");
  const ofMode = (mode: string): Record<string, number> =>
    tally(within.filter(({ row }) => DECISION_MODES[row.decisionMode] === mode).map(key));
  const [enforced, shadow] = [ofMode("enforce"), ofMode("shadow")];
  assert.deepEqual(
    usage.map((row) => [
      [formatMonth(row.month), row.mode, row.merchantId].join(" "),
      row.enforced,
      row.shadow,
    ]),
    [...new Set(within.map(key))]
      // Test comes before live, as in the list of modes.
      .toSorted((a, b) => (a.replace("test", "a") < b.replace("test", "a") ? -1 : 1))
      .map((name) => [name, enforced[name] ?? 0, shadow[name] ?? 0]),
  );
}

describe("analytics and usage equal a plain recomputation", () => {
  it("ANA-1, ANA-2, ANA-4, LOG-5: they agree after any batches of decisions, outcomes and re-reports, folded or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6 }), async (batches) => {
        const workspaceId = newId("ws");
        const known = await play(workspaceId, batches);
        for (const mode of MODES) {
          for (const range of RANGES) await assertSummary(workspaceId, mode, range, known);
        }
        const month = monthOf(NOW_MS);
        await assertUsage(workspaceId, [month - 23, month], known);
        await assertUsage(workspaceId, [month - 3, month - 1], known);
      }),
      { numRuns: 25 },
    );
  });

  it("says since when costs and retries are counted, if decisions are older than that", async () => {
    const began = new Date(NOW_MS - 10 * DAY_MS);
    await database.pool.query("update rollup_beginnings set began_at = $1", [began]);
    const summarize = createAnalyticsSummary(tenantsOf(database.pool), () => NOW_MS);
    for (const range of RANGES) {
      const { since, cost, retries } = await summarize(newId("ws"), "live", ofRange(range));
      const expected = range === "24h" || range === "7d" ? since : began.toISOString();
      assert.deepEqual([cost?.since, retries?.since], [expected, expected], range);
    }
    await database.pool.query("update rollup_beginnings set began_at = null");
  });

  it("while a node writes and folds, no read sees half of a batch or counts a decision twice", async () => {
    const workspaceId = newId("ws");
    const writer = createDecisionWriter(database.pool, {
      nodeId: newId("ws"),
      foldLimits: { deltas: 1, decisions: 1 },
    });
    const month = monthOf(NOW_MS);
    let writing = true;
    const written = (async () => {
      try {
        for (let at = 1; at <= 30; at++) {
          const decisions = decisionRows(7, { workspaceId }).map((row) => ({
            ...row,
            decisionId: newId("dec", NOW_MS),
          }));
          await writer.write({ decisions, outcomes: [] }, at);
        }
      } finally {
        writing = false;
      }
    })();
    // The error is reported where `written` is awaited, even if a read fails first.
    written.catch(() => undefined);
    let last = 0;
    while (writing) {
      const usage = await loadUsage(tenantsOf(database.pool).of(workspaceId), workspaceId, {
        from: month,
        to: month,
      });
      assert.ok(usage !== "too_many");
      const count = usage[0]?.enforced ?? 0;
      assert.ok(count % 7 === 0 && count >= last, `${last} → ${count}`);
      last = count;
    }
    await written;
    const [row] = (await loadUsage(tenantsOf(database.pool).of(workspaceId), workspaceId, {
      from: month,
      to: month,
    })) as {
      enforced: number;
    }[];
    assert.equal(row?.enforced, 210);
  });
});
