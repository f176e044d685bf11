import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idTimeMs } from "../../../src/domain/ids/ids.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId } from "../../support/people/tenants.js";

interface Entry {
  audit_id: string;
  actor: string;
  action: string;
  resource: string;
  metadata: Record<string, unknown>;
  created_at: string;
}

let service: RunningService;
let workspaceId: string;
let owner: Dashboard;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
  owner = await openDashboard(service, workspaceId);
});

async function page(query = "", by = owner): Promise<{ entries: Entry[]; has_more: boolean }> {
  const { status, json, text } = await by.get(`/v1/admin/audit-log${query}`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(json), ["entries", "has_more"]);
  return json as unknown as { entries: Entry[]; has_more: boolean };
}
const ids = (entries: Entry[]): string[] => entries.map(({ audit_id }) => audit_id);

describe("Audit trail", () => {
  it("ADM-5: records policy publishing, workspace, merchant and override changes with actor, action, resource and metadata", async () => {
    const key = await createKey(service.pool, workspaceId);
    const { json } = await send(service, "POST", "/v1/policies", {
      key,
      body: {
        merchant_id: "demo_merchant",
        name: "Secret name",
        default_provider: "provider_1",
        rules: [],
        publish: true,
      },
    });
    const policyId = (json["policy"] as { policy_id: string }).policy_id;
    await owner.request("PATCH", "/v1/admin/workspace", { name: "Secret name", risk_block_threshold: 80 });
    await owner.request("PATCH", "/v1/admin/workspace", { default_decision_mode: null });
    await owner.request("PATCH", "/v1/admin/workspace", {});
    await owner.request("POST", "/v1/admin/merchants", { merchant_id: "audited", name: "Secret name" });
    await owner.request("POST", "/v1/admin/merchants", { merchant_id: "audited" });
    const override = "/v1/admin/provider-overrides/provider_3";
    await owner.request("PUT", override, { state: "watch", score: 72.5, currency: "EUR" });
    await owner.request("PUT", override, { state: null });
    const { entries } = await page();
    const keyActor = entries.at(-1)?.actor ?? "";
    assert.match(keyActor, /^key_/);
    assert.deepEqual(
      entries.map(({ actor, action, resource, metadata }) => [actor, action, resource, metadata]),
      [
        [
          owner.userId,
          "provider_override.lifted",
          "provider_3",
          { state: null, payment_method: null, currency: null },
        ],
        [
          owner.userId,
          "provider_override.set",
          "provider_3",
          { state: "watch", score: 72.5, payment_method: null, currency: "EUR" },
        ],
        [owner.userId, "merchant.created", "audited", { merchant_id: "audited" }],
        [owner.userId, "workspace.updated", workspaceId, { default_decision_mode: null }],
        [owner.userId, "workspace.updated", workspaceId, { name: "changed", risk_block_threshold: 80 }],
        [
          keyActor,
          "policy.published",
          policyId,
          { merchant_id: "demo_merchant", version: "v1", archived_version: null },
        ],
      ],
    );
    for (const { audit_id, created_at } of entries) {
      assert.equal(created_at, new Date(idTimeMs(audit_id)).toISOString());
    }
    assert.ok(!JSON.stringify(entries).includes("Secret name"));
  });
});

describe("GET /v1/admin/audit-log", () => {
  it("ADM-4: pages newest first by both cursors; has_more refers to the direction of the page", async () => {
    const fresh = await createWorkspace(service);
    const reader = await openDashboard(service, fresh, "admin");
    assert.deepEqual(await page("", reader), { entries: [], has_more: false });
    for (let i = 0; i < 7; i++) await reader.request("POST", "/v1/admin/merchants", { merchant_id: `m${i}` });
    const { entries: all } = await page("", reader);
    assert.deepEqual(
      all.map(({ resource }) => resource),
      ["m6", "m5", "m4", "m3", "m2", "m1", "m0"],
    );
    assert.deepEqual(ids(all), ids(all).toSorted().toReversed());
    const first = await page("?page_size=3", reader);
    assert.deepEqual([ids(first.entries), first.has_more], [ids(all).slice(0, 3), true]);
    const second = await page(`?page_size=4&starting_after=${all[2]?.audit_id}`, reader);
    assert.deepEqual([ids(second.entries), second.has_more], [ids(all).slice(3), false]);
    const back = await page(`?page_size=2&ending_before=${all[5]?.audit_id}`, reader);
    assert.deepEqual([ids(back.entries), back.has_more], [ids(all).slice(3, 5), true]);
    const top = await page(`?page_size=2&ending_before=${all[2]?.audit_id}`, reader);
    assert.deepEqual([ids(top.entries), top.has_more], [ids(all).slice(0, 2), false]);
  });

  it("ADM-12: merchant_id selects the changes at one merchant, and pages within them", async () => {
    const fresh = await createWorkspace(service);
    const reader = await openDashboard(service, fresh, "owner");
    for (const merchant_id of ["one", "two"]) {
      await reader.request("POST", "/v1/admin/merchants", { merchant_id });
      const wanted = { name: "Its key", mode: "test", scopes: ["decision:write"], merchant_id };
      const { json } = await reader.request("POST", "/v1/api-keys", wanted);
      const { id } = json["api_key"] as { id: string };
      const policy = { merchant_id, name: "Its policy", default_provider: "provider_1", rules: [] };
      const stored = await reader.request("POST", "/v1/policies", { ...policy, publish: true });
      assert.equal(stored.status, 200, stored.text);
      await reader.request("DELETE", `/v1/api-keys/${id}`);
    }
    const { entries } = await page("?merchant_id=one", reader);
    const actions = ["api_key.revoked", "policy.published", "api_key.created", "merchant.created"];
    assert.deepEqual(
      entries.map(({ action, metadata }) => [action, metadata["merchant_id"]]),
      actions.map((action) => [action, "one"]),
    );
    const rest = await page(`?merchant_id=one&page_size=2&starting_after=${entries[1]?.audit_id}`, reader);
    assert.deepEqual([ids(rest.entries), rest.has_more], [ids(entries).slice(2), false]);
    assert.deepEqual(await page("?merchant_id=three", reader), { entries: [], has_more: false });
  });

  it("an unknown cursor and another workspace's both give an empty page", async () => {
    const other = await openDashboard(service, await createWorkspace(service));
    await other.request("POST", "/v1/admin/merchants", { merchant_id: "theirs" });
    await owner.request("POST", "/v1/admin/merchants", { merchant_id: "ours" });
    const [theirs] = (await page("", other)).entries;
    for (const cursor of ["starting_after", "ending_before"]) {
      for (const id of [theirs?.audit_id, newId("aud")]) {
        assert.deepEqual(await page(`?${cursor}=${id}`), { entries: [], has_more: false });
      }
    }
    assert.ok(!JSON.stringify(await page("?page_size=100")).includes("theirs"));
  });

  it("both cursors, a malformed one, or a page_size out of bounds are refused", async () => {
    const id = newId("aud");
    for (const [query, path, code] of [
      [`starting_after=${id}&ending_before=${id}`, "query.ending_before", "custom"],
      ["starting_after=none", "query.starting_after", "invalid_string"],
      [`ending_before=${newId("dec")}`, "query.ending_before", "invalid_string"],
      ["page_size=0", "query.page_size", "too_small"],
      ["page_size=101", "query.page_size", "too_big"],
      ["merchant_id=a%20shop", "query.merchant_id", "invalid_string"],
      ["page_size=x", "query.page_size", "invalid_type"],
    ]) {
      const { status, json } = await owner.get(`/v1/admin/audit-log?${query}`);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, path, code]);
    }
  });
});

describe("ADM-12, ADM-13: the filters of the audit log", () => {
  const made = async (by: Dashboard, ...names: string[]): Promise<void> => {
    for (const merchant_id of names) await by.request("POST", "/v1/admin/merchants", { merchant_id });
  };
  const resourcesOf = async (query: string, by: Dashboard): Promise<string[]> =>
    (await page(query, by)).entries.map(({ resource }) => resource);

  it("ADM-12: action, actor, resource, from and to filter exactly, combine, and page in both directions", async () => {
    const own = await createWorkspace(service);
    const [first, second] = [await openDashboard(service, own), await openDashboard(service, own, "admin")];
    await made(first, "shop_1", "shop_2");
    await made(second, "shop_3", "shop_4");
    await first.request("PATCH", "/v1/admin/workspace", { risk_block_threshold: 71 });
    const { entries: all } = await page("", first);
    const middle = all[2]?.created_at ?? assert.fail();
    for (const [query, wanted] of [
      ["action=workspace.updated", [own]],
      ["action=merchant.created", ["shop_4", "shop_3", "shop_2", "shop_1"]],
      [`actor=${first.userId}`, [own, "shop_2", "shop_1"]],
      [`actor=${first.userId}&action=merchant.created`, ["shop_2", "shop_1"]],
      [`actor=${newId("usr")}`, []],
      ["resource=shop_3", ["shop_3"]],
      ["resource=shop", []],
      ["resource=shop_3&action=workspace.updated", []],
      [
        `from=${middle}`,
        all.filter(({ created_at }) => created_at >= middle).map(({ resource }) => resource),
      ],
      [`to=${middle}`, all.filter(({ created_at }) => created_at < middle).map(({ resource }) => resource)],
    ] as const) {
      assert.deepEqual(await resourcesOf(`?${query}`, first), wanted, query);
    }
    const firstPage = await page("?action=merchant.created&page_size=2", first);
    assert.deepEqual(
      [firstPage.entries.map(({ resource }) => resource), firstPage.has_more],
      [["shop_4", "shop_3"], true],
    );
    const cursor = firstPage.entries.at(-1)?.audit_id;
    const older = await page(`?action=merchant.created&page_size=2&starting_after=${cursor}`, first);
    assert.deepEqual(
      [older.entries.map(({ resource }) => resource), older.has_more],
      [["shop_2", "shop_1"], false],
    );
    const newer = await page(`?q=merchant&page_size=2&ending_before=${older.entries[1]?.audit_id}`, first);
    assert.deepEqual(
      [newer.entries.map(({ resource }) => resource), newer.has_more],
      [["shop_3", "shop_2"], true],
    );
  });

  it("ADM-13: q finds the beginning of a resource's id, or the words of an action, newest first", async () => {
    const own = await createWorkspace(service);
    const by = await openDashboard(service, own);
    await made(by, "shop_1", "shopper", "merchant_of_old");
    await by.request("PATCH", "/v1/admin/workspace", { risk_block_threshold: 72 });
    for (const [q, wanted] of [
      ["shop", ["shopper", "shop_1"]],
      ["shop_", ["shop_1"]],
      ["shop%", []],
      ["hop", []],
      ["SHOP", []],
      ["merch", ["merchant_of_old", "shopper", "shop_1"]],
      ["Created Merchant", ["merchant_of_old", "shopper", "shop_1"]],
      ["merchant.created", ["merchant_of_old", "shopper", "shop_1"]],
      ["work upd", [own]],
      ["created workspace", []],
      [own.slice(0, 20), [own]],
      ["...", []],
      ["   ", []],
    ] as const) {
      assert.deepEqual(await resourcesOf(`?q=${encodeURIComponent(q)}`, by), wanted, q);
    }
    const other = await openDashboard(service, await createWorkspace(service));
    assert.deepEqual(await resourcesOf("?q=shop", other), []);
  });

  it("ADM-12: a filter that cannot match anything by its form is refused", async () => {
    for (const [query, path, code] of [
      ["action=merchant.painted", "query.action", "invalid_enum_value"],
      ["actor=somebody", "query.actor", "invalid_string"],
      ["resource=", "query.resource", "too_small"],
      ["resource=a%00b", "query.resource", "invalid_string"],
      ["q=ab", "query.q", "too_small"],
      [`q=${"a".repeat(129)}`, "query.q", "too_big"],
      ["from=yesterday", "query.from", "invalid_string"],
      ["from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z", "query.to", "custom"],
      ["range=24h", "query.range", "unrecognized_keys"],
    ] as const) {
      const { status, json } = await owner.get(`/v1/admin/audit-log?${query}`);
      const [issue] = (json["issues"] ?? []) as { path: string; code: string }[];
      assert.deepEqual([status, issue?.path, issue?.code], [400, path, code], query);
    }
  });
});
