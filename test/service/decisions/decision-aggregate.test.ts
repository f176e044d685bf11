import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { reportOutcomes } from "../../support/people/feedback.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

async function newTenant(): Promise<{ workspaceId: string; key: string; live: string }> {
  const workspaceId = await createWorkspace(service);
  return {
    workspaceId,
    key: await createKey(service.pool, workspaceId),
    live: await createKey(service.pool, workspaceId, { mode: "live" }),
  };
}

async function decide(key: string, changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { status, json, text } = await send(service, "POST", "/v1/decision", {
    body: decisionBody(changes),
    key,
  });
  assert.equal(status, 200, text);
  return json;
}

const get = async (key: string, path: string): Promise<Record<string, unknown>> => {
  const { status, json, text } = await send(service, "GET", `/v1/decisions/${path}`, { key });
  assert.equal(status, 200, text);
  return json;
};

describe("GET /v1/decisions/aggregate", () => {
  it("AGG-1, AGG-2, AGG-3, AGG-4, AGG-5, SVC-10: answers the specification's fields over the full history of the key's mode", async () => {
    const { workspaceId, live: key } = await newTenant();
    const decisions: Record<string, unknown>[] = [];
    for (let i = 0; i < 10; i++) decisions.push(await decide(key, { order_id: `order_${i}` }));
    const ids = decisions.map((decision) => String(decision["decision_id"]));
    await reportOutcomes(
      service,
      workspaceId,
      key,
      new Map(
        ids
          .slice(0, 5)
          .map((id, i) => [
            id,
            { outcome: i < 3 ? "approved" : "timeout", providerUsed: "provider_1", mode: "live" },
          ]),
      ),
    );
    const {
      generated_at,
      avg_latency_ms,
      p95_latency_ms,
      by_provider,
      top_reason_codes,
      recent,
      ...figures
    } = await get(key, "aggregate");
    assert.deepEqual(figures, {
      total: 10,
      by_action: [{ action: "route", count: 10 }],
      by_risk_band: [{ band: "low", count: 10 }],
      reason_code_sample: 10,
      outcome_counts: [
        { outcome: "approved", count: 3 },
        { outcome: "timeout", count: 2 },
      ],
      with_outcome: 5,
      approved: 3,
      approval_rate: 0.6,
      feedback_rate: 0.5,
      source: "live",
    });
    assert.equal(new Date(String(generated_at)).toISOString(), generated_at);
    const providers = by_provider as { provider: string; count: number }[];
    const expected = decisions.map(({ route }) => (route as { primary_provider: string }).primary_provider);
    for (const { provider, count } of providers) {
      assert.equal(count, expected.filter((primary) => primary === provider).length);
    }
    assert.equal(
      providers.reduce((sum, { count }) => sum + count, 0),
      10,
    );
    // Latencies are counted with two decimals, so the figures may differ by half a hundredth.
    const latencies = decisions.map((decision) => decision["decision_latency_ms"] as number);
    const slowest = Math.max(...latencies);
    assert.ok(Math.abs((p95_latency_ms as number) - slowest) <= 0.005 + 1e-9);
    const mean = latencies.reduce((sum, ms) => sum + ms, 0) / 10;
    assert.ok(Math.abs((avg_latency_ms as number) - mean) <= 0.005 + 1e-9);
    const codes = new Map(
      (top_reason_codes as { code: string; count: number }[]).map(({ code, count }) => [code, count]),
    );
    const [first = {}] = decisions;
    for (const code of first["reason_codes"] as string[]) {
      const occurrences = decisions.filter((decision) =>
        (decision["reason_codes"] as string[]).includes(code),
      ).length;
      assert.equal(codes.get(code), occurrences);
    }
    assert.deepEqual(
      (recent as { decision_id: string }[]).map(({ decision_id }) => decision_id),
      ids.toReversed().slice(0, 8),
    );
    const [newest] = (await send(service, "GET", "/v1/decisions?page_size=1", { key })).json[
      "decisions"
    ] as unknown[];
    assert.deepEqual((recent as unknown[])[0], newest);
  });

  it("AGG-3: shows null rates and latencies without decisions", async () => {
    const { live } = await newTenant();
    const figures = await get(live, "aggregate");
    for (const field of ["approval_rate", "feedback_rate", "avg_latency_ms", "p95_latency_ms"]) {
      assert.equal(figures[field], null, field);
    }
    assert.deepEqual([figures["total"], figures["recent"], figures["reason_code_sample"]], [0, [], 0]);
  });

  it("counts a merchant's own decisions for a merchant-scoped key", async () => {
    const workspaceId = await createWorkspace(service, { merchants: ["shop_a", "shop_b"] });
    const all = await createKey(service.pool, workspaceId, { mode: "live" });
    const shopA = await createKey(service.pool, workspaceId, { mode: "live", merchantId: "shop_a" });
    for (const merchantId of ["shop_a", "shop_b", "shop_b"]) await decide(all, { merchant_id: merchantId });
    assert.equal((await get(all, "aggregate"))["total"], 3);
    assert.equal((await get(shopA, "aggregate"))["total"], 1);
  });

  it(
    "source is cache when served from the short-lived cache, which a write of this node ends",
    ONE_NODE,
    async () => {
      const { key } = await newTenant();
      const first = await get(key, "aggregate");
      const second = await get(key, "aggregate");
      assert.deepEqual([first["source"], second["source"]], ["live", "cache"]);
      assert.deepEqual({ ...second, source: "live" }, first);
      for (let i = 1; i <= 5; i++) {
        await decide(key);
        const next = await get(key, "aggregate");
        assert.deepEqual([next["total"], next["source"]], [(first["total"] as number) + i, "live"]);
      }
    },
  );

  it("replaces an outcome that is reported again, even after a fold of the rollups", async () => {
    const { workspaceId, live: key } = await newTenant();
    const id = String((await decide(key))["decision_id"]);
    const report = (outcome: "approved" | "hard_declined") =>
      reportOutcomes(
        service,
        workspaceId,
        key,
        new Map([[id, { outcome, providerUsed: "provider_1", mode: "live" }]]),
      );
    await report("approved");
    await service.pool.query("select fold_rollups()");
    await report("hard_declined");
    // A write on this node avoids an answer from the node's cache.
    await decide(key);
    const figures = await get(key, "aggregate");
    assert.deepEqual(figures["outcome_counts"], [{ outcome: "hard_declined", count: 1 }]);
    assert.deepEqual([figures["with_outcome"], figures["approved"]], [1, 0]);
  });

  it("an earlier outcome does not replace a later one, whichever node is drained first", async () => {
    const { workspaceId, live: key } = await newTenant();
    const id = String((await decide(key))["decision_id"]);
    const report = (outcome: "approved" | "timeout", reportedAtMs: number) =>
      reportOutcomes(
        service,
        workspaceId,
        key,
        new Map([[id, { outcome, providerUsed: "provider_1", mode: "live", reportedAtMs }]]),
      );
    const nowMs = Date.now();
    await report("approved", nowMs);
    await report("timeout", nowMs - 1000);
    assert.deepEqual((await get(key, "aggregate"))["outcome_counts"], [{ outcome: "approved", count: 1 }]);
  });
});

describe("GET /v1/decisions/shadow-report", () => {
  it("AGG-6, AGG-7, AGG-8, AGG-9, AGG-10: compares the merchant's choices with the recommendations", async () => {
    const { workspaceId, live: key } = await newTenant();
    const shadows: { id: string; primary: string; fallback: string }[] = [];
    for (let i = 0; i < 5; i++) {
      const { decision_id, route } = await decide(key, { decision_mode: "shadow" });
      const { primary_provider, fallback_provider } = route as Record<string, string>;
      shadows.push({
        id: String(decision_id),
        primary: String(primary_provider),
        fallback: String(fallback_provider),
      });
    }
    await decide(key);
    const [first, second, third, fourth] = shadows;
    assert.ok(first && second && third && fourth);
    await reportOutcomes(
      service,
      workspaceId,
      key,
      new Map([
        [first.id, { outcome: "approved", providerUsed: first.primary, mode: "live" }],
        [second.id, { outcome: "soft_declined", providerUsed: second.primary, mode: "live" }],
        [third.id, { outcome: "approved", providerUsed: third.fallback, mode: "live" }],
        [fourth.id, { outcome: "approved", providerUsed: "provider_5", mode: "live" }],
      ]),
    );
    const beforeMs = Date.now();
    const { since, ...report } = await get(key, "shadow-report");
    assert.deepEqual(report, {
      window_days: 30,
      total_shadow_decisions: 5,
      decisions_with_outcome: 4,
      truncated: false,
      actions: { route: 5 },
      route_comparison: {
        comparable: 4,
        merchant_used_recommended: 2,
        merchant_used_fallback: 1,
        merchant_diverged: 1,
        agreement_rate: 0.75,
        approval_rate_when_followed: 2 / 3,
        approval_rate_when_diverged: 1,
      },
    });
    assert.ok(Date.parse(String(since)) >= beforeMs - 30 * 86_400_000);
    assert.equal((await get(key, "shadow-report?days=90"))["window_days"], 90);
  });

  it("AGG-10: shows null rates if nothing is comparable", async () => {
    const { live } = await newTenant();
    assert.deepEqual((await get(live, "shadow-report"))["route_comparison"], {
      comparable: 0,
      merchant_used_recommended: 0,
      merchant_used_fallback: 0,
      merchant_diverged: 0,
      agreement_rate: null,
      approval_rate_when_followed: null,
      approval_rate_when_diverged: null,
    });
  });

  for (const [days, code] of [
    ["0", "too_small"],
    ["91", "too_big"],
    ["many", "invalid_type"],
  ]) {
    it(`AGG-6, ERR-1: days=${days} is a 400`, async () => {
      const { status, json } = await send(service, "GET", `/v1/decisions/shadow-report?days=${days}`);
      assert.equal(status, 400);
      const [issue] = json["issues"] as Record<string, unknown>[];
      assert.deepEqual([issue?.["path"], issue?.["code"]], ["query.days", code]);
    });
  }
});
