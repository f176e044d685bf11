import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { loadPolicies } from "../../../src/features/policies/queries.js";
import { signIn } from "../../support/people/feedback.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

interface Version {
  policy_id: string;
  version: string;
  status: string;
  author: string | null;
  comment: string | null;
  published_at: string | null;
  published_by: string | null;
  archived_at: string | null;
  archived_by: string | null;
}

const NEVER = { published_at: null, published_by: null, archived_at: null, archived_by: null };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: RunningService;
let workspaceId: string;
let key: string;
let keyId: string;
let userId: string;
let token: string;
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service, { merchants: ["told", "turned", "commented", "copied"] });
  key = await createKey(service.pool, workspaceId);
  ({ userId, token } = await signIn(service.pool, workspaceId, "developer"));
  keyId = (await create({ merchant_id: "copied" })).author ?? "";
});

const versionOf = ({ status, json, text }: Reply): Version => {
  assert.equal(status, 200, text);
  return json["policy"] as Version;
};
const post = (body: object): Promise<Reply> =>
  send(service, "POST", "/v1/policies", {
    body: { name: "P", rules: [{ name: "hold", when: {}, then: { type: "hold" } }], ...body },
    key,
  });
const create = async (body: object): Promise<Version> => versionOf(await post(body));
const publishAs = async (who: "key" | "user", policyId: string): Promise<Version> => {
  const path = `/v1/policies/${policyId}/publish`;
  const headers = { authorization: `Bearer ${token}` };
  return versionOf(await send(service, "POST", path, who === "key" ? { key } : { headers, key: null }));
};
const list = async (merchantId: string): Promise<Version[]> =>
  (await send(service, "GET", `/v1/policies/${merchantId}`, { key })).json["policies"] as Version[];

/** The people and times of a version. */
const historyOf = (version: Version | undefined) => {
  assert.ok(version !== undefined);
  const { author, comment, published_at, published_by, archived_at, archived_by } = version;
  return { author, comment, published_at, published_by, archived_at, archived_by };
};

describe("the history of a policy's versions", () => {
  it("POL-21: names the author, who published it and who archived it, when, in every answer", async () => {
    const draft = await create({ merchant_id: "told" });
    assert.match(keyId, /^key_/);
    assert.deepEqual(historyOf(draft), { author: keyId, comment: null, ...NEVER });
    const first = await create({ merchant_id: "told", publish: true });
    assert.match(first.published_at ?? "", TIME);
    assert.deepEqual(historyOf(first), {
      ...NEVER,
      author: keyId,
      comment: null,
      published_at: first.published_at,
      published_by: keyId,
    });
    const published = await publishAs("user", draft.policy_id);
    assert.match(published.published_at ?? "", TIME);
    assert.deepEqual(historyOf(published), {
      ...historyOf(draft),
      published_at: published.published_at,
      published_by: userId,
    });
    const [second, third] = await list("told");
    assert.deepEqual(historyOf(third), historyOf(published));
    assert.deepEqual(historyOf(second), {
      ...historyOf(first),
      archived_at: published.published_at,
      archived_by: userId,
    });
  });

  it("POL-21: publishing the live policy changes none of it", async () => {
    const live = await create({ merchant_id: "told", publish: true });
    assert.deepEqual(historyOf(await publishAs("user", live.policy_id)), historyOf(live));
  });

  it("POL-21: is not copied to the nodes, because no decision needs it", async () => {
    const { policy_id: policyId } = await create({ merchant_id: "copied", comment: "why" });
    const [loaded] = await loadPolicies(service.pool, [{ workspaceId, policyId }]);
    assert.deepEqual(Object.keys(loaded?.policy ?? {}), [
      "policy_id",
      "name",
      "status",
      "version",
      "default_provider",
      "rules",
      "updated_at",
    ]);
  });

  it("POL-22: a comment is kept as written, and may be left out or null", async () => {
    const comment = "Fraud in Lagos: see ticket 7.\n日本 😀";
    const published = await create({ merchant_id: "commented", comment, publish: true });
    const longest = await create({ merchant_id: "commented", comment: "c".repeat(500) });
    const none = await create({ merchant_id: "commented", comment: null });
    assert.deepEqual([published.comment, longest.comment, none.comment], [comment, "c".repeat(500), null]);
    assert.equal((await publishAs("user", published.policy_id)).comment, comment);
    assert.deepEqual(
      (await list("commented")).map((version) => version.comment),
      [null, "c".repeat(500), comment],
    );
  });

  for (const [what, comment, code] of [
    ["501 characters", "c".repeat(501), "too_big"],
    ["a number", 1, "invalid_type"],
    ["a text with U+0000", "a\u0000b", "invalid_string"],
  ] as const) {
    it(`POL-22: a comment that is ${what} is a validation_error`, async () => {
      const { status, json } = await post({ merchant_id: "commented", comment });
      assert.equal(status, 400);
      assert.equal(json["error"], "validation_error");
      const issues = json["issues"] as { path: string; code: string }[];
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.code]),
        [["comment", code]],
      );
    });
  }

  it("POL-23: a rollback publishes again, and forgets the person who archived the version", async () => {
    const first = await create({ merchant_id: "turned", publish: true });
    const second = await create({ merchant_id: "turned", publish: true });
    const [, archived] = await list("turned");
    assert.equal(archived?.archived_by, keyId);
    const back = await publishAs("user", first.policy_id);
    assert.ok((back.published_at ?? "") > (first.published_at ?? ""));
    assert.deepEqual(historyOf(back), {
      ...historyOf(first),
      published_at: back.published_at,
      published_by: userId,
    });
    const [replaced] = await list("turned");
    assert.deepEqual(historyOf(replaced), {
      ...historyOf(second),
      archived_at: back.published_at,
      archived_by: userId,
    });
  });
});
