import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { loadOverview } from "../../../src/features/decisions/queries/overview.js";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { ACTIONS } from "../../../src/domain/vocabulary/vocabulary.js";
import { decisionRow, decisionsOnly, NOW_MS } from "../../support/rows/decision-rows.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";

const HOUR_MS = 3_600_000;

describe("rollups: a scope's history reads the same before and after a fold of the deltas", () => {
  it("covers merchants whose decisions have no provider, and providers with equally many decisions", async () => {
    const { pool } = await createTestDatabase();
    const never = { deltas: Number.MAX_SAFE_INTEGER, decisions: Number.MAX_SAFE_INTEGER };
    const writer = createDecisionWriter(pool, { nodeId: "overview", foldLimits: never });
    const blocked = { action: ACTIONS.indexOf("block"), primaryProvider: null, fallbackProvider: null };
    const rows = [
      decisionRow({ merchantId: "all_blocked", latencyMs: 0.63, ...blocked }),
      decisionRow({ merchantId: "all_blocked", latencyMs: 0.64, ...blocked }),
      decisionRow({ merchantId: "some_blocked", primaryProvider: "provider_3", latencyMs: 12.8 }),
      decisionRow({ merchantId: "some_blocked", ...blocked }),
      decisionRow({ primaryProvider: "provider_2" }),
      decisionRow({ primaryProvider: "provider_1" }),
      decisionRow({ primaryProvider: "provider_1" }, NOW_MS - 3 * HOUR_MS),
    ];
    const scope = { workspaceId: rows[0]?.workspaceId ?? "", mode: "live", merchantScope: null } as const;
    const load = () =>
      tenantsOf(pool)
        .of(scope.workspaceId)
        .transaction((client) => loadOverview(client, scope));
    // A writer's first batch also folds the deltas of an earlier process. So the rows come in the second batch.
    await writer.write(decisionsOnly([]), 1);
    await writer.write(decisionsOnly(rows), 2);
    const pending = await load();
    assert.deepEqual(pending.providers, [
      { provider: "provider_1", count: 2 },
      { provider: "provider_2", count: 1 },
      { provider: "provider_3", count: 1 },
    ]);
    assert.deepEqual(
      pending.latencies,
      new Map([
        [0.63, 1],
        [0.64, 1],
        [12.8, 1],
        [0.25, 4],
      ]),
    );
    assert.deepEqual([pending.totals.actions.block, pending.totals.actions.route], [3, 4]);
    assert.equal(pending.totals.latencySumMs.toFixed(2), "15.07");
    const hour = Math.floor(idTimeMs(rows[0]?.decisionId ?? "") / HOUR_MS);
    assert.deepEqual(pending.newestHours, {
      hours: [
        { hour, decisions: 6 },
        { hour: hour - 3, decisions: 1 },
      ],
      next: null,
    });

    await pool.query("select fold_rollups()");
    assert.equal((await pool.query("select from rollup_deltas_rows")).rowCount, 0);
    assert.deepEqual(await load(), pending);
  });
});
