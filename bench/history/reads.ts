import {
  EVERY_DECISION,
  type DecisionFilter,
  type DecisionScope,
} from "../../src/domain/vocabulary/decision-scope.js";
import type { TenantConnection, TenantDb } from "../../src/platform/postgres/tenant-db.js";
import { createDecisionAggregate } from "../../src/features/decisions/decision-aggregate.js";
import { createDecisionList, type DecisionListQuery } from "../../src/features/decisions/decision-list.js";
import { createDecisionReader } from "../../src/features/decisions/decision-reader.js";
import type { FindPolicy } from "../../src/features/decisions/decision-explanation.js";
import { findPolicy } from "../../src/features/policies/queries.js";
import { createShadowReport } from "../../src/features/decisions/shadow-report.js";
import { idFromHex, idToHex } from "../../src/domain/ids/ids.js";
import type { Random } from "../client/random.js";

/** One kind of read, asked for in a new place each time. */
export interface MeasuredRead {
  name: string;
  /**
   * The promise of its p95 at a million rows; at ten million it is held to twice what a million took. Null for what a node
   * pays once after its start, with nothing remembered: only shown.
   */
  budgetMs: number | null;
  /** The promise is of any size, and no other than that. */
  atAnySize?: true;
  run(): Promise<unknown>;
}

const DAY_MS = 86_400_000;

/** Every read of the decision log over a filled workspace, as the routes run it, without HTTP. */
export async function createReads(
  tenants: TenantDb,
  scope: DecisionScope,
  random: Random,
): Promise<MeasuredRead[]> {
  const list = createDecisionList(tenants);
  const aggregate = createDecisionAggregate(tenants, Date.now);
  const samples = await sampleDecisions(tenants.of(scope.workspaceId), scope, random);
  const rare: DecisionScope = {
    ...scope,
    merchantScope: await rarestMerchant(tenants.of(scope.workspaceId), scope),
  };
  const page =
    (filter: Partial<DecisionFilter>, changes: Partial<DecisionListQuery> = {}, whose = scope) =>
    () =>
      list(whose, {
        pageSize: 25,
        page: 1,
        cursor: null,
        ...changes,
        filter: { ...EVERY_DECISION, ...filter },
      });
  const sample = () => random.pick(samples);
  const since = (days: number): number => Date.now() - days * DAY_MS;
  return [
    {
      name: "review queue, first of a new process",
      budgetMs: null,
      run: () =>
        createDecisionList(tenants)(scope, {
          pageSize: 25,
          page: 1,
          cursor: null,
          filter: { ...EVERY_DECISION, action: "hold", unresolved: true },
        }),
    },
    { name: "first page", budgetMs: 10, run: page({}) },
    { name: "action=hold", budgetMs: 10, run: page({ action: "hold" }) },
    { name: "action=block", budgetMs: 10, run: page({ action: "block" }) },
    { name: "decision_mode=shadow", budgetMs: 10, run: page({ decisionMode: "shadow" }) },
    { name: "unresolved=true", budgetMs: 10, run: page({ unresolved: true }) },
    { name: "range=24h", budgetMs: 10, run: () => page({ sinceMs: since(1) })() },
    { name: "range=30d", budgetMs: 10, run: () => page({ sinceMs: since(30) })() },
    { name: "order_id", budgetMs: 10, run: () => page({ orderId: sample().orderId })() },
    {
      name: "starting_after",
      budgetMs: 10,
      run: () => page({}, { cursor: { kind: "older_than", decisionId: sample().decisionId } })(),
    },
    {
      name: "ending_before",
      budgetMs: 10,
      run: () => page({}, { cursor: { kind: "newer_than", decisionId: sample().decisionId } })(),
    },
    {
      name: "review queue (hold, unresolved)",
      budgetMs: 10,
      run: page({ action: "hold", unresolved: true }),
    },
    { name: "rare merchant's first page", budgetMs: 10, run: page({}, {}, rare) },
    {
      name: "offset page 1–400, total",
      budgetMs: 30,
      run: () => page({}, { page: random.integer(1, 400) })(),
    },
    {
      name: "offset page, unresolved, 30d",
      budgetMs: 30,
      run: () => page({ unresolved: true, sinceMs: since(30) }, { page: random.integer(1, 100) })(),
    },
    {
      name: "aggregate, first of a new process",
      budgetMs: null,
      run: () => createDecisionAggregate(tenants, Date.now)(scope),
    },
    {
      name: "aggregate, uncached",
      budgetMs: 10,
      atAnySize: true,
      run: () => aggregate(scope),
    },
    {
      name: "shadow report, 30 days",
      budgetMs: 100,
      run: () => createShadowReport(tenants, Date.now)(scope, 30),
    },
    {
      name: "decision detail",
      budgetMs: 10,
      run: () => createDecisionReader(tenants, policiesOf(tenants))(scope, sample().decisionId),
    },
  ];
}

function policiesOf(tenants: TenantDb): FindPolicy {
  return (workspaceId, policyId) => findPolicy(tenants.of(workspaceId), workspaceId, policyId);
}

interface Sample {
  decisionId: string;
  orderId: string;
}

/** Decisions from all over the history: the next ones after evenly drawn moments. */
async function sampleDecisions(
  tenant: TenantConnection,
  scope: DecisionScope,
  random: Random,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let i = 0; i < 100; i++) {
    const fromMs = Date.now() - random.integer(0, 89) * DAY_MS - random.integer(0, DAY_MS);
    const { rows } = await tenant.query<{ decision_id: string; order_id: string }>(
      `select decision_id, order_id from decisions
       where workspace_id = $1 and mode = 0 and decision_id >= ulid_floor(to_timestamp($2 / 1000.0)) order by decision_id limit 1`,
      [idToHex(scope.workspaceId), fromMs],
    );
    const row = rows[0];
    if (row !== undefined)
      samples.push({ decisionId: idFromHex("dec", row.decision_id), orderId: row.order_id });
  }
  return samples;
}

async function rarestMerchant(tenant: TenantConnection, scope: DecisionScope): Promise<string> {
  const { rows } = await tenant.query<{ merchant_id: string }>(
    "select merchant_id from rollup_totals where workspace_id = $1 and merchant_id <> '' order by a0 limit 1",
    [idToHex(scope.workspaceId)],
  );
  return rows[0]?.merchant_id ?? "";
}
