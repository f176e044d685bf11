import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { HEALTH_STATES, PAYMENT_METHODS } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  PROBED_AS_DELIVERED,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { freezeHealth, FROZEN_PROBER } from "../../support/service/frozen-health.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { IS_TWO_NODES } from "../../support/two-nodes-mode.js";

const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"];
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Snapshot = Record<string, unknown>;

let service: RunningService;
/** The service's answer as soon as it was ready. */
let snapshotsAtStart: Snapshot[];
before(async () => {
  service = await startTestService({ ...PROBED_AS_DELIVERED, PROBE_INTERVAL_MS: "100" });
  snapshotsAtStart = await snapshots();
});

async function snapshots(of = service): Promise<Snapshot[]> {
  const { status, json } = await send(of, "GET", "/v1/provider-health");
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ["providers"]);
  return json["providers"] as Snapshot[];
}

function assertWithin(value: unknown, min: number, max: number, what: string): void {
  assert.ok(typeof value === "number" && value >= min && value <= max, `${what}: ${String(value)}`);
}

describe("Provider health snapshot", () => {
  it("FMT-14, FMT-15, HLTH-1, HLTH-2, HLTH-3, HLTH-4, HLTH-5, RES-8: has exactly the specification's fields, with the right types", async () => {
    for (const snapshot of await snapshots()) {
      assert.deepEqual(Object.keys(snapshot), [
        "provider",
        "segment_key",
        "score",
        "state",
        "confidence",
        "p95_latency_ms",
        "timeout_rate",
        "error_5xx_rate",
        "throttle_429_rate",
        "approval_rate",
        "approval_rate_baseline",
        "webhook_lag_seconds",
        "sample_size",
        "window_seconds",
        "reason_codes",
        "updated_at",
      ]);
      const what = String(snapshot["segment_key"]);
      for (const field of ["score", "confidence"]) assertWithin(snapshot[field], 0, 100, `${what} ${field}`);
      for (const field of [
        "timeout_rate",
        "error_5xx_rate",
        "throttle_429_rate",
        "approval_rate",
        "approval_rate_baseline",
      ]) {
        assertWithin(snapshot[field], 0, 1, `${what} ${field}`);
      }
      for (const field of ["p95_latency_ms", "webhook_lag_seconds", "sample_size"]) {
        assertWithin(snapshot[field], 0, 1e9, `${what} ${field}`);
      }
      assert.equal(snapshot["window_seconds"], 300);
      assert.ok((HEALTH_STATES as readonly unknown[]).includes(snapshot["state"]));
      for (const code of snapshot["reason_codes"] as string[]) {
        assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
      }
      assert.match(String(snapshot["updated_at"]), UTC_MILLISECONDS);
    }
  });

  it("HLTH-2, HLTH-7, HLTH-25: exists for every provider, payment method and probed currency as soon as the node is ready", async () => {
    const expected = PROVIDERS.flatMap((provider) =>
      PAYMENT_METHODS.flatMap((method) => CURRENCIES.map((currency) => `${provider}:${method}:${currency}`)),
    );
    assert.deepEqual(
      snapshotsAtStart.map((snapshot) => String(snapshot["segment_key"])).toSorted(),
      expected.toSorted(),
    );
    for (const { provider, segment_key: key, state, sample_size: samples } of snapshotsAtStart) {
      assert.ok(String(key).startsWith(`${String(provider)}:`));
      assert.notEqual(state, "unknown");
      assert.ok((samples as number) >= 20);
    }
  });

  it("HLTH-8: changes with the prober", async () => {
    const first = (await snapshots())[0]?.["updated_at"];
    await eventually(async () => assert.notEqual((await snapshots())[0]?.["updated_at"], first));
  });

  it("FMT-4: follows PROVIDERS and PROBE_CURRENCIES, and so do decisions", async () => {
    const other = await startTestService({ PROVIDERS: "acme_pay,zeta", PROBE_CURRENCIES: "CHF" });
    const keys = (await snapshots(other)).map((snapshot) => String(snapshot["segment_key"]));
    assert.deepEqual(
      keys.toSorted(),
      ["acme_pay", "zeta"].flatMap((p) => PAYMENT_METHODS.map((m) => `${p}:${m}:CHF`)).toSorted(),
    );
    const offered = (providers: string[]) =>
      send(other, "POST", "/v1/decision", { body: decisionBody({ available_providers: providers }) });
    const { status, json } = await offered(["zeta", "acme_pay"]);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json["provider_health"] as object), ["zeta", "acme_pay"]);
    const refused = await offered(["provider_1"]);
    const [issue] = refused.json["issues"] as { path: string; code: string }[];
    assert.deepEqual(
      [refused.status, issue?.path, issue?.code],
      [400, "available_providers.0", "invalid_enum_value"],
    );
  });

  it("HLTH-1: answers a key of either mode, and accepts no parameters", async () => {
    for (const mode of ["test", "live"] as const) {
      const key = await createKey(service.pool, service.workspaceId, { mode, scopes: ["health:read"] });
      const { status, json } = await send(service, "GET", "/v1/provider-health", { key });
      assert.equal(status, 200);
      assert.equal((json["providers"] as unknown[]).length, 160);
      // ERR-16: this endpoint has no parameter `provider`.
      const asked = await send(service, "GET", "/v1/provider-health?provider=none", { key });
      assert.equal(asked.status, 400);
    }
  });
});

describe("provider_health in a decision", () => {
  let unprobed: RunningService;
  before(async () => {
    unprobed = await startTestService({
      ...PROBED_AS_DELIVERED,
      ...FROZEN_PROBER,
      RATE_LIMIT_PER_MINUTE: "0",
    });
  });

  it("HLTH-25, HLTH-26: PROBE_INTERVAL_MS=0: unknown at first, and then as outcomes show, for this workspace only", async () => {
    const other = await createKey(unprobed.pool, await createWorkspace(unprobed));
    const found = await snapshots(unprobed);
    assert.equal(found.length, 160);
    assert.deepEqual(new Set(found.map(({ state }) => state)), new Set(["unknown"]));
    const shown = async (key = unprobed.key): Promise<unknown> => {
      const { json } = await send(unprobed, "POST", "/v1/decision", { body: decisionBody(), key });
      const health = json["provider_health"] as Record<string, Snapshot>;
      return Object.values(health).map(({ state, source }) => `${String(state)} ${String(source)}`);
    };
    assert.deepEqual(await shown(), ["unknown unknown", "unknown unknown"]);
    const pay = async (): Promise<void> => {
      const { json } = await send(unprobed, "POST", "/v1/decision", { body: decisionBody() });
      const body = {
        decision_id: json["decision_id"],
        order_id: "order_1",
        provider_used: "provider_1",
        outcome: "approved",
        provider_latency_ms: 200,
        amount: 129_900,
        currency: "USD",
      };
      assert.equal((await send(unprobed, "POST", "/v1/outcomes", { body })).status, 200);
    };
    await Promise.all(Array.from({ length: 25 }, pay));
    await eventually(async () => assert.deepEqual(await shown(), ["healthy live", "unknown unknown"]));
    assert.deepEqual(await shown(other), ["unknown unknown", "unknown unknown"]);
  });

  it("HLTH-1, RES-8: equals the snapshots, for the requested providers only", async () => {
    await freezeHealth(unprobed, { "provider_2:EUR": { score: 71.25, state: "watch" } });
    const stored = await snapshots(unprobed);
    const { json } = await send(unprobed, "POST", "/v1/decision", {
      body: decisionBody({
        transaction: { amount: 1, currency: "EUR", country: "DE", payment_method: "wallet" },
        available_providers: ["provider_4", "provider_2"],
      }),
    });
    const health = json["provider_health"] as Record<string, Snapshot>;
    assert.deepEqual(Object.keys(health), ["provider_4", "provider_2"]);
    for (const [provider, shown] of Object.entries(health)) {
      const { score, state, confidence } =
        stored.find((snapshot) => snapshot["segment_key"] === `${provider}:wallet:EUR`) ?? {};
      assert.deepEqual(shown, { score, state, confidence, source: "probe" });
    }
  });

  it("HLTH-17: is partial for a currency without its own segment", async () => {
    const { json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({
        transaction: { amount: 1, currency: "ZAR", country: "ZA", payment_method: "card" },
      }),
    });
    for (const shown of Object.values(json["provider_health"] as Record<string, Snapshot>)) {
      assert.equal(shown["source"], "partial");
      assert.notEqual(shown["state"], "unknown");
    }
    const detail = await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`);
    assert.equal(detail.json["provider_health_source"], "partial");
  });
});

describe("GET /health and GET /ready", () => {
  it("FMT-3, OPS-1: /health is an object with status, service and time", async () => {
    const { status, json } = await send(service, "GET", "/health", { key: null });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), ["status", "service", "time"]);
    assert.deepEqual([json["status"], json["service"]], ["ok", "payinference"]);
    assert.match(String(json["time"]), UTC_MILLISECONDS);
  });

  it("OPS-2, SET-4: /ready names the database and the cache store", async () => {
    const { status, text } = await send(service, "GET", "/ready", { key: null });
    assert.equal(status, 200);
    const store = IS_TWO_NODES ? "valkey" : "lmdb";
    assert.equal(text, `{"status":"ready","checks":{"postgres":"ok","${store}":"ok"}}`);
  });
});
