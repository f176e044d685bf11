import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { atOnce } from "../../support/service/at-once.js";
import { decisionBody, send, type Reply, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, newId } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let key: string;
let keys: { shopA: string; shopB: string; stranger: string; live: string };
before(async () => {
  service = await sharedTestService();
  const merchants = [
    "shop:a",
    "shop_b",
    "created",
    "warned",
    "many",
    "many_2",
    "many_3",
    "listed",
    "published",
    "raced",
    "live",
    "undefaulted",
  ];
  workspaceId = await createWorkspace(service, { merchants });
  const other = await createWorkspace(service, { merchants });
  const { pool } = service;
  key = await createKey(pool, workspaceId);
  keys = {
    shopA: await createKey(pool, workspaceId, { merchantId: "shop:a" }),
    shopB: await createKey(pool, workspaceId, { merchantId: "shop_b" }),
    stranger: await createKey(pool, other),
    live: await createKey(pool, workspaceId, { mode: "live" }),
  };
});

interface WirePolicy {
  policy_id: string;
  merchant_id?: string;
  name: string;
  status: string;
  version: string;
  default_provider: string | null;
  rules: {
    rule_id: string;
    priority: number;
    enabled: boolean;
    name: string;
    when: unknown;
    then: unknown;
  }[];
  updated_at: string;
  author: string | null;
  published_at: string | null;
  published_by: string | null;
}

const HOLD = { name: "hold", when: {}, then: { type: "hold" } };
const BLOCK = { name: "block", when: {}, then: { type: "block" } };
const WARNED = { name: "never", when: { currency_in: [] }, then: { type: "hold" } };

const post = (body: object, as = key): Promise<Reply> =>
  send(service, "POST", "/v1/policies", { body: { name: "Main", rules: [HOLD], ...body }, key: as });
const publish = (policyId: string, as = key): Promise<Reply> =>
  send(service, "POST", `/v1/policies/${policyId}/publish`, { key: as });
const policyOf = ({ status, text, json }: Reply): WirePolicy => {
  assert.equal(status, 200, text);
  return json["policy"] as WirePolicy;
};
const create = async (body: object): Promise<WirePolicy> => policyOf(await post(body));
const list = async (merchantId: string): Promise<WirePolicy[]> => {
  const { status, json, text } = await send(service, "GET", `/v1/policies/${merchantId}`, { key });
  assert.equal(status, 200, text);
  return json["policies"] as WirePolicy[];
};
const statusesOf = async (merchantId: string): Promise<string[]> =>
  (await list(merchantId)).map(({ version, status }) => `${version} ${status}`);
const decide = async (merchantId: string): Promise<[action: unknown, version: unknown]> => {
  const { json } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({ merchant_id: merchantId }),
    key,
  });
  return [json["action"], (json["policy"] as { policy_version: unknown }).policy_version];
};
const auditOf = async (policyId: string) => {
  const { rows } = await service.pool.query<{ actor: string; action: string; metadata: unknown }>(
    "select actor, action, metadata from audit_log where workspace_id = $1 and resource = $2 order by audit_id",
    [idToHex(workspaceId), policyId],
  );
  return rows;
};
const issuesOf = ({ json }: Reply) =>
  (json["issues"] as { path: string; code: string; severity?: string }[]).map(({ path, code, severity }) =>
    [severity, code, path].join(" "),
  );
const comparable = ({ status, headers, text }: Reply): unknown => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
});

describe("POST /v1/policies", () => {
  it("POL-2, POL-3, POL-4, RULE-10: answers the full validated policy, db_id and warnings", async () => {
    const rules = [
      { name: "one", when: { amount_gte: 5000, currency_in: ["USD"] }, then: { type: "hold" } },
      {
        name: "two",
        when: {},
        then: { type: "preferred_provider", provider: "provider_2" },
        rule_id: "mine",
      },
    ];
    const reply = await post({ merchant_id: "created", default_provider: "provider_3", rules });
    const policy = policyOf(reply);
    assert.deepEqual(Object.keys(reply.json), ["policy", "db_id", "warnings"]);
    assert.match(policy.policy_id, /^pol_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.match(policy.rules[0]?.rule_id ?? "", /^rule_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.match(policy.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(policy, {
      policy_id: policy.policy_id,
      merchant_id: "created",
      name: "Main",
      status: "draft",
      version: "v1",
      default_provider: "provider_3",
      rules: [
        {
          rule_id: policy.rules[0]?.rule_id,
          name: "one",
          priority: 10,
          enabled: true,
          when: rules[0]?.when,
          then: { type: "hold" },
        },
        {
          rule_id: "mine",
          name: "two",
          priority: 20,
          enabled: true,
          when: {},
          then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
        },
      ],
      updated_at: policy.updated_at,
      author: policy.author,
      comment: null,
      published_at: null,
      published_by: null,
      archived_at: null,
      archived_by: null,
    });
    assert.deepEqual(reply.json["warnings"], []);
    const stored = await service.pool.query("select from policies where policy_id = $1", [
      reply.json["db_id"],
    ]);
    assert.equal(stored.rowCount, 1);
  });

  it("POL-3: default_provider is null if there is none, in every answer, and null is accepted", async () => {
    const created = await create({ merchant_id: "undefaulted", default_provider: null });
    const published = policyOf(await publish(created.policy_id));
    const again = await create({ merchant_id: "undefaulted", publish: true });
    const policies = [created, published, again, ...(await list("undefaulted"))];
    assert.deepEqual(
      policies.map((policy) => policy.default_provider),
      policies.map(() => null),
    );
  });

  it("stores names and rule names in any script, byte for byte", async () => {
    const name = `"quoted" \\ 日本 😀 \u2028 </script>`;
    const made = await create({ merchant_id: "created", name, rules: [{ ...HOLD, name }] });
    const [found] = await list("created");
    assert.deepEqual(
      [made.name, made.rules[0]?.name, found?.name, found?.rules[0]?.name],
      [name, name, name, name],
    );
  });

  it("HTTP-18: accepts 100 rules of 1 KiB: bodies up to 1 MiB, beyond that 413", async () => {
    const reasons = Array.from({ length: 60 }, (_, i) => `reason_code_number_${i}`);
    const rules = Array.from({ length: 100 }, (_, i) => ({
      name: `rule ${i}`,
      when: { previous_reason_code_in: reasons },
      then: { type: "hold" },
    }));
    const body = JSON.stringify({ merchant_id: "created", name: "Large", rules });
    assert.ok(body.length > 100_000);
    const answer = (text: string) => send(service, "POST", "/v1/policies", { body: text, key });
    assert.equal((await answer(body)).status, 200);
    assert.equal((await answer(body.padEnd(LIMITS.largeBodyBytesMax))).status, 200);
    assert.equal((await answer(body.padEnd(LIMITS.largeBodyBytesMax + 1))).status, 413);
  });

  const refused: readonly [what: string, body: object, error: string, issues: string[]][] = [
    ["no merchant_id", {}, "validation_error", [" invalid_type merchant_id"]],
    [
      "POL-1: a name of 121 characters",
      { merchant_id: "created", name: "n".repeat(121) },
      "validation_error",
      [" too_big name"],
    ],
    [
      "publish that is no flag",
      { merchant_id: "created", publish: 1 },
      "validation_error",
      [" invalid_type publish"],
    ],
    [
      "an unknown field",
      { merchant_id: "created", status: "published" },
      "validation_error",
      [" unrecognized_keys status"],
    ],
    [
      "no rules",
      { merchant_id: "created", rules: undefined },
      "policy_validation_failed",
      ["error invalid_type rules"],
    ],
    [
      "an unknown default_provider",
      { merchant_id: "created", default_provider: "x" },
      "policy_validation_failed",
      ["error invalid_enum_value default_provider"],
    ],
    [
      "101 rules",
      { merchant_id: "created", rules: Array.from({ length: 101 }, () => HOLD) },
      "policy_validation_failed",
      ["error too_big rules"],
    ],
    [
      "an unknown condition",
      { merchant_id: "created", rules: [{ ...HOLD, when: { x: 1 } }] },
      "policy_validation_failed",
      ["error unrecognized_keys rules.0.when.x"],
    ],
    [
      "a duplicate rule_id",
      {
        merchant_id: "created",
        rules: [
          { ...HOLD, rule_id: "a" },
          { ...BLOCK, rule_id: "a" },
        ],
      },
      "policy_validation_failed",
      ["error custom rules.1.rule_id"],
    ],
    [
      "a client library's reason code",
      {
        merchant_id: "created",
        rules: [{ ...HOLD, then: { type: "hold", reason_code: "SDK_FALLBACK_USED" } }],
      },
      "policy_validation_failed",
      ["error custom rules.0.then.reason_code"],
    ],
  ];
  for (const [what, body, error, issues] of refused) {
    it(`ERR-2, POL-1, POL-7: refuses ${what}: 400 ${error}`, async () => {
      const before = (await list("created")).length;
      const reply = await post(body);
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(Object.keys(reply.json), ["error", "issues"]);
      assert.equal(reply.json["error"], error);
      assert.deepEqual(issuesOf(reply), issues);
      assert.equal((await list("created")).length, before);
    });
  }

  it("ERR-11: echoes no submitted value, and no field's name that may be one", async () => {
    const secret = "4111111111111111";
    const rules = [{ name: 5, when: { [secret]: secret, currency_in: [secret] }, then: { type: secret } }];
    const reply = await post({ merchant_id: "created", default_provider: secret, rules });
    assert.equal(reply.status, 400);
    assert.ok(!reply.text.includes(secret), reply.text);
  });

  it("accepts only the workspace's merchants: else 403 as on a decision", async () => {
    const unknown = await post({ merchant_id: "nobody" });
    assert.deepEqual(unknown.json, {
      statusCode: 403,
      message: "Merchant is not registered in this workspace",
      error: "Forbidden",
    });
    const scoped = await post({ merchant_id: "shop_b" }, keys.shopA);
    assert.deepEqual(
      [scoped.status, scoped.json["message"]],
      [403, "API key is scoped to a different merchant"],
    );
    assert.equal((await post({ merchant_id: "shop_b" }, keys.shopB)).status, 200);
    // The service checks the body before the merchant.
    assert.equal((await post({ merchant_id: "nobody", rules: 5 })).status, 400);
  });
});

describe("Policy status", () => {
  it("POL-1, POL-6: publish false or omitted stores a draft, which may be incomplete", async () => {
    for (const publishes of [{}, { publish: false }]) {
      const reply = await post({ merchant_id: "warned", rules: [WARNED, WARNED], ...publishes });
      assert.equal(policyOf(reply).status, "draft");
      const warnings = reply.json["warnings"] as { path: string; severity: string }[];
      assert.deepEqual(
        warnings.map(({ path, severity }) => `${severity} ${path}`),
        ["warning rules.1.name", "warning rules.0.when", "warning rules.1.when"],
      );
    }
    const empty = await post({ merchant_id: "warned", rules: [] });
    assert.deepEqual([empty.status, (empty.json["warnings"] as unknown[]).length], [200, 1]);
    assert.deepEqual(await decide("warned"), ["route", null]);
  });

  it("POL-6: publish true with a warning gives 400 with severity warning and stores nothing", async () => {
    const before = (await list("warned")).length;
    const reply = await post({ merchant_id: "warned", rules: [WARNED], publish: true });
    assert.deepEqual([reply.status, reply.json["error"]], [400, "policy_validation_failed"]);
    assert.deepEqual(issuesOf(reply), ["warning custom rules.0.when"]);
    assert.equal((await list("warned")).length, before);
  });

  it("POL-6: a publish names at most 20 warnings, as a create does", async () => {
    const draft = await create({ merchant_id: "warned", rules: Array.from({ length: 30 }, () => WARNED) });
    for (const reply of [
      await publish(draft.policy_id),
      await post({ merchant_id: "warned", rules: draft.rules, publish: true }),
    ]) {
      assert.deepEqual([reply.status, issuesOf(reply).length], [400, 20]);
    }
  });

  it("POL-6, POL-13: publish true without faults or warnings publishes, and archives the previous policy", async () => {
    await atOnce(
      () => create({ merchant_id: "published", publish: true }),
      async (first) => {
        assert.deepEqual([first.status, first.version], ["published", "v1"]);
        assert.deepEqual(await decide("published"), ["hold", "v1"]);
      },
    );
    await atOnce(
      () => create({ merchant_id: "published", rules: [BLOCK], publish: true }),
      async (second) => {
        assert.equal(second.version, "v2");
        // The test does not wait, because the answer came after this node and all its workers had the policy.
        const decisions = await Promise.all(Array.from({ length: 20 }, () => decide("published")));
        for (const decision of decisions) assert.deepEqual(decision, ["block", "v2"]);
      },
    );
    assert.deepEqual(await statusesOf("published"), ["v2 published", "v1 archived"]);
    const live = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: "published" }),
      key: keys.live,
    });
    assert.equal(live.json["action"], "block");
  });

  it("POL-14: is audited with the user, the policy and the version it replaced", async () => {
    const draft = await create({ merchant_id: "shop_b", rules: [BLOCK] });
    const live = await create({ merchant_id: "shop_b", publish: true });
    await publish(draft.policy_id);
    await publish(live.policy_id);
    const { rows } = await service.pool.query<{ key_id: string }>(
      "select key_id from api_keys where position(public_id in $1) > 0",
      [key],
    );
    const actor = (await auditOf(draft.policy_id))[0]?.actor ?? "";
    assert.ok(actor.startsWith("key_"));
    assert.equal(idToHex(actor), rows[0]?.key_id.replaceAll("-", ""));
    const auditEntry = (policy: WirePolicy, action: string, archived: string | null) => ({
      actor,
      action,
      metadata: { merchant_id: "shop_b", version: policy.version, archived_version: archived },
    });
    assert.deepEqual(await auditOf(draft.policy_id), [
      auditEntry(draft, "policy.created", null),
      auditEntry(draft, "policy.published", live.version),
    ]);
    assert.deepEqual(await auditOf(live.policy_id), [
      auditEntry(live, "policy.published", null),
      auditEntry(live, "policy.rolled_back", draft.version),
    ]);
  });
});

describe("POST /v1/policies/:policyId/publish", () => {
  it("POL-11: publishes a draft, and an archived policy as a rollback; a publish of the live policy changes nothing", async () => {
    const draft = await create({ merchant_id: "live", rules: [HOLD] });
    const live = await create({ merchant_id: "live", rules: [BLOCK], publish: true });
    await atOnce(
      () => publish(draft.policy_id),
      async (reply) => {
        assert.deepEqual(Object.keys(reply.json), ["policy"]);
        const published = policyOf(reply);
        const { updated_at, published_at, published_by } = published;
        const moved = { status: "published", updated_at, published_at, published_by };
        assert.deepEqual(published, { ...draft, ...moved });
        assert.deepEqual(await decide("live"), ["hold", draft.version]);
      },
    );
    assert.deepEqual(await statusesOf("live"), ["v2 archived", "v1 published"]);

    await atOnce(
      () => publish(live.policy_id),
      async (reply) => {
        assert.equal(policyOf(reply).status, "published");
        assert.deepEqual(await decide("live"), ["block", live.version]);
      },
    );
    const again = policyOf(await publish(live.policy_id));
    assert.deepEqual(await statusesOf("live"), ["v2 published", "v1 archived"]);
    assert.equal(again.updated_at, (await list("live"))[0]?.updated_at);
    assert.equal((await auditOf(live.policy_id)).length, 2);
  });

  it("ERR-2, POL-6: refuses a draft with warnings", async () => {
    const draft = await create({ merchant_id: "warned", rules: [WARNED] });
    const reply = await publish(draft.policy_id);
    assert.deepEqual([reply.status, reply.json["error"]], [400, "policy_validation_failed"]);
    assert.deepEqual(issuesOf(reply), ["warning custom rules.0.when"]);
    assert.deepEqual(await decide("warned"), ["route", null]);
  });

  it("POL-15: answers a foreign id byte for byte like an unknown one, with 404", async () => {
    const own = await create({ merchant_id: "shop_b" });
    const unknown = comparable(await publish(newId("pol"), keys.shopA));
    assert.equal((unknown as { status: number }).status, 404);
    assert.deepEqual(comparable(await publish(own.policy_id, keys.shopA)), unknown);
    assert.deepEqual(comparable(await publish(own.policy_id, keys.stranger)), unknown);
    for (const path of [
      "x",
      "%00",
      "%ff",
      "%",
      own.policy_id.toUpperCase(),
      own.policy_id.replace("pol_", "dec_"),
    ]) {
      assert.deepEqual(comparable(await publish(path, keys.shopA)), unknown, path);
    }
    assert.equal((await publish(own.policy_id, keys.shopB)).status, 200);
  });

  it("POL-11: is not confused with other routes", async () => {
    assert.equal((await send(service, "GET", `/v1/policies/${newId("pol")}/publish`, { key })).status, 405);
    assert.equal((await send(service, "POST", `/v1/policies/${newId("pol")}/archive`, { key })).status, 404);
    assert.equal(
      (await send(service, "DELETE", "/v1/policies/shop_b", { key })).headers.get("allow"),
      "GET, HEAD",
    );
    assert.equal((await send(service, "GET", "/v1/policies", { key })).headers.get("allow"), "POST");
  });
});

describe("version is v1, v2, … per merchant", () => {
  it("POL-9: 20 concurrent creates, half of them published: 20 consecutive versions, one live", async () => {
    const expected = Array.from({ length: 20 }, (_, i) => `v${20 - i}`);
    // The creates wait for one lock, at most 1.5 s. If that fails on a slow host, another merchant is tried.
    for (const merchant of ["many", "many_2", "many_3"]) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          post({ merchant_id: merchant, name: `n${i}`, publish: i % 2 === 0 }),
        ),
      );
      if (replies.some(({ status }) => status === 503)) continue;
      assert.deepEqual(
        replies
          .map((reply) => policyOf(reply).version)
          .toSorted((a, b) => Number(b.slice(1)) - Number(a.slice(1))),
        expected,
      );
      const listed = await list(merchant);
      assert.deepEqual(
        listed.map(({ version }) => version),
        expected,
      );
      assert.equal(listed.filter(({ status }) => status === "published").length, 1);
      return;
    }
    assert.fail("some were answered 503 each time");
  });

  it("POL-12: concurrent publishes leave exactly one published policy, and decisions use it", async () => {
    const drafts = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create({ merchant_id: "raced", name: `n${i}` })),
    );
    await atOnce(
      () => Promise.all(drafts.map(({ policy_id }) => publish(policy_id))),
      async (replies) => {
        for (const reply of replies) assert.equal(policyOf(reply).status, "published");
        const live = (await list("raced")).filter(({ status }) => status === "published");
        assert.equal(live.length, 1);
        assert.deepEqual(await decide("raced"), ["hold", live[0]?.version]);
      },
    );
  });
});

describe("GET /v1/policies/:merchantId", () => {
  it("POL-16: lists every version, newest first, in the specification's shape", async () => {
    const first = await create({ merchant_id: "listed", default_provider: "provider_1" });
    const second = await create({ merchant_id: "listed", publish: true });
    const { merchant_id: _, ...newest } = second;
    const { merchant_id: __, ...oldest } = first;
    assert.deepEqual(await list("listed"), [newest, oldest]);
    assert.deepEqual(Object.keys((await list("listed"))[1] ?? {}).toSorted(), [
      "archived_at",
      "archived_by",
      "author",
      "comment",
      "default_provider",
      "name",
      "policy_id",
      "published_at",
      "published_by",
      "rules",
      "status",
      "updated_at",
      "version",
    ]);
  });

  it("is empty for a merchant without policies, also with its id percent-encoded", async () => {
    assert.deepEqual(await list("shop:a"), []);
    assert.deepEqual(await list("shop%3Aa"), []);
  });

  it("is for the workspace's merchants; a scoped key sees only its own", async () => {
    const read = (merchantId: string, as: string) =>
      send(service, "GET", `/v1/policies/${merchantId}`, { key: as });
    for (const unknown of ["nobody", "%ff", "%", "a%00", "x".repeat(2000)]) {
      const { status, json } = await read(unknown, key);
      assert.deepEqual(
        [status, json["message"]],
        [403, "Merchant is not registered in this workspace"],
        unknown,
      );
    }
    assert.equal((await read("shop:a", keys.shopA)).status, 200);
    const scoped = await read("shop_b", keys.shopA);
    assert.deepEqual(
      [scoped.status, scoped.json["message"]],
      [403, "API key is scoped to a different merchant"],
    );
    // A merchant of the same name in another workspace has its own policies.
    assert.deepEqual((await read("listed", keys.stranger)).json, { policies: [] });
  });

  it("ends a long history at its limit, and still shows the live policy", async () => {
    const live = await create({ merchant_id: "shop:a", publish: true });
    await service.pool.query(
      `insert into policies (workspace_id, policy_id, merchant_id, version_number, name, status, rules)
       select $1, gen_random_uuid(), 'shop:a', n, 'old', 0, '[]' from generate_series(2, $2::int) n`,
      [idToHex(workspaceId), LIMITS.policiesListedMax + 10],
    );
    const listed = await list("shop:a");
    assert.equal(listed.length, LIMITS.policiesListedMax + 1);
    assert.equal(listed.at(-1)?.policy_id, live.policy_id);
    const newest = LIMITS.policiesListedMax + 10;
    const heavy = JSON.stringify([
      {
        ...HOLD,
        rule_id: "rule_0",
        priority: 0,
        enabled: true,
        name: "x".repeat(LIMITS.policiesListedBytesMax / 4),
      },
    ]);
    await service.pool.query(
      `update policies set rules = $2 where workspace_id = $1 and merchant_id = 'shop:a' and version_number > $3`,
      [idToHex(workspaceId), heavy, newest - 4],
    );
    const versions = (await list("shop:a")).map(({ version }) => version);
    assert.deepEqual(versions, [`v${newest}`, `v${newest - 1}`, `v${newest - 2}`, "v1"]);
  });
});
