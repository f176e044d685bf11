import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

type Shown = Record<string, unknown>;

let service: RunningService;
let workspaceId: string;
let owner: Dashboard;
/** The month in which the decisions are made. */
let month: string;
before(async () => {
  service = await sharedTestService();
  month = new Date().toISOString().slice(0, 7);
  workspaceId = await createWorkspace(service, { merchants: ["other_merchant", "demo_merchant"] });
  // `createWorkspace` made a test decision, so the service already knows the workspace.
  owner = await openDashboard(service, workspaceId);
  const live = await createKey(service.pool, workspaceId, { mode: "live" });
  for (const [merchant_id, decision_mode, count] of [
    ["demo_merchant", "enforce", 3],
    ["demo_merchant", "shadow", 2],
    ["other_merchant", "shadow", 1],
  ] as const) {
    for (let i = 0; i < count; i++) {
      const body = decisionBody({ merchant_id, decision_mode });
      const { status, json } = await send(service, "POST", "/v1/decision", { body, key: live });
      assert.equal(status, 200);
      if (merchant_id === "demo_merchant" && decision_mode === "enforce") {
        const report = {
          decision_id: json["decision_id"],
          order_id: "order_1",
          provider_used: "provider_1",
          outcome: i === 0 ? "soft_declined" : "approved",
          provider_latency_ms: 200,
          amount: 129_900,
          currency: "USD",
        };
        assert.equal((await send(service, "POST", "/v1/outcomes", { body: report, key: live })).status, 200);
      }
    }
  }
});

async function usage(query = "", by = owner): Promise<Shown[]> {
  const { status, json, text } = await by.get(`/v1/admin/usage${query}`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(json), ["usage"]);
  return json["usage"] as Shown[];
}

describe("GET /v1/admin/usage", () => {
  it("ANA-4, SVC-10: counts billable and shadow decisions by month, mode and merchant, right after they were made", async () => {
    const rows = (await usage()).filter(({ mode }) => mode === "live");
    assert.deepEqual(rows, [
      { month, mode: "live", merchant_id: "demo_merchant", decisions: 3, shadow_decisions: 2 },
      { month, mode: "live", merchant_id: "other_merchant", decisions: 0, shadow_decisions: 1 },
    ]);
    const test = (await usage()).filter(({ mode }) => mode === "test");
    assert.ok(test.length > 0 && test.every(({ merchant_id }) => merchant_id === "demo_merchant"));
  });

  it("ANA-4: from and to are months, both included; to defaults to the current month, and from to to", async () => {
    const now = await usage();
    assert.deepEqual(await usage(`?from=${month}&to=${month}`), now);
    assert.deepEqual(await usage(`?from=${month}`), now);
    assert.deepEqual(await usage("?from=2020-01&to=2021-12"), []);
    assert.deepEqual(await usage("?to=2020-01"), []);
  });

  it("no workspace sees another's", async () => {
    const other = await openDashboard(service, await createWorkspace(service));
    const rows = await usage("", other);
    assert.deepEqual(
      rows.map(({ mode, merchant_id }) => [mode, merchant_id]),
      [["test", "demo_merchant"]],
    );
  });

  for (const [query, path, code] of [
    ["from=2026-13", "query.from", "invalid_string"],
    ["to=2026-1", "query.to", "invalid_string"],
    ["to=2026-01-01", "query.to", "invalid_string"],
    ["from=2026-03&to=2026-02", "query.from", "custom"],
    ["from=2024-01&to=2026-01", "query.from", "custom"],
    ["to=2026-01&to=2026-02", "query.to", "custom"],
  ]) {
    it(`refuses ${query}`, async () => {
      const { status, json } = await owner.get(`/v1/admin/usage?${query}`);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, path, code]);
    });
  }
});

describe("GET /v1/analytics/summary", () => {
  async function summary(query = ""): Promise<Shown> {
    const { status, json, text } = await owner.get(`/v1/analytics/summary${query}`);
    assert.equal(status, 200, text);
    return json;
  }

  it("ANA-1, SVC-3: sums up live decisions unless the query says mode=test, right after they were made", async () => {
    const { by_provider, since, series, generated_at, ...figures } = await summary();
    const latencies = ["avg", "p50", "p95", "p99"].map((name) => Number(figures[`${name}_latency_ms`]));
    assert.ok(latencies.every((ms) => ms > 0));
    assert.ok((latencies[1] as number) <= (latencies[2] as number));
    assert.ok((latencies[2] as number) <= (latencies[3] as number));
    for (const name of ["avg", "p50", "p95", "p99"]) delete figures[`${name}_latency_ms`];
    assert.deepEqual(figures, {
      range: "all",
      mode: "live",
      total: 6,
      by_action: [{ action: "route", count: 6 }],
      outcome_counts: [
        { outcome: "approved", count: 2 },
        { outcome: "soft_declined", count: 1 },
      ],
      with_outcome: 3,
      approved: 2,
      approval_rate: 2 / 3,
      feedback_rate: 0.5,
      series_interval: "month",
      cost: { since: null, by_currency: [] },
      retries: { since: null, by_failure: [] },
    });
    assert.equal(since, null);
    assert.equal(new Date(String(generated_at)).toISOString(), generated_at);
    assert.equal(
      (by_provider as { count: number }[]).reduce((sum, { count }) => sum + count, 0),
      6,
    );
    assert.deepEqual(series, [
      { start: `${month}-01T00:00:00.000Z`, total: 6, with_outcome: 3, approved: 2, approval_rate: 2 / 3 },
    ]);
    const test = await summary("?mode=test");
    assert.equal(test["mode"], "test");
    assert.equal(test["with_outcome"], 0);
    assert.equal(test["approval_rate"], null);
  });

  it("ANA-1: range is 24h, 7d, 30d, 90d or all; an unknown value falls back to all", async () => {
    for (const [range, interval, points] of [
      ["24h", "hour", 25],
      ["7d", "day", 8],
      ["30d", "day", 31],
      ["90d", "day", 91],
      ["all", "month", 1],
      ["1y", "month", 1],
    ] as const) {
      const { range: shown, series, series_interval, total } = await summary(`?range=${range}`);
      assert.deepEqual(
        [shown, series_interval, (series as unknown[]).length, total],
        [range === "1y" ? "all" : range, interval, points, 6],
      );
    }
  });

  it("a workspace without decisions has null rates; an invalid mode is refused", async () => {
    const fresh = await openDashboard(service, await createWorkspace(service));
    const { json } = await fresh.get("/v1/analytics/summary?range=7d");
    assert.deepEqual(
      [
        json["total"],
        json["approval_rate"],
        json["feedback_rate"],
        json["p95_latency_ms"],
        json["avg_latency_ms"],
      ],
      [0, null, null, null, null],
    );
    assert.equal((await fresh.get("/v1/analytics/summary?mode=both")).status, 400);
  });

  it("ANA-5, ANA-6, ANA-9: a group's figures are those of its filter, and the log lists its decisions", async () => {
    const { groups, groups_total, comparison, total } = await summary(
      "?range=24h&group_by=merchant_id,payment_method",
    );
    assert.deepEqual([groups_total, total], [2, 6]);
    const nothing = { decisions: 0, with_outcome: 0, approved: 0, approval_rate: null };
    const unknown = { before: nothing, difference: null, lost_approvals: null };
    assert.deepEqual(comparison, unknown);
    assert.deepEqual(groups, [
      {
        key: { merchant_id: "demo_merchant", payment_method: "card" },
        decisions: 5,
        with_outcome: 3,
        approved: 2,
        approval_rate: 2 / 3,
        ...unknown,
      },
      {
        key: { merchant_id: "other_merchant", payment_method: "card" },
        decisions: 1,
        with_outcome: 0,
        approved: 0,
        approval_rate: null,
        ...unknown,
      },
    ]);
    const to = new Date(Date.now() + 60_000).toISOString();
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const query = `merchant_id=demo_merchant&payment_method=card&from=${from}&to=${to}`;
    const narrowed = await summary(`?${query}`);
    assert.deepEqual(
      [narrowed["range"], narrowed["since"], narrowed["until"], narrowed["total"], narrowed["approved"]],
      [null, from, to, 5, 2],
    );
    assert.deepEqual([narrowed["cost"], narrowed["retries"], narrowed["p95_latency_ms"]], [null, null, null]);
    assert.equal("groups" in narrowed, false);
    const log = await owner.get(`/v1/decisions?${query}`);
    assert.equal(log.json["total"], 5);
    assert.equal((log.json["decisions"] as Shown[]).length, 5);
  });

  it("ANA-14, ANA-15: names the zone that was asked for, and begins days there", async () => {
    assert.equal("time_zone" in (await summary("?range=7d")), false);
    const { time_zone, series } = await summary("?range=7d&time_zone=Asia/Kolkata");
    assert.equal(time_zone, "Asia/Kolkata");
    for (const { start } of series as { start: string }[]) assert.match(start, /T19:00:00\.000Z$/);
  });

  for (const [query, path, code] of [
    ["group_by=", "query.group_by", "invalid_enum_value"],
    ["group_by=action", "query.group_by", "invalid_enum_value"],
    ["group_by=currency,currency", "query.group_by", "custom"],
    ["group_by=currency,country,provider", "query.group_by", "custom"],
    ["currency=usd", "query.currency", "invalid_string"],
    ["provider=Provider%201", "query.provider", "invalid_string"],
    ["range=7d&to=2026-11-26T10:00:00Z", "query.range", "custom"],
    ["currencies=USD", "query.currencies", "unrecognized_keys"],
    ["time_zone=Europe/Atlantis", "query.time_zone", "custom"],
    ["time_zone=%2B02:00", "query.time_zone", "custom"],
  ] as const) {
    it(`ANA-5, ANA-6, ANA-14, ERR-6: ${query} is a 400 of ${path}`, async () => {
      const { status, json } = await owner.get(`/v1/analytics/summary?${query}`);
      assert.equal(status, 400);
      assert.deepEqual(
        (json["issues"] as Shown[]).map((issue) => [issue["path"], issue["code"]]),
        [[path, code]],
      );
    });
  }
});
