import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../../src/domain/vocabulary/decision-scope.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { resolveReviews } from "../../../src/features/reviews/queries.js";
import { createDecisionAggregate } from "../../../src/features/decisions/decision-aggregate.js";
import { createDecisionList, type DecisionListQuery } from "../../../src/features/decisions/decision-list.js";
import type { DecisionList } from "../../../src/features/decisions/wire/decision-log-schema.js";
import { createShadowReport } from "../../../src/features/decisions/shadow-report.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow, newId, NOW_MS, type TextRow } from "../../support/rows/decision-rows.js";
import { HistoryModel } from "../../support/rows/history-model.js";
import { parsed } from "../../support/rows/parsed.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Ages on both sides of the beginning of every range, inside and outside its hour. */
const AGES_MS = [
  0,
  1,
  MINUTE_MS,
  2 * 60 * MINUTE_MS,
  DAY_MS - 1,
  DAY_MS,
  DAY_MS + 1,
  DAY_MS + 20 * MINUTE_MS,
  8 * DAY_MS,
  30 * DAY_MS,
  30 * DAY_MS + 10 * MINUTE_MS,
  91 * DAY_MS,
];
const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
const position = (list: readonly unknown[]): fc.Arbitrary<number> => fc.nat({ max: list.length - 1 });

const decision = fc.record({
  ageMs: fc.constantFrom(...AGES_MS),
  mode: fc.oneof({ weight: 4, arbitrary: fc.constant(MODES.indexOf("live")) }, position(MODES)),
  decisionMode: position(DECISION_MODES),
  action: fc.oneof(fc.constant(ACTIONS.indexOf("hold")), position(ACTIONS)),
  riskBand: position(RISK_BANDS),
  merchantId: fc.constantFrom("merchant_a", "merchant_b"),
  orderId: fc.constantFrom("order_1", "order_2", "order_3"),
  currency: fc.constantFrom("USD", "NGN"),
  country: fc.constantFrom("US", "NG"),
  paymentMethod: position(PAYMENT_METHODS.slice(0, 2)),
  cardNetwork: fc.option(position(CARD_NETWORKS.slice(0, 2)), { freq: 2 }),
  primaryProvider: fc.option(fc.constantFrom("provider_1", "provider_2"), { freq: 5 }),
  latencyUnits: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 10_000_000 })),
  reasonCodes: fc.subarray(["CODE_A", "CODE_B", "CODE_C"]),
});
const report = fc.record({
  target: fc.nat({ max: 1000 }),
  outcome: position(OUTCOMES),
  providerUsed: fc.constantFrom(...PROVIDERS),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      decisions: fc.array(decision, { maxLength: 12 }),
      reports: fc.array(report, { maxLength: 8 }),
      /** Writes the batch again, as after a lost answer. */
      redelivered: fc.boolean(),
      restarted: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("review" as const),
      target: fc.nat({ max: 1000 }),
      resolution: fc.constantFrom("approve" as const, "reject" as const),
    }),
  },
);
/** Is null three times in five. If all filters were set, they would select nothing. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary });
const filter: fc.Arbitrary<DecisionFilter> = fc.record({
  action: fc.option(fc.constantFrom(...ACTIONS), { freq: 2 }),
  decisionMode: fc.option(fc.constantFrom(...DECISION_MODES), { freq: 2 }),
  unresolved: fc.boolean(),
  sinceMs: fc.option(fc.constantFrom(NOW_MS - DAY_MS, NOW_MS - 30 * DAY_MS), { freq: 2 }),
  // The times are on the hour, within an hour, within the hour of a beginning, and before everything.
  untilMs: fc.option(
    fc.constantFrom(NOW_MS, NOW_MS - 40 * MINUTE_MS, NOW_MS - DAY_MS + 1, NOW_MS - 29 * DAY_MS, 0),
    { freq: 2 },
  ),
  orderId: fc.option(fc.constantFrom("order_1", "order_4"), { freq: 3 }),
  merchantId: fc.option(fc.constantFrom("merchant_a", "merchant_b", "merchant_c"), { freq: 3 }),
  currency: seldom(fc.constantFrom("USD", "NGN", "JPY")),
  country: seldom(fc.constantFrom("US", "NG")),
  paymentMethod: seldom(fc.constantFrom(...PAYMENT_METHODS.slice(0, 2))),
  cardNetwork: seldom(fc.constantFrom(...CARD_NETWORKS.slice(0, 2), "" as const)),
  provider: seldom(fc.constantFrom("provider_1", "provider_2", "provider_9", "")),
});

/** The writer's barrier has its own tests. Here everything written is already stored. */
const now = (): number => NOW_MS;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Applies the steps to PostgreSQL and to the model. */
async function play(steps: readonly Step[], workspaceId: string, model: HistoryModel): Promise<void> {
  const options = { nodeId: newId("ws"), foldLimits: { deltas: 6, decisions: 30 } };
  let writer = createDecisionWriter(database.pool, options);
  let written = 0;
  let reportedAtMs = NOW_MS;
  for (const current of steps) {
    if (current.kind === "review") {
      const target = model.decisions[current.target % Math.max(1, model.decisions.length)];
      if (target === undefined) continue;
      const { mode } = target.row;
      // The target, and up to three others of its mode.
      const decisionIds = model.decisions
        .filter(({ row }) => row.mode === mode)
        .map(({ row }) => row.decisionId)
        .slice(current.target % model.decisions.length)
        .concat(target.row.decisionId);
      const several = [...new Set(decisionIds)].slice(-4);
      const results = await resolveReviews(
        tenantsOf(database.pool).of(workspaceId),
        {
          workspaceId,
          mode: MODES[mode] as (typeof MODES)[number],
          decisionIds: several,
          resolution: current.resolution,
          note: null,
          resolvedBy: "usr_01jd3vwz6c9k2m4n6p8r0s2t4v",
          nowMs: reportedAtMs,
        },
        () => newId("aud").slice("aud_".length),
      );
      assert.deepEqual(
        results.map(({ kind }) => kind),
        several.map((decisionId) => model.review(decisionId, current.resolution)),
      );
      continue;
    }
    const decisions = current.decisions.map(({ ageMs, latencyUnits, reasonCodes, ...columns }): TextRow => {
      const changes = {
        ...columns,
        workspaceId,
        latencyMs: latencyUnits / 100,
        fallbackProvider: columns.primaryProvider === null ? null : "provider_3",
      };
      const row = withDocument(decisionRow(changes, NOW_MS - ageMs), reasonCodes);
      model.decide(row, reasonCodes);
      return row;
    });
    const outcomes = current.reports.flatMap(({ target, outcome, providerUsed }): OutcomeRow[] => {
      const reported = model.decisions[target % Math.max(1, model.decisions.length)];
      if (reported === undefined) return [];
      const row = outcomeRow(reported.row, { outcome, providerUsed, reportedAtMs: ++reportedAtMs });
      model.report(row);
      return [row];
    });
    const batch = { decisions, outcomes };
    assert.equal(await writer.write(batch, ++written), "written");
    if (current.restarted) writer = createDecisionWriter(database.pool, options);
    if (current.redelivered) {
      assert.equal(await writer.write(batch, written), "position_moved");
      assert.equal(await writer.position(), written);
    } else if (current.restarted) await writer.position();
  }
}

function outcomeRow(
  { workspaceId, decisionId, mode, orderId }: TextRow,
  reported: Pick<OutcomeRow, "outcome" | "providerUsed" | "reportedAtMs">,
): OutcomeRow {
  return {
    workspaceId,
    decisionId,
    mode,
    orderId,
    technicalFailureType: null,
    providerLatencyMs: 120,
    providerReasonCode: null,
    amountMinor: 1250,
    currency: "USD",
    createdAtMs: null,
    merchantScope: null,
    ...reported,
  };
}

const idsOf = (page: DecisionList): string[] => {
  return page.decisions.map(({ decision_id }) => decision_id);
};

/** Walks through every page by offset and by both cursors. */
async function assertList(scope: DecisionScope, wanted: DecisionFilter, model: HistoryModel): Promise<void> {
  const list = createDecisionList(tenantsOf(database.pool));
  const expected = model.list(scope, wanted).map(({ row }) => row.decisionId);
  const ask = async (changes: Partial<DecisionListQuery>): Promise<DecisionList> =>
    parsed(await list(scope, { pageSize: 4, page: 1, cursor: null, filter: wanted, ...changes }));
  const pages = Math.ceil(expected.length / 4);
  for (let page = 1; page <= pages + 1; page++) {
    const answer = await ask({ page });
    assert.deepEqual(idsOf(answer), expected.slice(4 * page - 4, 4 * page));
    assert.deepEqual(
      { ...answer, decisions: [] },
      { page, page_size: 4, total: expected.length, has_more: page < pages, decisions: [] },
    );
  }
  // Any decision of the scope can be a cursor, whether or not the filters select it.
  const everything = model.list(scope, EVERY_DECISION);
  for (const { row } of everything.filter((_, at) => at % 5 === 0)) {
    const older = expected.filter((id) => id < row.decisionId);
    const olderPage = await ask({ cursor: { kind: "older_than", decisionId: row.decisionId } });
    assert.deepEqual(idsOf(olderPage), older.slice(0, 4));
    assert.equal(olderPage.has_more, older.length > 4);
    const newer = expected.filter((id) => id > row.decisionId);
    const newerPage = await ask({ cursor: { kind: "newer_than", decisionId: row.decisionId } });
    assert.deepEqual(idsOf(newerPage), newer.slice(-4));
    assert.equal(newerPage.has_more, newer.length > 4);
    assert.equal("total" in newerPage, false);
  }
}

async function assertRows(scope: DecisionScope, model: HistoryModel): Promise<void> {
  const page = await createDecisionList(tenantsOf(database.pool))(scope, {
    pageSize: 100,
    page: 1,
    cursor: null,
    filter: EVERY_DECISION,
  });
  const shown = parsed(page).decisions.map(({ outcome, review, order_id, decision_latency_ms }) => ({
    outcome:
      outcome === null
        ? null
        : { outcome: OUTCOMES.indexOf(outcome.outcome), providerUsed: outcome.provider_used },
    review: review?.resolution ?? null,
    order_id,
    decision_latency_ms,
  }));
  assert.deepEqual(
    shown,
    model
      .list(scope, EVERY_DECISION)
      .slice(0, 100)
      .map(({ outcome, review, row }) => ({
        outcome,
        review,
        order_id: row.orderId,
        decision_latency_ms: row.latencyMs,
      })),
  );
}

const counted = <T extends { count: number }>(list: readonly T[], name: keyof T): Record<string, number> => {
  assert.deepEqual(
    list.map(({ count }) => count),
    list.map(({ count }) => count).toSorted((a, b) => b - a),
  );
  return Object.fromEntries(list.map((entry) => [entry[name], entry.count]));
};

async function assertAggregate(scope: DecisionScope, model: HistoryModel): Promise<void> {
  const answer = parsed(await createDecisionAggregate(tenantsOf(database.pool), now)(scope));
  const { generated_at, ...figures } = answer;
  assert.equal(generated_at, new Date(NOW_MS).toISOString());
  assert.deepEqual(
    {
      ...figures,
      by_action: counted(figures.by_action, "action"),
      by_provider: counted(figures.by_provider, "provider"),
      by_risk_band: counted(figures.by_risk_band, "band"),
      top_reason_codes: counted(figures.top_reason_codes, "code"),
      outcome_counts: counted(figures.outcome_counts, "outcome"),
      recent: figures.recent.map(({ decision_id }) => decision_id),
    },
    model.aggregate(scope),
  );
}

async function assertShadowReport(scope: DecisionScope, days: number, model: HistoryModel): Promise<void> {
  const answer = await createShadowReport(tenantsOf(database.pool), now)(scope, days);
  const { window_days, since, ...figures } = answer;
  assert.equal(window_days, days);
  assert.equal(since, new Date(NOW_MS - days * DAY_MS).toISOString());
  assert.deepEqual(figures, model.shadowReport(scope, NOW_MS - days * DAY_MS));
}

describe("list, aggregate and shadow report equal a plain recomputation", () => {
  it("AGG-2, AGG-8, LIST-2, LOG-3, LOG-4, LOG-10, REV-7: they agree after any sequence of decisions, outcomes, re-reports, reviews, redelivered batches and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(filter, { minLength: 3, maxLength: 6 }),
        async (steps, filters) => {
          const workspaceId = newId("ws");
          // A review is noted in its workspace's audit log.
          await database.pool.query("insert into workspaces (workspace_id, name) values ($1, 'Shop')", [
            idToHex(workspaceId),
          ]);
          const model = new HistoryModel();
          await play(steps, workspaceId, model);
          for (const mode of MODES) {
            for (const merchantScope of [null, "merchant_a"]) {
              const scope: DecisionScope = { workspaceId, mode, merchantScope };
              for (const wanted of filters) await assertList(scope, wanted, model);
              await assertRows(scope, model);
              await assertAggregate(scope, model);
              for (const days of [1, 30, 90]) await assertShadowReport(scope, days, model);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
