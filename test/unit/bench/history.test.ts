import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fillDatabase } from "../../../bench/history/fill-database.js";
import { createHistory, type HistoryOptions } from "../../../bench/history/history.js";
import { ofRange } from "../../support/rows/analytics-queries.js";
import { createAnalyticsSummary } from "../../../src/features/analytics/service.js";
import { createDecisionAggregate } from "../../../src/features/decisions/decision-aggregate.js";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { newId, NOW_MS } from "../../support/rows/decision-rows.js";
import { parsed } from "../../support/rows/parsed.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

const OPTIONS: HistoryOptions = {
  seed: 7,
  workspaceId: newId("ws"),
  mode: "test",
  merchants: ["shop_a", "shop_b"],
  providers: ["provider_1", "provider_2", "provider_3"],
  decisions: 5000,
  fromMs: NOW_MS - 90 * 86_400_000,
  toMs: NOW_MS,
};

describe("npm run seed", () => {
  it("makes as many decisions as asked for, oldest first, over the whole time, alike for one seed", () => {
    const batches = [...createHistory(OPTIONS, 999)];
    const ids = batches.flatMap(({ decisions }) => decisions.map(({ decisionId }) => String(decisionId)));
    assert.equal(ids.length, 5000);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(idTimeMs(ids[0] as string), OPTIONS.fromMs);
    assert.ok(idTimeMs(ids.at(-1) as string) > NOW_MS - 86_400_000);
    assert.deepEqual([...createHistory(OPTIONS, 999)], batches);
  });

  it("fills a database that reads as one the service wrote, rollups included", async () => {
    const { pool } = await createTestDatabase();
    const progress: number[] = [];
    await fillDatabase(pool, "seed", OPTIONS, (written) => progress.push(written));
    assert.deepEqual(progress, [4000, 5000]);
    const scope = { workspaceId: OPTIONS.workspaceId, mode: "test", merchantScope: null } as const;
    const figures = parsed(await createDecisionAggregate(tenantsOf(pool), Date.now)(scope));
    const { rows } = await pool.query(
      "select count(*)::int as decisions, (select count(*)::int from outcomes) as outcomes from decisions",
    );
    assert.deepEqual(rows, [{ decisions: figures.total, outcomes: figures.with_outcome }]);
    assert.equal(figures.total, 5000);
    // Every instruction that the policy of the seed can lead to.
    assert.deepEqual(figures.by_action.map(({ action }) => action).toSorted(), [
      "block",
      "hold",
      "retry",
      "route",
      "step_up",
    ]);
    assert.equal(figures.recent.length, 8);

    const made = [...createHistory(OPTIONS, 4000)];
    const summarize = createAnalyticsSummary(tenantsOf(pool), () => NOW_MS);
    const { cost, retries } = await summarize(OPTIONS.workspaceId, "test", ofRange("all"));
    const total = (rows: readonly { decisions: number }[]): number =>
      rows.reduce((sum, { decisions }) => sum + decisions, 0);
    assert.ok(cost !== null && retries !== null);
    assert.equal(total(cost.by_currency), made.flatMap(({ costs = [] }) => costs).length);
    assert.equal(total(retries.by_failure), made.flatMap(({ retries: retried = [] }) => retried).length);
    assert.ok(total(cost.by_currency) > 100 && retries.by_failure.some(({ recovered }) => recovered > 0));
  });
});
