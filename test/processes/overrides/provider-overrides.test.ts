import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { atOnce } from "../../support/service/at-once.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { IS_TWO_NODES, onEachNode } from "../../support/two-nodes-mode.js";
import type { Mode } from "../../../src/domain/vocabulary/vocabulary.js";

interface Tenant {
  workspaceId: string;
  owner: Dashboard;
  keys: Record<Mode, string>;
}

let service: RunningService;
before(async () => {
  // The prober ticks once a minute, so a change that shows sooner did not wait for a tick.
  service = await startTestService({ PROBE_INTERVAL_MS: "60000" });
});

async function newTenant(): Promise<Tenant> {
  const workspaceId = await createWorkspace(service);
  const keys = {
    test: await createKey(service.pool, workspaceId),
    live: await createKey(service.pool, workspaceId, { mode: "live" }),
  };
  return { workspaceId, owner: await openDashboard(service, workspaceId), keys };
}

const put = ({ owner }: Tenant, provider: string, body: unknown): Promise<Reply> =>
  owner.request("PUT", `/v1/admin/provider-overrides/${provider}`, body);

type Shown = Record<string, unknown>;
async function decide(key: string, changes: Shown = {}, of = service): Promise<Shown> {
  const { status, json, text } = await send(of, "POST", "/v1/decision", { body: decisionBody(changes), key });
  assert.equal(status, 200, text);
  return json;
}
const healthOf = (decision: Shown, provider: string): unknown[] => {
  const { state, score, source } = (decision["provider_health"] as Record<string, Shown>)[provider] ?? {};
  return [state, score, source];
};
async function snapshots(key: string): Promise<Map<string, Shown>> {
  const { json } = await send(service, "GET", "/v1/provider-health", { key });
  return new Map((json["providers"] as Shown[]).map((row) => [String(row["segment_key"]), row]));
}

/** Returns the view with provider_1 pinned as critical with the score 31.5. */
function withPin(view: ReadonlyMap<string, Shown>): Map<string, Shown> {
  return new Map(
    Array.from(view, ([segment, row]) => [
      segment,
      segment.startsWith("provider_1:")
        ? { ...row, state: "critical", score: 31.5, reason_codes: ["HEALTH_CRITICAL", "PROVIDER_1_PINNED"] }
        : row,
    ]),
  );
}

describe("PUT /v1/admin/provider-overrides/:provider", () => {
  it("ALRT-6: pins only state, score and source of this workspace's view, in both modes, from the answer on", async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    const { status, json } = await atOnce(
      () => put(tenant, "provider_1", { state: "critical", score: 31.5 }),
      async (reply) => {
        const pinned = healthOf(await decide(tenant.keys.test), "provider_1");
        assert.deepEqual(pinned, ["critical", 31.5, "demo"]);
        return reply;
      },
    );
    assert.equal(status, 200);
    assert.deepEqual(json, {
      provider: "provider_1",
      overrides: [{ state: "critical", score: 31.5, payment_method: null, currency: null }],
    });
    await onEachNode(async () => {
      for (const key of Object.values(tenant.keys)) {
        const decision = await decide(key);
        assert.deepEqual(healthOf(decision, "provider_1"), ["critical", 31.5, "demo"]);
        assert.equal((decision["route"] as Shown)["primary_provider"], "provider_2");
        // The prober may tick between two reads. So all other snapshots must equal those of everybody's view before
        // or after.
        const views = [await snapshots(other.keys.test)];
        const shown = await snapshots(key);
        views.push(await snapshots(other.keys.live));
        assert.ok(
          views.some((view) => isDeepStrictEqual(shown, withPin(view))),
          JSON.stringify([...shown.values()]),
        );
      }
      for (const key of Object.values(other.keys)) {
        assert.equal(healthOf(await decide(key), "provider_1")[2], "probe");
      }
    });
  });

  it("ALRT-19: a drill of one mode leaves the other as it is, and is lifted by its mode", async () => {
    const tenant = await newTenant();
    const body = { state: "critical", mode: "live" };
    const { json } = await put(tenant, "provider_1", body);
    const pin = { state: "critical", score: 35, payment_method: null, currency: null, mode: "live" };
    assert.deepEqual(json, { provider: "provider_1", overrides: [pin] });
    await onEachNode(async () => {
      await eventually(async () =>
        assert.equal(healthOf(await decide(tenant.keys.live), "provider_1")[2], "demo"),
      );
      assert.equal(healthOf(await decide(tenant.keys.test), "provider_1")[2], "probe");
    });
    const kept = await put(tenant, "provider_1", { state: null });
    assert.deepEqual(kept.json, { provider: "provider_1", overrides: [pin] });
    const lifted = await put(tenant, "provider_1", { state: null, mode: "live" });
    assert.deepEqual(lifted.json, { provider: "provider_1", overrides: [] });
  });

  it("ALRT-20: a drill ends by itself, and the answer has none that has ended", async () => {
    const probing = await startTestService();
    const workspaceId = await createWorkspace(probing);
    const key = await createKey(probing.pool, workspaceId);
    const owner = await openDashboard(probing, workspaceId);
    const pin = (provider: string, body: unknown) =>
      owner.request("PUT", `/v1/admin/provider-overrides/${provider}`, body);
    let expires_at = "";
    let json: Shown = {};
    // A slow host may need longer for the request than the drill lasts. The end is then past, and the next is later.
    for (let aheadMs = 3000; json["provider"] === undefined; aheadMs *= 2) {
      expires_at = new Date(Date.now() + aheadMs).toISOString();
      ({ json } = await pin("provider_1", { state: "critical", expires_at }));
      if (json["error"] !== undefined) assert.match(JSON.stringify(json), /Must be in the future/);
    }
    const drill = { state: "critical", score: 35, payment_method: null, currency: null, expires_at };
    assert.deepEqual(json, { provider: "provider_1", overrides: [drill] });
    await eventually(async () =>
      assert.equal(healthOf(await decide(key, {}, probing), "provider_1")[2], "probe"),
    );
    assert.ok(Date.now() >= Date.parse(expires_at));
    const later = await pin("provider_1", { state: "watch", currency: "EUR" });
    assert.deepEqual(
      (later.json["overrides"] as Shown[]).map(({ state }) => state),
      ["watch"],
    );
  });

  for (const [what, body, path, code] of [
    [
      "an end that is past",
      { state: "critical", expires_at: "2020-01-01T00:00:00Z" },
      "expires_at",
      "custom",
    ],
    ["an end that is no time", { state: "critical", expires_at: "soon" }, "expires_at", "invalid_string"],
    ["an unknown mode", { state: "critical", mode: "prod" }, "mode", "invalid_enum_value"],
  ] as const) {
    it(`ALRT-19, ALRT-20: 400 ${code} for ${what}`, async () => {
      const reply = await put(await newTenant(), "provider_1", body);
      const [issue] = reply.json["issues"] as { path: string; code: string }[];
      assert.deepEqual([reply.status, issue?.path, issue?.code], [400, path, code]);
    });
  }

  for (const [state, score] of [
    ["healthy", 95],
    ["watch", 75],
    ["degraded", 60],
    ["critical", 35],
    ["unavailable", 0],
    ["unknown", 50],
  ] as const) {
    it(`the default score of ${state} is ${score}; state null lifts it`, async () => {
      const tenant = await newTenant();
      const other = await newTenant();
      const unpinned = async () => healthOf(await decide(other.keys.test), "provider_2");
      await atOnce(
        () => put(tenant, "provider_2", { state }),
        async () =>
          assert.deepEqual(healthOf(await decide(tenant.keys.test), "provider_2"), [state, score, "demo"]),
      );
      await atOnce(
        () => put(tenant, "provider_2", { state: null }),
        async ({ json }) => {
          assert.deepEqual(json, { provider: "provider_2", overrides: [] });
          // The prober may tick between two reads. So the view must equal everybody's view before or after.
          const views = [await unpinned()];
          const own = healthOf(await decide(tenant.keys.test), "provider_2");
          views.push(await unpinned());
          assert.ok(
            views.some((view) => isDeepStrictEqual(view, own)),
            `${String(own)} of ${views.map(String).join(", ")}`,
          );
        },
      );
    });
  }

  it("a provider taken out by hand is excluded from decisions, and failover leaves it", async () => {
    const tenant = await newTenant();
    const decision = await atOnce(
      () => put(tenant, "provider_1", { state: "unavailable" }),
      async () => {
        const made = await decide(tenant.keys.live, {
          previous_attempt: { provider: "provider_1", outcome: "timeout" },
        });
        assert.deepEqual(healthOf(made, "provider_1"), ["unavailable", 0, "demo"]);
        return made;
      },
    );
    assert.equal(decision["action"], "failover");
    const detail = await sendRead(service, "GET", `/v1/decisions/${String(decision["decision_id"])}`, {
      key: tenant.keys.live,
    });
    const [first] = detail.json["provider_evaluations"] as Shown[];
    assert.deepEqual(
      [first?.["provider"], first?.["eligible"], first?.["exclusion_reason"]],
      ["provider_1", false, "CIRCUIT_OPEN"],
    );
    assert.equal(detail.json["provider_health_source"], "probe");
  });

  it("a simulation uses the pin, and a replay of a decision under it is identical after the lift", async () => {
    const tenant = await newTenant();
    const { merchant_id, transaction, available_providers } = decisionBody();
    const simulated = await atOnce(
      () => put(tenant, "provider_1", { state: "unavailable" }),
      async () => {
        const reply = await send(service, "POST", "/v1/policies/simulate", {
          body: { merchant_id, transaction, available_providers },
          key: tenant.keys.test,
        });
        assert.equal((reply.json["route"] as Shown)["primary_provider"], "provider_2");
        return reply;
      },
    );
    assert.deepEqual(simulated.json["excluded_providers"], [
      { provider: "provider_1", exclusion_reason: "CIRCUIT_OPEN" },
    ]);
    const id = String((await decide(tenant.keys.test))["decision_id"]);
    await put(tenant, "provider_1", { state: null });
    const replayed = await sendRead(service, "POST", `/v1/decisions/${id}/replay`, { key: tenant.keys.test });
    assert.deepEqual([replayed.status, replayed.json["identical"]], [200, true], replayed.text);
  });

  it("payment_method and currency narrow a pin; a later, narrower pin is an exception to a wider one", async () => {
    const tenant = await newTenant();
    await put(tenant, "provider_1", { state: "degraded", payment_method: "card" });
    await atOnce(
      () => put(tenant, "provider_1", { state: "watch", payment_method: "card", currency: "ZAR" }),
      async ({ json }) => {
        assert.deepEqual(json["overrides"], [
          { state: "degraded", score: 60, payment_method: "card", currency: null },
          { state: "watch", score: 75, payment_method: "card", currency: "ZAR" },
        ]);
        for (const [payment_method, currency, state] of [
          ["card", "USD", "degraded"],
          ["card", "ZAR", "watch"],
          ["wallet", "USD", "healthy"],
        ]) {
          const transaction = { amount: 100, currency, country: "US", payment_method };
          const decision = await decide(tenant.keys.test, { transaction });
          assert.equal(healthOf(decision, "provider_1")[0], state, `${payment_method} ${currency}`);
        }
      },
    );
  });

  it("CODE-4: a pin is explained as PROVIDER_n_PINNED, in the snapshot and in the decision", async () => {
    const tenant = await newTenant();
    await atOnce(
      () => put(tenant, "provider_2", { state: "degraded" }),
      async () => {
        const { reason_codes } = await decide(tenant.keys.test);
        assert.ok((reason_codes as string[]).includes("PROVIDER_2_PINNED"), String(reason_codes));
        assert.ok(!(reason_codes as string[]).includes("PROVIDER_1_PINNED"));
        for (const [segment, row] of await snapshots(tenant.keys.test)) {
          const isPinned = (row["reason_codes"] as string[]).includes("PROVIDER_2_PINNED");
          assert.equal(isPinned, segment.startsWith("provider_2:"), segment);
        }
      },
    );
  });

  it("CODE-4: a provider pinned healthy carries PINNED instead of HEALTHY_FOR_SEGMENT, chosen or not", async () => {
    const tenant = await newTenant();
    await atOnce(
      () => put(tenant, "provider_1", { state: "healthy", score: 100 }),
      async () => {
        const { route, reason_codes } = await decide(tenant.keys.test);
        assert.equal((route as { primary_provider: string }).primary_provider, "provider_1");
        assert.ok((reason_codes as string[]).includes("PROVIDER_1_PINNED"), String(reason_codes));
        assert.ok(!(reason_codes as string[]).includes("PROVIDER_1_HEALTHY_FOR_SEGMENT"));
        for (const [segment, row] of await snapshots(tenant.keys.test)) {
          const codes = row["reason_codes"] as string[];
          assert.ok(!segment.startsWith("provider_1:") || !codes.some((code) => code.includes("HEALTHY")));
        }
      },
    );
  });

  it("ALRT-10: a lift without narrowing removes only the pin without narrowing", async () => {
    const tenant = await newTenant();
    await put(tenant, "provider_1", { state: "unavailable" });
    await put(tenant, "provider_1", { state: "watch", payment_method: "card" });
    await atOnce(
      () => put(tenant, "provider_1", { state: null }),
      async ({ json }) => {
        assert.deepEqual(json["overrides"], [
          { state: "watch", score: 75, payment_method: "card", currency: null },
        ]);
        const shown = await snapshots(tenant.keys.test);
        assert.equal(shown.get("provider_1:card:USD")?.["state"], "watch");
        assert.equal(shown.get("provider_1:wallet:USD")?.["state"], "healthy");
      },
    );
    const lifted = await put(tenant, "provider_1", { state: null, payment_method: "card" });
    assert.deepEqual(lifted.json["overrides"], []);
  });

  it("SVC-16, SVC-17: a drill is in the history of its mode with its decisions, for owner and admin", async () => {
    const tenant = await newTenant();
    const path = "/v1/admin/provider-overrides/history";
    const drillsOf = async (query: string): Promise<Shown[]> => {
      const { status, json, text } = await tenant.owner.get(path + query);
      assert.equal(status, 200, text);
      return json["drills"] as Shown[];
    };
    await put(tenant, "provider_1", { state: "unavailable", mode: "test" });
    const [held] = await drillsOf("?mode=test");
    assert.deepEqual([held?.["ended_at"], held?.["ended_by"], held?.["ending"]], [null, null, null]);
    await decide(tenant.keys.test);
    await put(tenant, "provider_1", { state: null, mode: "test" });
    const [drill] = await drillsOf("?mode=test&page_size=1");
    const { traffic, started_by, ended_by, ending, mode } = drill as Shown & { traffic: { during: Shown } };
    const { decisions, routed_to_provider, with_outcome, approval_rate } = traffic.during;
    assert.deepEqual(
      [started_by, ended_by, ending, mode],
      [tenant.owner.userId, tenant.owner.userId, "lifted", "test"],
    );
    assert.deepEqual([decisions, routed_to_provider, with_outcome, approval_rate], [1, 0, 0, null]);
    assert.deepEqual(await drillsOf(""), []);
    assert.equal((await tenant.owner.get(`${path}?page_size=26`)).status, 400);
    assert.equal((await tenant.owner.get(`${path}?provider=provider_1`)).status, 400);
  });

  it("concurrent changes all hold", async () => {
    const tenant = await newTenant();
    const currencies = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"];
    await atOnce(
      () =>
        Promise.all(currencies.map((currency) => put(tenant, "provider_1", { state: "critical", currency }))),
      async () => {
        for (const currency of currencies) {
          const transaction = { amount: 100, currency, country: "US", payment_method: "card" };
          const decision = await decide(tenant.keys.test, { transaction });
          assert.equal(healthOf(decision, "provider_1")[0], "critical");
        }
      },
    );
  });

  it("ALRT-6: a pin holds after kill -9, from the first decision on", async () => {
    const tenant = await newTenant();
    await put(tenant, "provider_1", { state: "unavailable" });
    await service.killAndRestart();
    assert.deepEqual(healthOf(await decide(tenant.keys.test), "provider_1"), ["unavailable", 0, "demo"]);
  });

  it("ALRT-6: a pin reaches another node of the database", async () => {
    const tenant = await newTenant();
    // With two nodes behind the edge, one of them did not handle the request for the change.
    const nodes = IS_TWO_NODES
      ? service.nodes
      : [
          await startTestService({
            DATABASE_URL: service.pool.options.connectionString ?? "",
            PROBE_INTERVAL_MS: "60000",
          }),
        ];
    const shown = async (node: RunningService): Promise<unknown[]> =>
      healthOf(await decide(tenant.keys.test, {}, node), "provider_1");
    await put(tenant, "provider_1", { state: "critical" });
    for (const node of nodes) await eventually(async () => assert.equal((await shown(node))[0], "critical"));
    await put(tenant, "provider_1", { state: null });
    for (const node of nodes) await eventually(async () => assert.equal((await shown(node))[2], "probe"));
  });

  it("an unknown provider is 404", async () => {
    const { status, json } = await put(await newTenant(), "provider_9", { state: "critical" });
    assert.deepEqual([status, json["message"]], [404, "Provider not found"]);
  });

  for (const [what, body, issue] of [
    ["no state", {}, ["state", "invalid_type"]],
    ["an unknown state", { state: "down" }, ["state", "invalid_enum_value"]],
    ["a score over 100", { state: "watch", score: 100.1 }, ["score", "too_big"]],
    ["a score under 0", { state: "watch", score: -1 }, ["score", "too_small"]],
    [
      "an unknown method",
      { state: "watch", payment_method: "cash" },
      ["payment_method", "invalid_enum_value"],
    ],
    ["an unknown currency", { state: "watch", currency: "usd" }, ["currency", "invalid_string"]],
    ["an unknown field", { state: "watch", until: "later" }, ["until", "unrecognized_keys"]],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { status, json } = await put(await newTenant(), "provider_1", body);
      const issues = (json["issues"] as { path: string; code: string }[]).map(({ path, code }) => [
        path,
        code,
      ]);
      assert.deepEqual([status, issues], [400, [issue]]);
    });
  }
});
