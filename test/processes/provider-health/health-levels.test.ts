import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import {
  decisionBody,
  eventually,
  send,
  PROBED_AS_DELIVERED,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

type Shown = Record<string, unknown>;

const VERVE = { country: "NG", card_network: "verve" } as const;
const VISA = { country: "NG", card_network: "visa" } as const;
const US = { country: "US", card_network: "visa" } as const;
const SEGMENT = "provider_1:card:NGN";
const AT_ONCE = 20;

let service: RunningService;
let key: string;
let owner: Dashboard;
before(async () => {
  service = await startTestService({ ...PROBED_AS_DELIVERED, RATE_LIMIT_PER_MINUTE: "0" });
  const workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId, { mode: "live" });
  owner = await openDashboard(service, workspaceId);
});

async function decide(place: object): Promise<Shown> {
  const transaction = { amount: 129_900, currency: "NGN", payment_method: "card", ...place };
  const { status, json, text } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({ transaction }),
    key,
  });
  assert.equal(status, 200, text);
  return json;
}

async function report(place: object, outcome: string, count: number, code?: string): Promise<void> {
  const pay = async (): Promise<void> => {
    const body = {
      decision_id: (await decide(place))["decision_id"],
      order_id: "order_1",
      provider_used: "provider_1",
      outcome,
      provider_latency_ms: 300,
      amount: 129_900,
      currency: "NGN",
      ...(code === undefined ? {} : { provider_reason_code: code }),
    };
    assert.equal((await send(service, "POST", "/v1/outcomes", { body, key })).status, 200);
  };
  for (let left = count; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, pay));
  }
}

const scoreOf = (decision: Shown): number =>
  Number((decision["model"] as { route_scores: Record<string, number> }).route_scores["provider_1"]);

async function rows(): Promise<Map<string, Shown>> {
  const { status, json } = await send(service, "GET", "/v1/provider-health?detail=segments", { key });
  assert.equal(status, 200);
  return new Map((json["providers"] as Shown[]).map((row) => [String(row["segment_key"]), row]));
}

describe("health by country and card network", () => {
  before(async () => {
    await report(US, "approved", 200);
    await report(VISA, "approved", 60);
    await report(VERVE, "soft_declined", 60, "05");
    await report(VISA, "soft_declined", 20, "insufficient_funds");
  });

  it("HLTH-32: a fall in one card network of one country moves its payments, and no others", async () => {
    const probedScore = scoreOf(await decide({ country: "US", currency: "EUR" }));
    await eventually(async () => {
      const [verve, visa, us] = await Promise.all([decide(VERVE), decide(VISA), decide(US)]);
      assert.ok(scoreOf(verve) < probedScore - 10, `${scoreOf(verve)} of ${probedScore}`);
      assert.ok(scoreOf(visa) > scoreOf(verve) + 10, `${scoreOf(visa)}, ${scoreOf(verve)}`);
      // The level is shrunk towards the payments of all other countries. Here these are the payments of Nigeria.
      assert.ok(scoreOf(us) > scoreOf(verve) + 10, `${scoreOf(us)}, ${scoreOf(verve)}`);
      assert.ok(scoreOf(us) > probedScore - 8, `${scoreOf(us)} of ${probedScore}`);
      assert.notEqual((verve["route"] as Shown)["primary_provider"], "provider_1");
    });
  });

  it("ALRT-15, ALRT-18: the fall opens an alert that names its place and says its counts", async () => {
    await eventually(async () => {
      const { status, json } = await owner.request("GET", "/v1/alerts?mode=live");
      assert.equal(status, 200);
      const drops = (json["alerts"] as Shown[]).filter(({ kind }) => kind === "approval_drop");
      assert.deepEqual(
        drops.filter(({ closed_at }) => closed_at === null).map(({ segment_key }) => segment_key),
        [`${SEGMENT}:NG:verve`],
      );
      const [drop] = drops;
      assert.deepEqual([drop?.["provider"], drop?.["reason_code"]], ["provider_1", "APPROVAL_DROP"]);
      const { outcomes, approved, failed, rate, bound, baseline } = (drop?.["evidence"] ?? {}) as Record<
        string,
        number
      >;
      assert.ok((outcomes ?? 0) >= 30 && (outcomes ?? 0) <= 60, JSON.stringify(drop));
      assert.deepEqual([approved, failed, rate], [0, null, 0]);
      assert.ok((bound ?? 1) < (baseline ?? 0) - 0.1);
    });
  });

  it("a decision by a deeper level is the same when it is made again", async () => {
    const { decision_id: decisionId } = await decide(VERVE);
    await eventually(async () => {
      const { status, json } = await owner.request("POST", `/v1/decisions/${String(decisionId)}/replay`);
      assert.equal(status, 200);
      assert.deepEqual([json["identical"], json["differences"]], [true, []]);
    });
  });

  it("HLTH-29, HLTH-30, HLTH-33: shows the levels with their evidence, payments and probes separately", async () => {
    await eventually(async () => {
      const shown = await rows();
      const [top, verve, visa] = [SEGMENT, `${SEGMENT}:NG:verve`, `${SEGMENT}:NG:visa`].map((name) =>
        shown.get(name),
      );
      assert.ok(top && verve && visa && shown.has(`${SEGMENT}:NG`) && shown.has(`${SEGMENT}:US:visa`));
      const live = verve["live"] as Record<string, number>;
      assert.ok(Math.abs((live["n"] ?? 0) - 60) < 1);
      assert.deepEqual([live["approval_rate"], live["technical_rate"]], [0, 0]);
      assert.equal(verve["probe"], null);
      assert.ok(Math.abs((live["p95_latency_ms"] ?? 0) - 300) <= 15);
      const { n, rate, parent_rate: parent } = verve as Record<string, number>;
      assert.ok(Math.abs((rate ?? NaN) - (50 * (parent ?? NaN)) / ((n ?? NaN) + 50)) < 1e-4);
      const blame = visa["blame"] as Record<string, number>;
      assert.ok(Math.abs((blame["customer"] ?? 0) - 20) < 1 && blame["provider"] === 0);
      assert.equal((visa["live"] as Shown)["approval_rate"], 1);
      // 725 to 750 probes are in the window, and none of them is among the payments.
      assert.ok(Number((top["probe"] as Shown)["n"]) > 700);
      assert.ok(Math.abs(Number((top["live"] as Shown)["n"]) - 340) < 4);
      const quiet = shown.get("provider_2:card:NGN");
      assert.deepEqual(quiet?.["live"], {
        n: 0,
        approval_rate: null,
        technical_rate: null,
        p95_latency_ms: null,
      });
    });
  });

  it("HLTH-1, HLTH-33: without the parameter the answer is that of the segments; another value is refused", async () => {
    const { json } = await send(service, "GET", "/v1/provider-health", { key });
    for (const row of json["providers"] as Shown[]) {
      assert.equal(String(row["segment_key"]).split(":").length, 3);
      assert.equal("live" in row, false);
    }
    const refused = await send(service, "GET", "/v1/provider-health?detail=all", { key });
    assert.equal(refused.status, 400);
    assert.deepEqual(
      (refused.json["issues"] as Shown[]).map(({ path, code }) => [path, code]),
      [["query.detail", "invalid_enum_value"]],
    );
  });

  it("HLTH-11: after kill -9 the levels are unchanged", async () => {
    // A level without news follows its segment the next time that all levels are judged. A start judges all of them at
    // once.
    const nowMs = Date.now();
    await eventually(async () => {
      const level = (await rows()).get(`${SEGMENT}:NG:verve`);
      assert.ok(Date.parse(String(level?.["updated_at"])) > nowMs);
    });
    const before = scoreOf(await decide(VERVE));
    await service.killAndRestart();
    const after = scoreOf(await decide(VERVE));
    assert.ok(Math.abs(after - before) < 2, `${after}, not ${before}`);
  });
});
