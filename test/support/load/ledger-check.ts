import assert from "node:assert/strict";
import type pg from "pg";
import { idFromHex, idToHex } from "../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  DECISION_MODES,
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  RISK_BANDS,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { assertNothingLost } from "./acknowledged.js";
import type { MerchantLedger } from "./merchant-ledger.js";
import { eventually, send, untilAnswered, type RunningService } from "../service/service.js";

const REJECTED = "blocked HOLD_REVIEW_REJECTED";

/**
 * DUR-1, DUR-2: every acknowledged decision, outcome and review of a finished load is stored exactly once, unchanged.
 */
export async function assertLedgerKept(pool: pg.Pool, ledger: MerchantLedger): Promise<void> {
  await assertNothingLost(pool, [ledger]);
  const expected = new Map<string, string>(ledger.outcomes);
  for (const [decisionId, resolution] of ledger.reviews) {
    if (resolution === "reject") expected.set(decisionId, REJECTED);
  }
  await eventually(async () => {
    const outcomes = await pool.query<{
      decision_id: string;
      outcome: number;
      provider_reason_code: string | null;
    }>("select decision_id, outcome, provider_reason_code from outcomes where starts_with(order_id, $1)", [
      ledger.prefix,
    ]);
    assertSame(
      "outcomes",
      expected,
      outcomes.rows.map((row) => [
        row.decision_id,
        [OUTCOMES[row.outcome], row.provider_reason_code].filter((text) => text !== null).join(" "),
      ]),
    );
    const reviews = await pool.query<{ decision_id: string; resolution: number }>(
      `select decision_id, resolution from reviews
       join decisions using (workspace_id, mode, decision_id) where starts_with(order_id, $1)`,
      [ledger.prefix],
    );
    assertSame(
      "reviews",
      ledger.reviews,
      reviews.rows.map((row) => [row.decision_id, REVIEW_RESOLUTIONS[row.resolution] ?? ""]),
    );
  });
}

/**
 * Compares rows by the 128 bits of their decision id. Fails for a decision that is doubled, missing, changed or never
 * acknowledged.
 */
function assertSame(
  what: string,
  expected: ReadonlyMap<string, string>,
  rows: readonly (readonly [string, string])[],
): void {
  const stored = new Map(rows.map(([hex, text]) => [idFromHex("dec", hex), text]));
  assert.equal(stored.size, rows.length, `${what}: one for each decision`);
  const differing = [...new Set([...expected.keys(), ...stored.keys()])].filter(
    (id) => expected.get(id) !== stored.get(id),
  );
  assert.deepEqual(
    differing.slice(0, 3).map((id) => [id, expected.get(id), stored.get(id)]),
    [],
    `${what}: ${differing.length} of ${expected.size} differ`,
  );
}

type Counts = Record<string, number>;

/** AGG-1, AGG-2: the aggregates equal a count over all rows. Call it only while nothing is written. */
export async function assertAggregatesExact(service: RunningService): Promise<void> {
  const { pool, workspaceId } = service;
  const of = [idToHex(workspaceId)];
  const count = async (column: string, names: readonly string[] | null, table: string): Promise<Counts> => {
    const { rows } = await pool.query<{ name: number | string; count: string }>(
      `select ${column} as name, count(*) from ${table} where workspace_id = $1 and mode = 0 and ${column} is not null group by 1`,
      of,
    );
    return Object.fromEntries(
      rows.map(({ name, count }) => [names === null ? name : names[Number(name)], Number(count)]),
    );
  };
  const sum = (counts: Counts): number => Object.values(counts).reduce((total, n) => total + n, 0);
  const by_action = await count("action", ACTIONS, "decisions");
  const outcome_counts = await count("outcome", OUTCOMES, "outcomes");
  const total = sum(by_action);
  const with_outcome = sum(outcome_counts);
  const approved = outcome_counts["approved"] ?? 0;
  assert.ok(total > 0 && with_outcome > 0 && approved > 0);
  const unresolved = await pool.query<{ count: string }>(
    `select count(*) from decisions d where workspace_id = $1 and mode = 0 and decision_mode = $2
     and not exists (select from outcomes o where (o.workspace_id, o.mode, o.decision_id) = (d.workspace_id, d.mode, d.decision_id))
     and not exists (select from reviews r where (r.workspace_id, r.mode, r.decision_id) = (d.workspace_id, d.mode, d.decision_id))`,
    [...of, DECISION_MODES.indexOf("enforce")],
  );
  const { status, json } = await untilAnswered(() => send(service, "GET", "/v1/decisions/aggregate"));
  assert.equal(status, 200);
  const named = (list: unknown, name: string): Counts =>
    Object.fromEntries(
      (list as Record<string, unknown>[]).map((entry) => [entry[name] as string, entry["count"] as number]),
    );
  assert.deepEqual(
    {
      total: json["total"],
      by_action: named(json["by_action"], "action"),
      by_provider: named(json["by_provider"], "provider"),
      by_risk_band: named(json["by_risk_band"], "band"),
      outcome_counts: named(json["outcome_counts"], "outcome"),
      with_outcome: json["with_outcome"],
      approved: json["approved"],
      approval_rate: json["approval_rate"],
      feedback_rate: json["feedback_rate"],
    },
    {
      total,
      by_action,
      by_provider: await count("primary_provider", null, "decisions"),
      by_risk_band: await count("risk_band", RISK_BANDS, "decisions"),
      outcome_counts,
      with_outcome,
      approved,
      approval_rate: approved / with_outcome,
      feedback_rate: with_outcome / total,
    },
  );
  const list = await untilAnswered(() => send(service, "GET", "/v1/decisions?unresolved=true&page_size=1"));
  assert.equal(list.json["total"], Number(unresolved.rows[0]?.count));
}
