import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import type { OutcomeRow } from "../../../src/path/writer/copy/outcome-row.js";
import { DECISION_MODES, MODES, OUTCOMES } from "../../../src/domain/vocabulary/vocabulary.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { withDocument } from "../../support/rows/decision-documents.js";
import { decisionRow } from "../../support/rows/decision-rows.js";
import { send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RANGES = [
  ["24h", 1],
  ["7d", 7],
  ["30d", 30],
  ["90d", 90],
] as const;
/**
 * Offsets from the beginning of a range. Each is longer than the test takes. Some stay within the hour around the
 * beginning, and all within the day. Offsets below zero are within the range.
 */
const BESIDE_MS = [-5 * HOUR_MS, -50 * MINUTE_MS, -3 * MINUTE_MS, MINUTE_MS, 20 * MINUTE_MS, 5 * HOUR_MS];

let service: RunningService;
let workspaceId: string;
let key: string;
let owner: Dashboard;
const agesMs = RANGES.flatMap(([, days]) => BESIDE_MS.map((beside) => days * DAY_MS + beside));
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service, { merchants: ["demo_merchant", "known"] });
  key = await createKey(service.pool, workspaceId, { mode: "live" });
  owner = await openDashboard(service, workspaceId);
  const nowMs = Date.now();
  const mode = MODES.indexOf("live");
  const decisions = agesMs.map((ageMs) =>
    withDocument(
      decisionRow(
        {
          workspaceId,
          mode,
          merchantId: "demo_merchant",
          decisionMode: DECISION_MODES.indexOf("shadow"),
          latencyMs: 1 + ageMs / DAY_MS,
        },
        nowMs - ageMs,
      ),
    ),
  );
  const outcomes = decisions.map(({ decisionId, orderId }): OutcomeRow => ({
    workspaceId,
    decisionId,
    mode,
    orderId,
    outcome: OUTCOMES.indexOf("approved"),
    technicalFailureType: null,
    providerUsed: "provider_1",
    providerLatencyMs: 120,
    providerReasonCode: null,
    amountMinor: 1250,
    currency: "USD",
    reportedAtMs: nowMs,
    createdAtMs: null,
    merchantScope: null,
  }));
  const writer = createDecisionWriter(service.pool, { nodeId: workspaceId });
  assert.equal(await writer.write({ decisions, outcomes }, 1), "written");
});

type Json = Record<string, unknown>;
const get = async (path: string): Promise<Json> => {
  const { status, json, text } = await owner.get(path);
  assert.equal(status, 200, text);
  return json;
};
const sumOf = (list: unknown, name: string): number =>
  (list as Record<string, number>[]).reduce((sum, entry) => sum + (entry[name] ?? 0), 0);

describe("a range is the same interval on every endpoint, a fixed number of hours back from now", () => {
  for (const [range, days] of RANGES) {
    it(`LOG-5: ${range}: list, summary, shadow report and backtest count the same decisions`, async () => {
      const within = agesMs.filter((ageMs) => ageMs < days * DAY_MS);
      const expected = within.length;

      const list = await get(`/v1/decisions?range=${range}&page_size=100`);
      assert.deepEqual([list["total"], (list["decisions"] as unknown[]).length], [expected, expected]);

      const summary = await get(`/v1/analytics/summary?range=${range}`);
      assert.deepEqual(
        {
          total: summary["total"],
          actions: sumOf(summary["by_action"], "count"),
          providers: sumOf(summary["by_provider"], "count"),
          with_outcome: summary["with_outcome"],
          approved: summary["approved"],
          series: sumOf(summary["series"], "total"),
        },
        {
          total: expected,
          actions: expected,
          providers: expected,
          with_outcome: expected,
          approved: expected,
          series: expected,
        },
      );
      const { since, generated_at } = summary;
      assert.equal(Date.parse(String(generated_at)) - Date.parse(String(since)), days * DAY_MS);
      // The slowest decision is also the oldest.
      const slowestMs = 1 + Math.max(...within) / DAY_MS;
      assert.ok(Math.abs(Number(summary["p99_latency_ms"]) - slowestMs) < 0.01);

      const shadow = await get(`/v1/decisions/shadow-report?days=${days}`);
      assert.deepEqual(
        [shadow["total_shadow_decisions"], shadow["decisions_with_outcome"]],
        [expected, expected],
      );

      if (days > 30) return;
      const { status, text } = await send(service, "POST", "/v1/policies/backtest", {
        body: { merchant_id: "demo_merchant", policy: { rules: [] }, days },
        key,
      });
      assert.equal(status, 200, text);
      const last = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as Json;
      assert.equal(Number(last["replayed"]) + Number(last["not_replayable"]), expected);
    });
  }
});
