import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import type { AnalyticsQuery } from "../../../src/features/analytics/analytics-query.js";
import { createAnalyticsSummary } from "../../../src/features/analytics/service.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { FACET_COLUMNS, type FacetColumn } from "../../../src/domain/vocabulary/facets.js";
import type { AnalyticsSummary } from "../../../src/features/analytics/wire/summary-response-schema.js";
import { resolveReviews } from "../../../src/features/reviews/queries.js";
import { EVERY_DECISION, type DecisionFilter } from "../../../src/domain/vocabulary/decision-scope.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  type Mode,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { createTenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { decisionRow, newId, type TextRow } from "../../support/rows/decision-rows.js";
import { ofRange } from "../../support/rows/analytics-queries.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The time is in the middle of an hour, a day and a month, so that intervals cut all three. */
const NOW_MS = Date.UTC(2026, 10, 17, 13, 25);
const AGES_MS = [
  0,
  MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  5 * HOUR_MS,
  DAY_MS - 1,
  DAY_MS,
  DAY_MS + 10 * MINUTE_MS,
  3 * DAY_MS,
  7 * DAY_MS,
  13 * DAY_MS,
  20 * DAY_MS,
  40 * DAY_MS,
  61 * DAY_MS,
  90 * DAY_MS,
];

const position = (list: readonly unknown[]): fc.Arbitrary<number> => fc.nat({ max: list.length - 1 });
const decision = fc.record({
  ageMs: fc.constantFrom(...AGES_MS),
  mode: fc.oneof({ weight: 4, arbitrary: fc.constant(MODES.indexOf("live")) }, position(MODES)),
  decisionMode: position(DECISION_MODES),
  action: fc.oneof(fc.constant(ACTIONS.indexOf("hold")), position(ACTIONS)),
  merchantId: fc.constantFrom("merchant_a", "merchant_b"),
  currency: fc.constantFrom("USD", "NGN"),
  country: fc.constantFrom("US", "NG"),
  paymentMethod: position(PAYMENT_METHODS.slice(0, 2)),
  cardNetwork: fc.option(position(CARD_NETWORKS.slice(0, 2)), { freq: 3 }),
  primaryProvider: fc.option(fc.constantFrom("provider_1", "provider_2"), { freq: 4 }),
});
const batch = fc.record({
  decisions: fc.array(decision, { maxLength: 15 }),
  reports: fc.array(fc.record({ target: fc.nat(), outcome: position(OUTCOMES) }), { maxLength: 12 }),
  reviews: fc.array(fc.record({ target: fc.nat(), resolution: fc.constantFrom("approve", "reject") }), {
    maxLength: 3,
  }),
  ofOther: fc.boolean(),
});

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary });
const filter: fc.Arbitrary<DecisionFilter> = fc
  .record({
    merchantId: seldom(fc.constantFrom("merchant_a", "merchant_c")),
    currency: seldom(fc.constantFrom("USD", "NGN", "JPY")),
    country: seldom(fc.constantFrom("US", "NG")),
    paymentMethod: seldom(fc.constantFrom(...PAYMENT_METHODS.slice(0, 2))),
    cardNetwork: seldom(fc.constantFrom(...CARD_NETWORKS.slice(0, 2), "" as const)),
    provider: seldom(fc.constantFrom("provider_1", "provider_2", "")),
  })
  .map((facet) => ({ ...EVERY_DECISION, ...facet }));
const moment = fc.constantFrom(...AGES_MS.flatMap((ageMs) => [NOW_MS - ageMs, NOW_MS - ageMs + 1]));
const query: fc.Arbitrary<AnalyticsQuery> = fc
  .record({
    range: fc.constantFrom("24h", "7d", "30d", "90d", "all"),
    interval: seldom(fc.record({ sinceMs: fc.option(moment), untilMs: fc.option(moment) })),
    filter,
    hasGroupSeries: fc.boolean(),
    timeZone: fc.constantFrom(null, "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"),
    groupBy: fc.subarray<FacetColumn>([...FACET_COLUMNS], { minLength: 1, maxLength: 2 }),
  })
  .map((asked) => {
    const { sinceMs, untilMs } = asked.interval ?? { sinceMs: null, untilMs: null };
    const isEmpty = sinceMs !== null && untilMs !== null && untilMs <= sinceMs;
    return isEmpty ? { ...asked, interval: { sinceMs, untilMs: sinceMs + 1 } } : asked;
  });

/** One decision, as PostgreSQL has stored it. */
interface StoredRow {
  time_ms: number;
  merchant_id: string;
  currency: string;
  country: string;
  payment_method: number;
  card_network: number | null;
  provider: string | null;
  action: number;
  outcome: number | null;
}

/** Loads every row of the workspace, so that the test can count by brute force. */
async function rowsOf(workspaceId: string, mode: Mode): Promise<StoredRow[]> {
  const { rows } = await database.pool.query<StoredRow & { time_ms: string }>(
    `select ('x' || substr(replace(d.decision_id::text, '-', ''), 1, 12))::bit(48)::bigint as time_ms, d.merchant_id,
       d.currency, d.country, d.payment_method, d.card_network, d.primary_provider as provider, d.action, o.outcome
     from decisions d left join outcomes o using (workspace_id, mode, decision_id)
     where d.workspace_id = $1 and d.mode = $2`,
    [idToHex(workspaceId), MODES.indexOf(mode)],
  );
  return rows.map((row) => ({ ...row, time_ms: Number(row.time_ms) }));
}

function valueOf(row: StoredRow, column: FacetColumn): string | null {
  if (column === "payment_method") return PAYMENT_METHODS[row.payment_method] ?? null;
  if (column === "card_network")
    return row.card_network === null ? null : (CARD_NETWORKS[row.card_network] ?? null);
  return row[column];
}

function passes(row: StoredRow, wanted: DecisionFilter): boolean {
  const pairs: [string | null, FacetColumn][] = [
    [wanted.merchantId, "merchant_id"],
    [wanted.currency, "currency"],
    [wanted.country, "country"],
    [wanted.paymentMethod, "payment_method"],
    [wanted.cardNetwork, "card_network"],
    [wanted.provider, "provider"],
  ];
  return pairs.every(([value, column]) => value === null || value === (valueOf(row, column) ?? ""));
}

function countsOf(rows: readonly StoredRow[]) {
  const withOutcome = rows.filter(({ outcome }) => outcome !== null).length;
  const approved = rows.filter(({ outcome }) => outcome === OUTCOMES.indexOf("approved")).length;
  return {
    decisions: rows.length,
    with_outcome: withOutcome,
    approved,
    approval_rate: withOutcome === 0 ? null : approved / withOutcome,
  };
}

type Counts = ReturnType<typeof countsOf>;
type Compared = NonNullable<AnalyticsSummary["comparison"]>;

function assertCompared(found: Compared, now: Counts, earlier: Counts | null): void {
  assert.deepEqual(found.before, earlier);
  if (earlier === null || now.approval_rate === null || earlier.approval_rate === null) {
    assert.deepEqual([found.difference, found.lost_approvals], [null, null]);
    return;
  }
  const points = 100 * (now.approval_rate - earlier.approval_rate);
  assert.ok(found.difference !== null && found.lost_approvals !== null);
  assert.ok(Math.abs(found.difference.points - points) < 1e-9);
  assert.ok(found.difference.low <= points + 1e-9 && points <= found.difference.high + 1e-9);
  const lost = now.with_outcome * (earlier.approval_rate - now.approval_rate);
  assert.ok(Math.abs(found.lost_approvals - lost) < 1e-9);
}

/** ANA-13: checks the steps of a group against a brute-force count. Null means that no series was requested. */
function assertGroupSeries(
  { series, group_steps: steps }: AnalyticsSummary,
  group: NonNullable<AnalyticsSummary["groups"]>[number],
  rows: readonly StoredRow[] | null,
): void {
  if (rows === null) return assert.deepEqual([steps, group.series], [undefined, undefined]);
  const starts = series.slice(-LIMITS.analyticsGroupStepsMax).map(({ start }) => start);
  assert.deepEqual(steps, starts);
  const counted = starts.map((start, at) => {
    const next = starts[at + 1];
    const inStep = rows.filter(
      ({ time_ms }) => time_ms >= Date.parse(start) && (next === undefined || time_ms < Date.parse(next)),
    );
    const { with_outcome, approved } = countsOf(inStep);
    return { with_outcome, approved };
  });
  assert.deepEqual(group.series, counted);
}

/**
 * ANA-14: checks that each step begins with the first UTC hour that has the step's day or month on a clock of the
 * zone.
 */
function assertStarts({ series, series_interval: level, time_zone }: AnalyticsSummary, zone: string): void {
  assert.equal(time_zone ?? "UTC", zone);
  if (level === "hour") return;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  const nameOf = (atMs: number): string => format.format(atMs).slice(0, level === "day" ? 10 : 7);
  for (const { start } of series) {
    assert.notEqual(nameOf(Date.parse(start) - HOUR_MS), nameOf(Date.parse(start)), start);
  }
  const names = series.map(({ start }) => nameOf(Date.parse(start)));
  assert.equal(new Set(names).size, names.length);
}

const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;

async function assertSummary(workspaceId: string, mode: Mode, asked: AnalyticsQuery): Promise<void> {
  const summary = await createAnalyticsSummary(tenantsOf(database.pool), () => NOW_MS)(
    workspaceId,
    mode,
    asked,
  );
  const sinceOfRange = asked.range === "all" ? null : NOW_MS - RANGE_DAYS[asked.range] * DAY_MS;
  const { sinceMs, untilMs } = asked.interval ?? { sinceMs: sinceOfRange, untilMs: null };
  const selected = (await rowsOf(workspaceId, mode)).filter((row) => passes(row, asked.filter));
  const within = (from: number | null, to: number | null): StoredRow[] =>
    selected.filter(({ time_ms }) => (from === null || time_ms >= from) && (to === null || time_ms < to));
  const now = within(sinceMs, untilMs);
  const lengthMs = sinceMs === null ? 0 : Math.min(untilMs ?? NOW_MS, NOW_MS) - sinceMs;
  const earlier = sinceMs === null || lengthMs <= 0 ? null : within(sinceMs - lengthMs, sinceMs);

  const { decisions: total, ...rates } = countsOf(now);
  const { with_outcome, approved, approval_rate } = summary;
  assert.deepEqual({ total: summary.total, with_outcome, approved, approval_rate }, { total, ...rates });
  assert.deepEqual(
    Object.fromEntries(summary.by_action.map(({ action, count }) => [action, count])),
    tally(now.map(({ action }) => ACTIONS[action] as string)),
  );
  assert.deepEqual(
    Object.fromEntries(summary.by_provider.map(({ provider, count }) => [provider, count])),
    tally(now.flatMap(({ provider }) => (provider === null ? [] : [provider]))),
  );
  assert.deepEqual(
    Object.fromEntries(summary.outcome_counts.map(({ outcome, count }) => [outcome, count])),
    tally(now.flatMap(({ outcome }) => (outcome === null ? [] : [OUTCOMES[outcome] as string]))),
  );
  assert.equal(
    summary.series.reduce((sum, step) => sum + step.total, 0),
    total,
  );
  assertStarts(summary, asked.timeZone ?? "UTC");
  for (const [at, step] of summary.series.entries()) {
    const start = Date.parse(step.start);
    const next = summary.series[at + 1];
    const inStep = now.filter(
      ({ time_ms }) => time_ms >= start && (next === undefined || time_ms < Date.parse(next.start)),
    );
    const { decisions, ...stepRates } = countsOf(inStep);
    assert.deepEqual(step, { start: step.start, total: decisions, ...stepRates });
  }

  assertCompared(summary.comparison as Compared, countsOf(now), earlier === null ? null : countsOf(earlier));
  const keyOf = (row: StoredRow): string =>
    JSON.stringify(asked.groupBy.map((column) => [column, valueOf(row, column)]));
  const keys = new Set([...now, ...(earlier ?? [])].map(keyOf));
  const groups = summary.groups ?? [];
  assert.deepEqual(
    groups.map(({ key }) => JSON.stringify(Object.entries(key))).toSorted((a, b) => (a < b ? -1 : 1)),
    [...keys].toSorted((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(summary.groups_total, keys.size);
  for (const group of groups) {
    const isOf = (row: StoredRow): boolean => keyOf(row) === JSON.stringify(Object.entries(group.key));
    const { decisions, with_outcome: reported, approved: agreed, approval_rate: share } = group;
    const counts = countsOf(now.filter(isOf));
    assert.deepEqual({ decisions, with_outcome: reported, approved: agreed, approval_rate: share }, counts);
    assertCompared(group, counts, earlier === null ? null : countsOf(earlier.filter(isOf)));
    assertGroupSeries(summary, group, asked.hasGroupSeries ? now.filter(isOf) : null);
  }
  const lost = groups.map((group) => group.lost_approvals ?? Number.NEGATIVE_INFINITY);
  assert.deepEqual(
    lost,
    lost.toSorted((a, b) => b - a || 0),
  );
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function outcomeOf(
  { workspaceId, decisionId, mode, orderId }: TextRow,
  outcome: number,
  at: number,
): OutcomeRow {
  return {
    workspaceId,
    decisionId,
    mode,
    orderId,
    outcome,
    technicalFailureType: null,
    providerUsed: "provider_3",
    providerLatencyMs: 120,
    providerReasonCode: null,
    amountMinor: 1250,
    // An outcome may report another currency than its decision. The decision's currency counts.
    currency: "KES",
    reportedAtMs: NOW_MS + at,
    createdAtMs: null,
    merchantScope: null,
  };
}

async function play(
  batches: readonly (typeof batch extends fc.Arbitrary<infer T> ? T : never)[],
  [own, other]: readonly [string, string],
): Promise<void> {
  // The workspaces must exist, because reviews add to their audit logs.
  await database.pool.query(
    "insert into workspaces (workspace_id, name) select id, 'Shop' from unnest($1::uuid[]) as w (id)",
    [[own, other].map(idToHex)],
  );
  const writer = createDecisionWriter(database.pool, {
    nodeId: newId("ws"),
    foldLimits: { deltas: 5, decisions: 25 },
  });
  const made: TextRow[] = [];
  let written = 0;
  for (const { decisions, reports, reviews, ofOther } of batches) {
    const rows = decisions.map(({ ageMs, ...columns }) =>
      decisionRow({ ...columns, workspaceId: ofOther ? other : own, fallbackProvider: null }, NOW_MS - ageMs),
    );
    made.push(...rows);
    const targetOf = (target: number): TextRow | undefined => made[target % Math.max(1, made.length)];
    const outcomes = reports.flatMap(({ target, outcome }) => {
      const row = targetOf(target);
      return row === undefined ? [] : [outcomeOf(row, outcome, written)];
    });
    assert.equal(await writer.write({ decisions: rows, outcomes }, ++written), "written");
    for (const { target, resolution } of reviews) {
      const row = targetOf(target);
      if (row === undefined) continue;
      const review = {
        workspaceId: row.workspaceId,
        mode: MODES[row.mode] as Mode,
        decisionIds: [row.decisionId],
        resolution,
        note: null,
        resolvedBy: "usr_01jd3vwz6c9k2m4n6p8r0s2t4v",
        nowMs: NOW_MS,
      };
      const tenant = tenantsOf(database.pool).of(row.workspaceId);
      await resolveReviews(tenant, review, () => newId("aud").slice("aud_".length));
    }
  }
}

/** The columns of decisions that differ only in their time. */
const MADE = {
  mode: MODES.indexOf("live"),
  decisionMode: 0,
  action: 0,
  merchantId: "merchant_a",
  currency: "USD",
  country: "US",
  paymentMethod: 0,
  cardNetwork: null,
  primaryProvider: "provider_1",
} as const;

describe("a summary by facets equals a count of every row", () => {
  it("ANA-5, ANA-6, ANA-7, ANA-13, TEN-1: with any filter, interval and groups, after any decisions, outcomes, re-reports, reviews and folds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 6 }),
        fc.array(query, { minLength: 4, maxLength: 8 }),
        async (batches, queries) => {
          const workspaces = [newId("ws"), newId("ws")] as const;
          await play(batches, workspaces);
          for (const asked of queries) {
            for (const mode of MODES) await assertSummary(workspaces[0], mode, asked);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("LOG-21: counting everything again changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 5 }),
        fc.array(query, { minLength: 2, maxLength: 4 }),
        async (batches, queries) => {
          const workspaces = [newId("ws"), newId("ws")] as const;
          await play(batches, workspaces);
          await database.pool.query("select recount_facets()");
          for (const asked of queries) await assertSummary(workspaces[0], "live", asked);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("ANA-1, ANA-6, RET-4: a range that begins at the retention limit counts no hidden decision", async () => {
    const workspaces = [newId("ws"), newId("ws")] as const;
    const decisions = [-20, -1, 0, 1, 50].map((minutes) => ({
      ...MADE,
      ageMs: 30 * DAY_MS - minutes * MINUTE_MS,
    }));
    await play([{ decisions, reports: [], reviews: [], ofOther: false }], workspaces);
    await database.pool.query("update workspaces set created_at = $1 where workspace_id = $2", [
      new Date(NOW_MS - 100 * DAY_MS),
      idToHex(workspaces[0]),
    ]);
    const tenants = createTenantDb({
      connectionString: database.pool.options.connectionString as string,
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
      applicationName: "test-retention",
      retention: { days: 30, now: () => NOW_MS },
    });
    try {
      const summary = await createAnalyticsSummary(tenants, () => NOW_MS)(workspaces[0], "live", {
        ...ofRange("30d"),
        groupBy: ["provider"],
      });
      const { total, by_provider, groups } = summary;
      assert.deepEqual([total, by_provider], [3, [{ provider: "provider_1", count: 3 }]]);
      assert.deepEqual(
        groups?.map((group) => group.decisions),
        [3],
      );
    } finally {
      await tenants.end();
    }
  });

  for (const [zone, noon] of [
    ["Europe/Berlin", "2026-03-29T12:00Z"],
    ["Europe/Berlin", "2026-10-25T12:00Z"],
    ["America/New_York", "2026-03-08T12:00Z"],
    ["America/New_York", "2026-11-01T12:00Z"],
  ] as const) {
    it(`ANA-14: by days and months of ${zone}, over the change of clocks before ${noon}`, async () => {
      const noonMs = Date.parse(noon);
      const ages = Array.from({ length: 4 * 24 }, (_, hour) => NOW_MS - noonMs + (hour - 48) * HOUR_MS);
      const decisions = ages.map((ageMs) => ({ ...MADE, ageMs }));
      const reports = ages.flatMap((_, target) => (target % 3 === 0 ? { target, outcome: target % 2 } : []));
      const workspaces = [newId("ws"), newId("ws")] as const;
      await play([{ decisions, reports, reviews: [], ofOther: false }], workspaces);
      const asked = { range: "all", filter: EVERY_DECISION, groupBy: ["provider"], timeZone: zone } as const;
      const days = { sinceMs: noonMs - 2 * DAY_MS, untilMs: noonMs + 20 * DAY_MS };
      const months = { sinceMs: noonMs - 2 * DAY_MS, untilMs: noonMs + 120 * DAY_MS };
      for (const interval of [days, months, null]) {
        for (const hasGroupSeries of [true, false]) {
          await assertSummary(workspaces[0], "live", { ...asked, interval, hasGroupSeries });
        }
      }
    });
  }
});
