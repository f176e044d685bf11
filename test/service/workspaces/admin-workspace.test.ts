import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { atOnce } from "../../support/service/at-once.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import {
  decisionBody,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let key: string;
let owner: Dashboard;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId);
  owner = await openDashboard(service, workspaceId);
});

const decide = (changes: Record<string, unknown> = {}): Promise<Reply> =>
  send(service, "POST", "/v1/decision", { body: decisionBody(changes), key });
const patch = (body: unknown): Promise<Reply> => owner.request("PATCH", "/v1/admin/workspace", body);
const issuesOf = ({ json }: Reply): string[] =>
  (json["issues"] as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
const RISKY = { amount: 100, currency: "USD", country: "US", payment_method: "card", risk_score: 60 };

describe("GET, PATCH /v1/admin/workspace", () => {
  it("ADM-1: shows the workspace with the contract's fields", async () => {
    const fresh = await createWorkspace(service);
    const { status, json } = await (
      await openDashboard(service, fresh, "analyst")
    ).get("/v1/admin/workspace");
    assert.equal(status, 200);
    const workspace = json["workspace"] as Record<string, unknown>;
    assert.equal(new Date(String(workspace["created_at"])).toISOString(), workspace["created_at"]);
    assert.deepEqual(json, {
      workspace: {
        id: fresh,
        name: "Test",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        retention_days: 400,
        retention_days_source: "default",
        require_one_time_codes: false,
        created_at: workspace["created_at"],
      },
    });
  });

  it("ADM-2: shows the effective threshold if the deployment sets another one", async () => {
    const strict = await startTestService({ RISK_BLOCK_THRESHOLD: "70" });
    const dashboard = await openDashboard(strict, strict.workspaceId);
    const shown = async (): Promise<unknown[]> => {
      const { json } = await dashboard.get("/v1/admin/workspace");
      const workspace = json["workspace"] as Record<string, unknown>;
      return [workspace["risk_block_threshold"], workspace["risk_block_threshold_source"]];
    };
    assert.deepEqual(await shown(), [70, "default"]);
    for (const [risk_block_threshold, expected] of [
      [40, [40, "workspace"]],
      [null, [70, "default"]],
    ] as const) {
      const { status } = await dashboard.request("PATCH", "/v1/admin/workspace", { risk_block_threshold });
      assert.equal(status, 200);
      assert.deepEqual(await shown(), expected);
      const account = (await dashboard.get("/v1/auth/me")).json["workspace"] as Record<string, unknown>;
      assert.equal(account["risk_block_threshold"], expected[0]);
    }
  });

  it("RET-3: takes a limit from one day to the service's own, and null for the service's", async () => {
    const own = await createWorkspace(service);
    const dashboard = await openDashboard(service, own);
    const set = (retention_days: unknown): Promise<Reply> =>
      dashboard.request("PATCH", "/v1/admin/workspace", { retention_days });
    for (const [days, expected] of [
      [1, [1, "workspace"]],
      [400, [400, "workspace"]],
      [null, [400, "default"]],
    ] as const) {
      const { status, json } = await set(days);
      assert.equal(status, 200);
      const workspace = json["workspace"] as Record<string, unknown>;
      assert.deepEqual([workspace["retention_days"], workspace["retention_days_source"]], expected);
      assert.deepEqual((await dashboard.get("/v1/auth/me")).json["workspace"], workspace);
    }
    for (const [days, code] of [
      [0, "too_small"],
      [401, "too_big"],
      [1.5, "invalid_type"],
    ] as const) {
      const refused = await set(days);
      assert.deepEqual([refused.status, issuesOf(refused)], [400, [`retention_days ${code}`]]);
    }
  });

  it("changes the given fields, keeps the rest, and null restores the default", async () => {
    const steps: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ name: "Größe 💳" }, { name: "Größe 💳", default_decision_mode: null, risk_block_threshold: 90 }],
      [{ default_decision_mode: "shadow" }, { name: "Größe 💳", default_decision_mode: "shadow" }],
      [
        { risk_block_threshold: 0 },
        {
          default_decision_mode: "shadow",
          risk_block_threshold: 0,
          risk_block_threshold_source: "workspace",
        },
      ],
      // A threshold that equals the deployment's still counts as the workspace's own.
      [{ risk_block_threshold: 90 }, { risk_block_threshold: 90, risk_block_threshold_source: "workspace" }],
      [{}, { default_decision_mode: "shadow", risk_block_threshold: 90 }],
      [
        { name: "Test", default_decision_mode: null, risk_block_threshold: null },
        {
          name: "Test",
          default_decision_mode: null,
          risk_block_threshold: 90,
          risk_block_threshold_source: "default",
        },
      ],
    ];
    for (const [body, expected] of steps) {
      const { status, json } = await patch(body);
      assert.equal(status, 200);
      const shown = json["workspace"] as Record<string, unknown>;
      for (const [field, value] of Object.entries(expected)) assert.equal(shown[field], value, field);
      assert.deepEqual((await owner.get("/v1/admin/workspace")).json, json);
    }
  });

  it("ADM-1: the next decision after the answer uses the change, even with four changes at once", async () => {
    for (const threshold of [50, 90, 55, null]) {
      await atOnce(
        () => patch({ risk_block_threshold: threshold }),
        async () => {
          const { json } = await decide({ transaction: RISKY });
          assert.equal(json["action"], threshold !== null && threshold < 60 ? "block" : "route");
        },
      );
    }
    for (const mode of ["shadow", "enforce", null]) {
      await atOnce(
        () => patch({ default_decision_mode: mode }),
        async () => assert.equal((await decide()).json["decision_mode"], mode ?? "enforce"),
      );
    }
    const answers = await atOnce(
      () => Promise.all([10, 20, 30, 40].map((risk) => patch({ risk_block_threshold: risk }))),
      async (replies) => {
        assert.equal((await decide({ transaction: RISKY })).json["action"], "block");
        return replies;
      },
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    await patch({ risk_block_threshold: null });
  });

  for (const [what, body, issues] of [
    ["an unknown field", { status: "suspended" }, ["status unrecognized_keys"]],
    [
      "an unknown decision mode",
      { default_decision_mode: "observe" },
      ["default_decision_mode invalid_enum_value"],
    ],
    ["a threshold over 100", { risk_block_threshold: 101 }, ["risk_block_threshold too_big"]],
    ["a threshold under 0", { risk_block_threshold: -1 }, ["risk_block_threshold too_small"]],
    ["a decimal threshold", { risk_block_threshold: 1.5 }, ["risk_block_threshold invalid_type"]],
    ["an empty name", { name: "" }, ["name too_small"]],
    ["a name over 120 characters", { name: "x".repeat(121) }, ["name too_big"]],
    ["no name", { name: null }, ["name invalid_type"]],
    ["an array", [], [" invalid_type"]],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const reply = await patch(body);
      assert.equal(reply.status, 400);
      assert.deepEqual(issuesOf(reply), issues);
    });
  }
});

describe("GET, POST /v1/admin/merchants", () => {
  const register = (body: unknown): Promise<Reply> => owner.request("POST", "/v1/admin/merchants", body);

  it("ADM-3: registers a merchant with 201, lists it, and decides for it at once", async () => {
    for (const [merchantId, name] of [
      ["shop_a", "Shop A"],
      ["A.b:c-d_9", undefined],
    ] as const) {
      const { status, json } = await atOnce(
        () => register({ merchant_id: merchantId, ...(name && { name }) }),
        async (reply) => {
          assert.equal((await decide({ merchant_id: merchantId })).status, 200);
          return reply;
        },
      );
      assert.equal(status, 201);
      const merchant = json["merchant"] as Record<string, unknown>;
      assert.deepEqual(json, {
        merchant: { merchant_id: merchantId, name: name ?? null, created_at: merchant["created_at"] },
      });
      assert.equal(new Date(String(merchant["created_at"])).toISOString(), merchant["created_at"]);
      const listed = (await owner.get("/v1/admin/merchants")).json["merchants"] as unknown[];
      assert.ok(listed.some((row) => JSON.stringify(row) === JSON.stringify(merchant)));
    }
  });

  it("ADM-3: answers 409 for an existing merchant; of ten at once exactly one is created", async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => register({ merchant_id: "contested" })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, ...Array(9).fill(409)],
    );
    assert.deepEqual((await register({ merchant_id: "contested" })).json, {
      statusCode: 409,
      message: "Merchant is already registered",
      error: "Conflict",
    });
  });

  it("a merchant is unique only inside its workspace, and no workspace sees another's", async () => {
    const other = await openDashboard(service, await createWorkspace(service));
    await register({ merchant_id: "shared_name" });
    assert.equal(
      (await other.request("POST", "/v1/admin/merchants", { merchant_id: "shared_name" })).status,
      201,
    );
    const listed = (await other.get("/v1/admin/merchants")).json["merchants"] as { merchant_id: string }[];
    assert.deepEqual(
      listed.map(({ merchant_id }) => merchant_id),
      ["demo_merchant", "shared_name"],
    );
  });

  for (const [what, body, issues] of [
    ["none", {}, ["merchant_id invalid_type"]],
    ["an empty id", { merchant_id: "" }, ["merchant_id too_small"]],
    ["129 characters", { merchant_id: "m".repeat(129) }, ["merchant_id too_big"]],
    ["a space", { merchant_id: "a b" }, ["merchant_id invalid_string"]],
    ["an unknown field", { merchant_id: "m", currency: "USD" }, ["currency unrecognized_keys"]],
    ["an empty name", { merchant_id: "m", name: "" }, ["name too_small"]],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const reply = await register(body);
      assert.equal(reply.status, 400);
      assert.deepEqual(issuesOf(reply), issues);
    });
  }
});
