import assert from "node:assert/strict";
import type pg from "pg";
import { idFromHex } from "../../../src/domain/ids/ids.js";
import { postDecision, type DecisionLoad } from "./decision-load.js";
import { eventually, type RunningService } from "../service/service.js";

/** The record of a load: which of its decisions were acknowledged. */
type Acknowledged = Pick<DecisionLoad, "prefix" | "acknowledged" | "keyed" | "contradictions">;

/**
 * DUR-3: once the journal has drained, PostgreSQL holds every acknowledged decision exactly once. It holds exactly one
 * decision for each acknowledged Idempotency-Key.
 */
export async function assertNothingLost(
  pool: pg.Pool,
  loads: readonly Acknowledged[],
  timeoutMs?: number,
): Promise<void> {
  for (const load of loads) {
    assert.ok(load.acknowledged.size > 0, "the load was answered at all");
    assert.deepEqual(load.contradictions, []);
    await eventually(async () => {
      const { rows } = await pool.query<{ decision_id: string; order_id: string }>(
        "select decision_id, order_id from decisions where starts_with(order_id, $1)",
        [load.prefix],
      );
      const stored = new Map<string, number>();
      const perOrder = new Map<string, number>();
      for (const row of rows) {
        const decisionId = idFromHex("dec", row.decision_id);
        stored.set(decisionId, (stored.get(decisionId) ?? 0) + 1);
        perOrder.set(row.order_id, (perOrder.get(row.order_id) ?? 0) + 1);
      }
      const lost = [...load.acknowledged.keys()].filter((id) => stored.get(id) !== 1);
      assert.deepEqual(
        lost.slice(0, 3),
        [],
        `${lost.length} of ${load.acknowledged.size} are not there exactly once`,
      );
      const doubled = [...load.keyed.values()].filter(({ orderId }) => perOrder.get(orderId) !== 1);
      assert.deepEqual(doubled, [], "one decision for one Idempotency-Key");
    }, timeoutMs);
  }
}

/** Repeats the last keyed requests of a load and expects the same replies, byte for byte. */
export async function assertRepliesSurvive(
  service: Pick<RunningService, "url" | "key">,
  load: Pick<Acknowledged, "keyed">,
): Promise<void> {
  const last = [...load.keyed].slice(-20);
  assert.ok(last.length > 0);
  for (const [idempotencyKey, { text }] of last) {
    const again = await postDecision({ ...service, body: bodyOf(text), idempotencyKey });
    assert.deepEqual([again?.status, again?.text, again?.replayed], [200, text, true]);
  }
}

/** A body with the reply's merchant, which is all that a replay reads. */
function bodyOf(text: string): unknown {
  const { merchant_id } = JSON.parse(text) as { merchant_id: string };
  return {
    merchant_id,
    order_id: "replay",
    transaction: { amount: 1, currency: "USD", country: "US", payment_method: "card" },
    available_providers: ["provider_1"],
  };
}
