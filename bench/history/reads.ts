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
import { createGroupReads } from "./group-reads.js";
import { READ_FLOORS, type ReadFloor } from "./read-floors.js";

/** One kind of read. Each run reads a new place. */
export interface MeasuredRead {
  name: string;
  /** Null for a cost that a node pays once after its start, with empty caches. It is only shown. */
  floor: ReadFloor | null;
  run(): Promise<unknown>;
}

const DAY_MS = 86_400_000;

/** Every read of the decision log over a filled workspace, without HTTP. */
export async function createReads(
  tenants: TenantDb,
  scope: DecisionScope,
  random: Random,
): Promise<{ reads: MeasuredRead[]; bare: () => Promise<unknown> }> {
  const tenant = tenants.of(scope.workspaceId);
  const samples = await sampleDecisions(tenant, scope, random);
  const rare: DecisionScope = { ...scope, merchantScope: await rarestMerchant(tenant, scope) };
  const sample = (): Sample => random.pick(samples);
  return {
    reads: [
      ...pageReads(tenants, scope, rare, sample),
      ...offsetReads(tenants, scope, random),
      ...figureReads(tenants, scope),
      ...createGroupReads(tenants, scope),
      {
        name: "decision detail",
        floor: READ_FLOORS.page,
        run: () => createDecisionReader(tenants, policiesOf(tenants))(scope, sample().decisionId),
      },
    ],
    bare: () => bareLookUp(tenant, scope, sample()),
  };
}

/** The baseline of every read: looks up one row by its key over the same connections, and does nothing with it. */
async function bareLookUp(
  tenant: TenantConnection,
  scope: DecisionScope,
  { decisionId }: Sample,
): Promise<void> {
  const { rows } = await tenant.query(
    "select amount_minor from decisions where workspace_id = $1 and mode = 0 and decision_id = $2",
    [idToHex(scope.workspaceId), idToHex(decisionId)],
  );
  if (rows.length !== 1) throw new Error("a stored decision was not found");
}

const FIRST_PAGE: DecisionListQuery = { pageSize: 25, page: 1, cursor: null, filter: EVERY_DECISION };

function pageReads(
  tenants: TenantDb,
  scope: DecisionScope,
  rare: DecisionScope,
  sample: () => Sample,
): MeasuredRead[] {
  const list = createDecisionList(tenants);
  const first = (filter: Partial<DecisionFilter>, whose = scope): Promise<unknown> =>
    list(whose, { ...FIRST_PAGE, filter: { ...EVERY_DECISION, ...filter } });
  const from = (kind: "older_than" | "newer_than"): Promise<unknown> =>
    list(scope, { ...FIRST_PAGE, cursor: { kind, decisionId: sample().decisionId } });
  const queue = { action: "hold", unresolved: true } as const;
  const judged: Array<[string, () => Promise<unknown>]> = [
    ["first page", () => first({})],
    ["action=hold", () => first({ action: "hold" })],
    ["action=block", () => first({ action: "block" })],
    ["decision_mode=shadow", () => first({ decisionMode: "shadow" })],
    ["unresolved=true", () => first({ unresolved: true })],
    ["range=24h", () => first({ sinceMs: since(1) })],
    ["range=30d", () => first({ sinceMs: since(30) })],
    ["order_id", () => first({ orderId: sample().orderId })],
    ["starting_after", () => from("older_than")],
    ["ending_before", () => from("newer_than")],
    ["review queue (hold, unresolved)", () => first(queue)],
    ["rare merchant's first page", () => first({}, rare)],
  ];
  return [
    {
      name: "review queue, first of a new process",
      floor: null,
      run: () =>
        createDecisionList(tenants)(scope, { ...FIRST_PAGE, filter: { ...EVERY_DECISION, ...queue } }),
    },
    ...judged.map(([name, run]) => ({ name, floor: READ_FLOORS.page, run })),
    { name: "currency=NGN", floor: null, run: () => first({ currency: "NGN" }) },
    {
      name: "a country's wallets, 30d",
      floor: null,
      run: () => first({ country: "NG", paymentMethod: "wallet", sinceMs: since(30) }),
    },
  ];
}

function offsetReads(tenants: TenantDb, scope: DecisionScope, random: Random): MeasuredRead[] {
  const list = createDecisionList(tenants);
  const page = (pagesMax: number, filter: Partial<DecisionFilter>): Promise<unknown> =>
    list(scope, {
      ...FIRST_PAGE,
      page: random.integer(1, pagesMax),
      filter: { ...EVERY_DECISION, ...filter },
    });
  return [
    { name: "offset page 1–400, total", floor: READ_FLOORS.offsetPage, run: () => page(400, {}) },
    {
      name: "offset page, unresolved, 30d",
      floor: READ_FLOORS.offsetPage,
      run: () => page(100, { unresolved: true, sinceMs: since(30) }),
    },
  ];
}

function figureReads(tenants: TenantDb, scope: DecisionScope): MeasuredRead[] {
  const aggregate = createDecisionAggregate(tenants, Date.now);
  return [
    {
      name: "aggregate, first of a new process",
      floor: null,
      run: () => createDecisionAggregate(tenants, Date.now)(scope),
    },
    { name: "aggregate, uncached", floor: READ_FLOORS.aggregate, run: () => aggregate(scope) },
    {
      name: "shadow report, 30 days",
      floor: READ_FLOORS.shadowReport,
      run: () => createShadowReport(tenants, Date.now)(scope, 30),
    },
  ];
}

function since(days: number): number {
  return Date.now() - days * DAY_MS;
}

function policiesOf(tenants: TenantDb): FindPolicy {
  return (workspaceId, policyId) => findPolicy(tenants.of(workspaceId), workspaceId, policyId);
}

interface Sample {
  decisionId: string;
  orderId: string;
}

/** Decisions from all over the history: the first ones after moments drawn evenly. */
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
