import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import {
  putOverride,
  unexpiredOverrides,
  type OverrideChange,
  type ProviderOverride,
} from "../../../src/domain/health/provider-override.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { MODES, OUTCOMES, type Mode } from "../../../src/domain/vocabulary/vocabulary.js";
import { insertAuditEntry } from "../../../src/features/audit/service.js";
import { createDrillHistory } from "../../../src/features/overrides/history/drill-history.js";
import type { DrillHistory } from "../../../src/features/overrides/wire/drill-history-response-schema.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createTenantDb, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, newId } from "../../support/rows/decision-rows.js";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** The time is in the middle of an hour and of a day. */
const NOW_MS = Date.UTC(2026, 10, 17, 13, 25);
const KEPT_DAYS = 30;

let database: TestDatabase;
let limited: TenantDb;
before(async () => {
  database = await createTestDatabase();
  limited = createTenantDb({
    connectionString: database.pool.options.connectionString as string,
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    applicationName: "test-limited",
    retention: { days: KEPT_DAYS, now: () => NOW_MS },
  });
});
after(() => limited.end());

const ago = fc.oneof(
  fc.nat({ max: 90 }).map((minutes) => minutes * MINUTE_MS),
  fc.nat({ max: 3 * 1440 }).map((minutes) => minutes * MINUTE_MS),
  // A drill of 31 days ago began before the limit of KEPT_DAYS. With 16 and 29 days, only the equally long span before
  // the drill can begin before that limit.
  fc.constantFrom(10, 16, 29, 31).map((days) => days * DAY_MS),
);
const change = fc.record({
  ago,
  provider: fc.constantFrom("provider_1", "provider_2"),
  paymentMethod: fc.constantFrom(null, "card" as const),
  currency: fc.constantFrom(null, "USD"),
  mode: fc.constantFrom(undefined, "live" as const, "test" as const),
  state: fc.constantFrom(null, "unavailable" as const, "watch" as const),
  endsAfter: fc.constantFrom(undefined, 15 * MINUTE_MS, 240 * MINUTE_MS),
});
const decision = fc.record({
  ago,
  mode: fc.nat({ max: 1 }),
  decisionMode: fc.nat({ max: 1 }),
  primaryProvider: fc.constantFrom("provider_1", "provider_2", null),
  outcome: fc.option(fc.nat({ max: OUTCOMES.length - 1 })),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Made = (typeof decision extends fc.Arbitrary<infer T> ? T : never) & { atMs: number };
type Drill = DrillHistory["drills"][number];

/** The drill that the service's rules lead to. The test applies the rules to one change after another. */
interface Expected {
  override: ProviderOverride;
  id: string;
  startedMs: number;
  by: string;
  end: { atMs: number; by: string | null; ending: Drill["ending"] } | null;
}

async function playChanges(workspaceId: string, changes: readonly Change[]): Promise<Expected[]> {
  const drills: Expected[] = [];
  let active: ProviderOverride[] = [];
  const expire = (atMs: number): void => {
    for (const drill of drills) {
      const { expiresAtMs } = drill.override;
      if (drill.end === null && expiresAtMs !== undefined && expiresAtMs <= atMs) {
        drill.end = { atMs: expiresAtMs, by: null, ending: "expired" };
      }
    }
    active = unexpiredOverrides(active, atMs);
  };
  for (const { ago: agoMs, endsAfter, state, mode, ...scope } of changes.toSorted((a, b) => b.ago - a.ago)) {
    const atMs = NOW_MS - agoMs;
    const by = newId("usr");
    const expiresAtMs = endsAfter === undefined || state === null ? undefined : atMs + endsAfter;
    const put: OverrideChange = {
      ...scope,
      state,
      ...(mode === undefined ? {} : { mode }),
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    };
    expire(atMs);
    const others = active.filter(({ provider }) => provider !== put.provider);
    const after = putOverride(
      active.filter(({ provider }) => provider === put.provider),
      put,
    );
    for (const drill of drills) {
      const isOver = drill.end === null && ![...others, ...after].includes(drill.override);
      if (isOver) drill.end = { atMs, by, ending: state === null ? "lifted" : "replaced" };
    }
    active = [...others, ...after];
    const id = newId("aud", atMs);
    if (state !== null) {
      drills.push({ override: after.at(-1) as ProviderOverride, id, startedMs: atMs, by, end: null });
    }
    await insertAuditEntry(database.pool, {
      workspaceId,
      auditId: id,
      actor: by,
      action: state === null ? "provider_override.lifted" : "provider_override.set",
      resource: put.provider,
      metadata: {
        state,
        payment_method: put.paymentMethod,
        currency: put.currency,
        ...(mode === undefined ? {} : { mode }),
        ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
      },
    });
  }
  expire(NOW_MS);
  return drills.toReversed();
}

async function playDecisions(workspaceId: string, made: readonly Made[]): Promise<void> {
  const rows = made.map(({ atMs, mode, decisionMode, primaryProvider }) =>
    decisionRow({ workspaceId, mode, decisionMode, primaryProvider, fallbackProvider: null }, atMs),
  );
  const outcomes = made.flatMap(({ outcome }, at) => {
    const { decisionId, orderId, mode } = rows[at] as (typeof rows)[number];
    if (outcome === null) return [];
    const money = { providerLatencyMs: 1, providerReasonCode: null, amountMinor: 1250, currency: "USD" };
    const times = {
      reportedAtMs: NOW_MS,
      createdAtMs: null,
      merchantScope: null,
      technicalFailureType: null,
    };
    return [
      { workspaceId, decisionId, orderId, mode, outcome, providerUsed: "provider_1", ...money, ...times },
    ];
  });
  const writer = createDecisionWriter(database.pool, {
    nodeId: newId("ws"),
    // With these limits, some decisions are folded and some are not.
    foldLimits: { deltas: 5, decisions: 25 },
  });
  assert.equal(await writer.write({ decisions: rows, outcomes }, 1), "written");
}

/** Counts every decision of the span by brute force. */
function figuresOf(made: readonly Made[], mode: Mode, provider: string, sinceMs: number, untilMs: number) {
  const within = made.filter((one) => MODES[one.mode] === mode && one.atMs >= sinceMs && one.atMs < untilMs);
  const withOutcome = within.filter(({ outcome }) => outcome !== null).length;
  const approved = within.filter(({ outcome }) => outcome === OUTCOMES.indexOf("approved")).length;
  return {
    from: new Date(sinceMs).toISOString(),
    to: new Date(untilMs).toISOString(),
    decisions: within.length,
    routed_to_provider: within.filter(({ primaryProvider }) => primaryProvider === provider).length,
    with_outcome: withOutcome,
    approved,
    approval_rate: withOutcome === 0 ? null : approved / withOutcome,
  };
}

function trafficOf(
  { override, startedMs, end }: Expected,
  made: readonly Made[],
  mode: Mode,
  keptMs: number,
) {
  if (startedMs < keptMs) return null;
  const untilMs = end?.atMs ?? NOW_MS;
  const beganMs = 2 * startedMs - untilMs;
  return {
    during: figuresOf(made, mode, override.provider, startedMs, untilMs),
    before: beganMs < keptMs ? null : figuresOf(made, mode, override.provider, beganMs, startedMs),
  };
}

const isoOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

function expectedOf(drill: Expected, made: readonly Made[], mode: Mode, keptMs: number): Drill {
  const { override, id, startedMs, by, end } = drill;
  return {
    drill_id: id,
    provider: override.provider,
    state: override.state,
    payment_method: override.paymentMethod,
    currency: override.currency,
    mode: override.mode ?? "both",
    started_at: new Date(startedMs).toISOString(),
    started_by: by,
    expires_at: isoOrNull(override.expiresAtMs),
    ended_at: isoOrNull(end?.atMs),
    ended_by: end?.by ?? null,
    ending: end?.ending ?? null,
    traffic: trafficOf(drill, made, mode, keptMs),
  };
}

describe("the history of drills", () => {
  it("SVC-16, SVC-17, SVC-18: has each drill once, with its end by the rules of pins and the traffic that a brute force counts", async () => {
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 10 }),
      fc.array(decision, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...MODES),
      fc.boolean(),
      async (changes, decisions, mode, isLimited) => {
        const workspaceId = newId("ws");
        await database.pool.query(
          "insert into workspaces (workspace_id, name, created_at) values ($1, 'Shop', $2)",
          [idToHex(workspaceId), new Date(NOW_MS - 100 * DAY_MS)],
        );
        const made = decisions.map((one) => ({ ...one, atMs: NOW_MS - one.ago }));
        const drills = await playChanges(workspaceId, changes);
        await playDecisions(workspaceId, made);
        const history = createDrillHistory(isLimited ? limited : tenantsOf(database.pool), () => NOW_MS);
        const keptMs = isLimited ? NOW_MS - KEPT_DAYS * DAY_MS : 0;
        const expected = drills
          .filter(({ override }) => override.mode === undefined || override.mode === mode)
          .map((drill) => expectedOf(drill, made, mode, keptMs));
        const whole = await history(workspaceId, { pageSize: 25, cursor: null, mode });
        assert.deepEqual(whole, { drills: expected, has_more: false });
        const [first, second] = expected;
        if (first === undefined || second === undefined) return;
        assert.deepEqual(await history(workspaceId, { pageSize: 1, cursor: null, mode }), {
          drills: [first],
          has_more: true,
        });
        const below = { kind: "older_than", id: first.drill_id } as const;
        assert.deepEqual(await history(workspaceId, { pageSize: 25, cursor: below, mode }), {
          drills: expected.slice(1),
          has_more: false,
        });
        const last = expected.at(-1) as Drill;
        const above = { kind: "newer_than", id: last.drill_id } as const;
        assert.deepEqual(await history(workspaceId, { pageSize: 1, cursor: above, mode }), {
          drills: [expected.at(-2)],
          has_more: expected.length > 2,
        });
      },
    );
    await fc.assert(property, { numRuns: 30, seed: 20_261_127 });
  });
});
