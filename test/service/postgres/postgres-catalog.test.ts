import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, it } from "node:test";
import { findApiKeys, insertApiKey, type NewApiKey } from "../../../src/features/api-keys/queries.js";
import {
  insertPolicy,
  publishPolicy,
  type NewPolicy,
  loadPolicies,
} from "../../../src/features/policies/queries.js";
import type { Policy } from "../../../src/domain/policy/policy.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { newId } from "../../support/rows/decision-rows.js";
import { eventually } from "../../support/service/service.js";
import { createTestDatabase, type TestDatabase, tenantsOf } from "../../support/postgres/postgres.js";
import { loadWorkspaces, insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { loadMerchantHeads } from "../../../src/features/workspaces/queries/merchant-head.js";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import { insertMembership, insertUser } from "../../../src/features/accounts/queries.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

const RULES: Policy["rules"] = [
  {
    rule_id: "rule_01jd3vwz6c9k2m4n6p8r0s2t4v",
    name: "big 'guest' orders \\ 💳",
    priority: 10,
    enabled: true,
    when: { customer_type_in: ["guest"], amount_gte: 5000, currency_in: ["USD"] },
    then: { type: "hold" },
  },
];

function newPolicy(): NewPolicy {
  return { policy_id: newId("pol"), name: "main", default_provider: "provider_2", rules: RULES };
}

async function newMerchant(): Promise<{ workspaceId: string; merchantId: string }> {
  const workspaceId = newId("ws");
  await insertWorkspace(database.pool, { workspaceId, name: "Workspace" });
  await insertMerchant(database.pool, { workspaceId, merchantId: "m" });
  return { workspaceId, merchantId: "m" };
}

async function statuses(workspaceId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ text: string }>(
    "select version_number || ':' || status as text from policies where workspace_id = $1 order by version_number",
    [idToHex(workspaceId)],
  );
  return rows.map((row) => row.text);
}

describe("Policy status", () => {
  it("POL-9, POL-10: publishing archives the live policy and numbers versions per merchant", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const first = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      true,
    );
    const draft = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      false,
    );
    const third = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      true,
    );
    assert.deepEqual([first?.version, draft?.version, third?.version], ["v1", "v2", "v3"]);
    assert.deepEqual([first?.status, draft?.status, third?.status], ["published", "draft", "published"]);
    assert.deepEqual(await statuses(workspaceId), ["1:2", "2:0", "3:1"]);
  });

  it("publishes a draft, and an archived policy as a rollback", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const first = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      true,
    );
    const draft = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      false,
    );
    assert.equal(
      (await publishPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, draft?.policy_id ?? ""))
        ?.status,
      "published",
    );
    assert.deepEqual(await statuses(workspaceId), ["1:2", "2:1"]);
    assert.equal(
      (await publishPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, first?.policy_id ?? ""))
        ?.version,
      "v1",
    );
    assert.deepEqual(await statuses(workspaceId), ["1:1", "2:2"]);
    assert.equal(
      (await publishPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, first?.policy_id ?? ""))
        ?.status,
      "published",
    );
    assert.deepEqual(await statuses(workspaceId), ["1:1", "2:2"]);
  });

  it("TEN-2: finds no policy of another workspace and none of an unknown merchant", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const other = await newMerchant();
    const draft = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      false,
    );
    assert.equal(
      await publishPolicy(
        tenantsOf(database.pool).of(other.workspaceId),
        other.workspaceId,
        draft?.policy_id ?? "",
      ),
      null,
    );
    assert.equal(
      await insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, "nobody", newPolicy(), true),
      null,
    );
    assert.deepEqual(await statuses(workspaceId), ["1:0"]);
  });

  it("leaves exactly one published policy after concurrent publishes", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const drafts = [];
    for (let i = 0; i < 5; i++)
      drafts.push(
        await insertPolicy(
          tenantsOf(database.pool).of(workspaceId),
          workspaceId,
          merchantId,
          newPolicy(),
          false,
        ),
      );
    await Promise.all([
      ...drafts.map((draft) =>
        publishPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, draft?.policy_id ?? ""),
      ),
      ...drafts.map(() =>
        insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, merchantId, newPolicy(), true),
      ),
    ]);
    const found = await statuses(workspaceId);
    assert.equal(found.length, 10);
    assert.equal(found.filter((text) => text.endsWith(":1")).length, 1);
  });

  it("POL-18: exactly one of several concurrent publishes, on any nodes, finds the live policy that it expects", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const { pool } = database;
    const tenant = tenantsOf(pool).of(workspaceId);
    const first = await insertPolicy(tenant, workspaceId, merchantId, newPolicy(), true);
    const draft = await insertPolicy(tenant, workspaceId, merchantId, newPolicy(), false);
    const knowsFirst = (livePolicyId: string | null): boolean => livePolicyId === first?.policy_id;
    const author = () => ({ auditId: newId("aud"), actor: "usr_1" });
    const holder = await pool.connect();
    try {
      // Each publish has begun before the row is released, and none can have seen another's result.
      await holder.query("begin");
      await holder.query("select from merchants where workspace_id = $1 for update", [idToHex(workspaceId)]);
      const answers = Promise.all([
        insertPolicy(tenant, workspaceId, merchantId, newPolicy(), true, author(), knowsFirst),
        insertPolicy(tenant, workspaceId, merchantId, newPolicy(), true, author(), knowsFirst),
        publishPolicy(tenant, workspaceId, draft?.policy_id ?? "", author(), knowsFirst),
      ]);
      await eventually(async () => {
        const { rows } = await holder.query<{ waiting: number }>(
          "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        assert.equal(rows[0]?.waiting, 3);
      });
      await holder.query("commit");
      const published = await answers;
      assert.equal(published.filter((answer) => answer === "live_changed").length, 2);
      assert.equal((await statuses(workspaceId)).filter((text) => text.endsWith(":1")).length, 1);
    } finally {
      holder.release();
    }
  });

  it("POL-10: the database itself allows only one published policy per merchant", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    await insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, merchantId, newPolicy(), true);
    await insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, merchantId, newPolicy(), false);
    await assert.rejects(
      database.pool.query("update policies set status = 1 where workspace_id = $1", [idToHex(workspaceId)]),
      /policies_published/,
    );
  });
});

describe("catalog", () => {
  it("loads workspaces with their settings, merchants and published policies as they were stored", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const strict = newId("ws");
    await insertWorkspace(database.pool, {
      workspaceId: strict,
      name: "Strict",
      defaultDecisionMode: "shadow",
      riskBlockThreshold: 70,
    });
    await insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, merchantId, newPolicy(), false);
    const live = await insertPolicy(
      tenantsOf(database.pool).of(workspaceId),
      workspaceId,
      merchantId,
      newPolicy(),
      true,
    );
    const workspaces = await loadWorkspaces(database.pool, [workspaceId, strict, newId("ws")]);
    const settings = workspaces
      .toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))
      .map(({ status, defaultDecisionMode, riskBlockThreshold }) => ({
        status,
        defaultDecisionMode,
        riskBlockThreshold,
      }));
    assert.deepEqual(settings, [
      { status: "active", defaultDecisionMode: null, riskBlockThreshold: null },
      { status: "active", defaultDecisionMode: "shadow", riskBlockThreshold: 70 },
    ]);
    const ours = await loadMerchantHeads(database.pool, [
      { workspaceId, key: merchantId },
      { workspaceId: strict, key: merchantId },
      { workspaceId, key: "nobody" },
    ]);
    assert.deepEqual(
      ours.map((merchant) => [merchant.merchantId, merchant.live?.policyId, merchant.prices]),
      [["m", live?.policy_id, null]],
    );
    // A newer policy is published now. The test still loads the older one by its id.
    await insertPolicy(tenantsOf(database.pool).of(workspaceId), workspaceId, merchantId, newPolicy(), true);
    const policies = await loadPolicies(database.pool, [{ workspaceId, policyId: String(live?.policy_id) }]);
    assert.deepEqual(
      policies.map(({ policy, ...owner }) => [owner, policy.policy_id, policy.rules]),
      [[{ workspaceId, merchantId }, live?.policy_id, live?.rules]],
    );
    assert.deepEqual(live?.rules, RULES);
  });

  it("FMT-10: registers a merchant and an address once", async () => {
    const { workspaceId } = await newMerchant();
    assert.equal(await insertMerchant(database.pool, { workspaceId, merchantId: "m" }), false);
    assert.equal(await insertMerchant(database.pool, { workspaceId, merchantId: "M" }), true);
    const userId = newId("usr");
    assert.equal(
      await insertUser(database.pool, { userId, email: "Owner@example.com", passwordHash: "x" }),
      true,
    );
    assert.equal(
      await insertUser(database.pool, {
        userId: newId("usr"),
        email: "owner@example.com",
        passwordHash: "x",
      }),
      false,
    );
    await insertMembership(database.pool, { workspaceId, userId, role: "owner" });
  });

  it("finds an API key by its public part", async () => {
    const { workspaceId, merchantId } = await newMerchant();
    const key: NewApiKey = {
      keyId: newId("key"),
      workspaceId,
      publicId: randomBytes(9).toString("base64url"),
      cell: "a",
      name: "backend",
      mode: "live",
      scopes: ["decision:write", "policy:write"],
      merchantId,
      salt: randomBytes(16),
      secretHash: randomBytes(32),
      expiresAt: new Date("2027-01-01T00:00:00Z"),
    };
    await insertApiKey(database.pool, key);
    const [found, ...more] = await findApiKeys(database.pool, key.publicId);
    assert.deepEqual(more, []);
    assert.deepEqual(
      { ...found, createdAt: null },
      {
        ...key,
        workspaceStatus: "active",
        revokedAt: null,
        replacedBy: null,
        lastUsedAt: null,
        createdAt: null,
      },
    );
    assert.deepEqual(await findApiKeys(database.pool, "unknown"), []);
  });
});
