import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { idTimeMs, idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import type { OptimizationMode } from "../../../src/domain/vocabulary/vocabulary.js";
import { atOnce } from "../../support/service/at-once.js";
import { freezeHealth, FROZEN_PROBER } from "../../support/service/frozen-health.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, newId, publish, type RuleSpec } from "../../support/people/tenants.js";

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await startTestService({ ...FROZEN_PROBER, DECISION_WORKERS: "2", RATE_LIMIT_PER_MINUTE: "0" });
  workspaceId = await createWorkspace(service, {
    merchants: [
      "plain",
      "priced",
      "listed",
      "modes",
      "limited",
      "timed_700",
      "timed_3000",
      "timed_10000",
      "raced",
      "big",
      "full",
      "replaced",
      "scoped",
      "durable",
    ],
  });
  key = await createKey(service.pool, workspaceId);
});
// provider_1 is first by score. In EUR provider_3 is first by approval.
beforeEach(() => freezeHealth(service, { "provider_3:EUR": { approval_rate: 0.95 } }));

const rule = (provider: string, percentage_bps: number, changes: object = {}) => ({
  provider,
  payment_method: "card",
  currency: "USD",
  percentage_bps,
  fixed_minor: 0,
  ...changes,
});
const upload = (
  merchant_id: string,
  rules: readonly object[],
  changes: object = {},
  as = key,
): Promise<Reply> =>
  send(service, "POST", "/v1/pricing/rules", {
    body: {
      merchant_id,
      contract_name: "2026",
      effective_from: "2026-01-01T00:00:00.000Z",
      rules,
      ...changes,
    },
    key: as,
  });
const stored = (reply: Reply): Record<string, unknown> => {
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
};
const list = (merchant: string, as = key): Promise<Reply> =>
  send(service, "GET", `/v1/pricing/rules/${merchant}`, { key: as });

interface Made {
  decision_id: string;
  route: { primary_provider: string; fallback_provider: string | null };
  model: { model_version: string };
  cost: Record<string, unknown> | null;
  economics: Record<string, unknown> | null;
  reason_codes: string[];
}
const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
async function decide(merchant_id: string, transaction: object = {}, offered = PROVIDERS): Promise<Made> {
  const body = decisionBody({
    merchant_id,
    available_providers: offered,
    transaction: { amount: 10_000, currency: "USD", country: "US", payment_method: "card", ...transaction },
  });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return json as unknown as Made;
}
const govern = (merchantId: string, rules: readonly RuleSpec[]) =>
  publish(service, { workspaceId, key, merchantId, rules });

describe("POST /v1/pricing/rules", () => {
  it("PRICE-1, PRICE-5: answers contract_id, merchant_id, rules_stored, effective_from, effective_to and warnings", async () => {
    const reply = await upload("priced", [rule("provider_1", 290, { fixed_minor: 30 })], {
      effective_from: "2026-01-01T01:00:00+01:00",
      effective_to: "2099-01-01T00:00:00Z",
    });
    const { contract_id, ...rest } = stored(reply);
    assert.match(String(contract_id), /^prc_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.deepEqual(rest, {
      merchant_id: "priced",
      rules_stored: 1,
      effective_from: "2026-01-01T00:00:00.000Z",
      effective_to: "2099-01-01T00:00:00.000Z",
      warnings: [],
    });
    assert.equal(
      stored(await upload("priced", [rule("provider_1", 290, { fixed_minor: 30 })]))["effective_to"],
      null,
    );
  });

  it("COST-2: the next decision is deterministic-v2 with the contract's cost and economics", async () => {
    const { cost, economics, reason_codes } = await atOnce(
      async () => stored(await upload("priced", [rule("provider_1", 290, { fixed_minor: 30 })])),
      async () => {
        const made = await decide("priced");
        assert.equal(made.model.model_version, "deterministic-v2");
        return made;
      },
    );
    assert.deepEqual(cost, {
      estimated_cost_minor: 320,
      effective_bps: 320,
      currency: "USD",
      pricing_source: "merchant_contract",
      confidence_score: 100,
      reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
    });
    // The expected value is 0.9·(10000 − 320).
    assert.deepEqual(economics, {
      expected_value_minor: 8712,
      model_version: "deterministic-v2",
      optimization_mode: "balanced",
    });
    assert.ok(reason_codes.includes("MERCHANT_CONTRACT_PRICING_USED"));
  });

  it("a contract holds in both modes, because it belongs to the merchant", async () => {
    const live = await createKey(service.pool, workspaceId, { mode: "live" });
    const { json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: "priced" }),
      key: live,
    });
    assert.equal((json["cost"] as { pricing_source: string }).pricing_source, "merchant_contract");
  });

  it("a segment without its own price is estimated, and an estimate never counts as real", async () => {
    const { cost, reason_codes } = await decide("priced", { payment_method: "wallet" });
    assert.equal(cost?.["pricing_source"], "estimated_fallback");
    assert.ok(reason_codes.includes("ESTIMATED_FALLBACK_PRICING_USED"));
    const transfer = await decide("priced", { payment_method: "bank_transfer" });
    assert.deepEqual(transfer.cost, {
      estimated_cost_minor: 0,
      effective_bps: 0,
      currency: "USD",
      pricing_source: "unknown",
      confidence_score: 0,
      reason_codes: ["PRICING_UNKNOWN"],
    });
  });

  it("a merchant without prices or cost controls stays deterministic-v1 with a null cost", async () => {
    const { model, cost, economics } = await decide("plain");
    assert.deepEqual([model.model_version, cost, economics], ["deterministic-v1", null, null]);
  });

  it("the components of a v2 decision show the cost; those of a v1 decision have no such fields", async () => {
    const componentsOf = async ({ decision_id }: Made) => {
      const { json } = await sendRead(service, "GET", `/v1/decisions/${decision_id}`, { key });
      return (json["provider_evaluations"] as { components: Record<string, unknown> }[])[0]?.components ?? {};
    };
    const { estimated_cost_minor, effective_bps, pricing_source, approval_probability } = await componentsOf(
      await decide("priced"),
    );
    assert.deepEqual(
      [estimated_cost_minor, effective_bps, pricing_source, approval_probability],
      [320, 320, "merchant_contract", 0.9],
    );
    assert.deepEqual(Object.keys(await componentsOf(await decide("plain"))), [
      "health",
      "approval_rate",
      "latency",
      "confidence_adjustment",
      "degraded_penalty",
      "preference_boost",
    ]);
  });

  it("PRICE-1: requires policy:write; the list requires policy:read", async () => {
    const reader = await createKey(service.pool, workspaceId, { scopes: ["policy:read"] });
    const writer = await createKey(service.pool, workspaceId, { scopes: ["policy:write"] });
    assert.equal((await upload("priced", [rule("provider_1", 1)], {}, reader)).status, 403);
    assert.equal((await list("priced", writer)).status, 403);
    assert.equal((await list("priced", reader)).status, 200);
  });

  it("a merchant other than the key's, and one outside the workspace, are 403", async () => {
    const scoped = await createKey(service.pool, workspaceId, { merchantId: "scoped" });
    assert.equal((await upload("scoped", [rule("provider_1", 1)], {}, scoped)).status, 200);
    assert.equal((await list("scoped", scoped)).status, 200);
    for (const reply of [
      await upload("priced", [rule("provider_1", 1)], {}, scoped),
      await list("priced", scoped),
    ]) {
      assert.deepEqual(
        [reply.status, reply.json["message"]],
        [403, "API key is scoped to a different merchant"],
      );
    }
    for (const reply of [
      await upload("unknown", [rule("provider_1", 1)]),
      await list("unknown"),
      await list("%"),
    ]) {
      assert.deepEqual(
        [reply.status, reply.json["message"]],
        [403, "Merchant is not registered in this workspace"],
      );
    }
  });

  it("a fault in a rule is named by its path", async () => {
    const reply = await upload("priced", [rule("provider_1", 1), rule("provider_1", 2)]);
    assert.equal(reply.status, 400);
    assert.deepEqual(reply.json, {
      error: "validation_error",
      issues: [
        { path: "rules.1", code: "custom", message: "Contradicts rules.0: the same segment, another price" },
      ],
    });
  });

  it("is audit-logged with its author", async () => {
    const { contract_id } = stored(await upload("priced", [rule("provider_1", 250)]));
    const { rows } = await service.pool.query<{ actor: string; action: string; metadata: object }>(
      "select actor, action, metadata from audit_log where workspace_id = $1 and resource = $2",
      [idToHex(workspaceId), contract_id],
    );
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.actor ?? "", /^key_/);
    assert.equal(rows[0]?.action, "pricing_contract.uploaded");
    assert.deepEqual(
      { ...rows[0]?.metadata, version: "" },
      { merchant_id: "priced", version: "", rules_stored: "1", replace: "false" },
    );
  });
});

describe("PRICE-7: GET /v1/pricing/rules/:merchantId", () => {
  it("shows the contracts in effect and to come, and no others", async () => {
    const ended = { effective_to: "2026-02-01T00:00:00.000Z" };
    const contracts = [
      stored(await upload("listed", [rule("provider_1", 1)], ended)),
      await atOnce(
        () =>
          upload("listed", [
            rule("provider_1", 100, { tiers: [{ amount_gte: 5000, percentage_bps: 50, fixed_minor: 1 }] }),
          ]),
        async (reply) => {
          assert.equal((await decide("listed")).cost?.["estimated_cost_minor"], 51);
          return stored(reply);
        },
      ),
      stored(
        await upload("listed", [rule("provider_1", 300)], {
          effective_from: "2099-01-01T00:00:00.000Z",
          contract_name: "2099",
        }),
      ),
    ];
    const { json } = await list("listed");
    const shown = json["contracts"] as Record<string, unknown>[];
    assert.deepEqual(
      shown.map(({ contract_id, contract_name, version, status, replace, rules_stored }) => [
        contract_id,
        contract_name,
        version,
        status,
        replace,
        rules_stored,
      ]),
      [
        [contracts[1]?.["contract_id"], "2026", "v2", "active", false, 1],
        [contracts[2]?.["contract_id"], "2099", "v3", "scheduled", false, 1],
      ],
    );
    assert.deepEqual(shown[0]?.["rules"], [
      rule("provider_1", 100, { tiers: [{ amount_gte: 5000, percentage_bps: 50, fixed_minor: 1 }] }),
    ]);
    assert.deepEqual([json["merchant_id"], json["observed"]], ["listed", []]);
    assert.equal((await decide("listed")).cost?.["estimated_cost_minor"], 51);
    assert.equal((await decide("listed", { amount: 4900 })).cost?.["estimated_cost_minor"], 49);
  });

  it("another workspace's prices are not shown and do not count", async () => {
    const other = await createWorkspace(service, { merchants: ["listed"] });
    const stranger = await createKey(service.pool, other);
    assert.deepEqual((await list("listed", stranger)).json["contracts"], []);
  });
});

describe("cost and economics, every optimisation mode", () => {
  const EUR = { currency: "EUR" };
  it("approval, cost, balanced and margin each choose by their own objective", async () => {
    stored(
      await upload("modes", [
        rule("provider_1", 300, EUR),
        rule("provider_2", 100, EUR),
        rule("provider_3", 700, EUR),
      ]),
    );
    // The chance of an approval is 0.9 for provider_1 and provider_2, and 0.945 for provider_3. The values are 0.9·9900
    // = 8910 and 0.945·9300 = 8788.5. With a margin of 2000 bps they are 0.9·1900 and 0.945·1300.
    const table: [OptimizationMode, object, primary: string, value: number][] = [
      ["approval", {}, "provider_3", 8788.5],
      ["cost", {}, "provider_3", 8788.5],
      ["cost", { max_approval_drop_bps: 450 }, "provider_2", 8910],
      ["balanced", {}, "provider_2", 8910],
      ["margin", {}, "provider_2", 1710],
      ["margin", { margin_bps: 1000 }, "provider_2", 810],
    ];
    for (const [mode, options, primary, value] of table) {
      await govern("modes", [{ name: "optimize", then: { type: "optimize_for", mode, ...options } }]);
      const { route, economics, reason_codes } = await decide("modes", EUR);
      assert.deepEqual(
        [route.primary_provider, economics?.["optimization_mode"], economics?.["expected_value_minor"]],
        [primary, mode, value],
        `${mode} ${JSON.stringify(options)}`,
      );
      assert.ok(reason_codes.includes(`OPTIMIZED_FOR_${mode.toUpperCase()}`));
    }
  });

  it("an unpriced provider never wins on cost", async () => {
    await govern("modes", [{ name: "cheap", then: { type: "optimize_for", mode: "cost" } }]);
    const { route } = await decide("modes", EUR, ["provider_4", "provider_5", "provider_1"]);
    assert.equal(route.primary_provider, "provider_1");
  });

  it("COST-18: max_cost excludes only providers whose real price is over it", async () => {
    stored(await upload("limited", [rule("provider_1", 300), rule("provider_2", 250)]));
    await govern("limited", [{ name: "cap", then: { type: "max_cost", max_effective_bps: 250 } }]);
    const capped = await decide("limited", {}, ["provider_1", "provider_2"]);
    assert.equal(capped.route.primary_provider, "provider_2");
    assert.ok(capped.reason_codes.includes("COST_ABOVE_POLICY_LIMIT"));
    // provider_3 has only an estimated price.
    const estimated = await decide("limited", {}, ["provider_1", "provider_3"]);
    assert.equal(estimated.route.primary_provider, "provider_3");
    // COST-18: the decision says when the limit could not be checked. Detail and simulation name the provider.
    assert.ok(!capped.reason_codes.includes("COST_LIMIT_NOT_CHECKED"));
    assert.ok(estimated.reason_codes.includes("COST_LIMIT_NOT_CHECKED"));
    const detail = await sendRead(service, "GET", `/v1/decisions/${estimated.decision_id}`, { key });
    const simulated = await send(service, "POST", "/v1/policies/simulate", {
      key,
      body: {
        merchant_id: "limited",
        transaction: { amount: 10_000, currency: "USD", country: "US", payment_method: "card" },
        available_providers: ["provider_1", "provider_3"],
      },
    });
    for (const { json } of [detail, simulated]) {
      const evaluations = json["provider_evaluations"] as { cost_limit_checked?: boolean }[];
      assert.deepEqual(
        evaluations.map(({ cost_limit_checked }) => cost_limit_checked),
        [true, false],
      );
      assert.ok((json["reason_codes"] as string[]).includes("COST_LIMIT_NOT_CHECKED"));
    }
  });
});

describe("effective dates, replace and limits", () => {
  it("a contract that starts later comes into effect by itself, to the millisecond of the decision's id", async () => {
    // A starved host may miss the start or the whole period. Then the test repeats with longer times and another
    // merchant.
    for (const [leadMs, lastsMs] of [
      [700, 1500],
      [3000, 6000],
      [10_000, 30_000],
    ] as const) {
      const merchant = `timed_${leadMs}`;
      const fromMs = Date.now() + leadMs;
      const toMs = fromMs + lastsMs;
      stored(
        await upload(merchant, [rule("provider_1", 400)], {
          effective_from: new Date(fromMs).toISOString(),
          effective_to: new Date(toMs).toISOString(),
        }),
      );
      if (Date.now() >= fromMs) continue;
      const phases = new Set<string>();
      while (!phases.has("after")) {
        for (const { decision_id, cost } of await Promise.all(
          Array.from({ length: 4 }, () => decide(merchant)),
        )) {
          const atMs = idTimeMs(decision_id);
          const phase = atMs < fromMs ? "before" : atMs < toMs ? "in effect" : "after";
          const expected = phase === "in effect" ? 400 : null;
          assert.equal(cost?.["estimated_cost_minor"] ?? null, expected, `${phase}, ${atMs - fromMs} ms`);
          phases.add(phase);
        }
      }
      if (phases.size === 3) return;
    }
    assert.fail("no contract was seen before, while and after it was in effect");
  });

  it("PRICE-1: without replace contracts combine, the newer before the older; with replace the earlier ones end", async () => {
    const costs = async () =>
      Promise.all(
        ["provider_1", "provider_2"].map(async (provider) => {
          const { cost } = await decide("replaced", {}, [provider]);
          return `${String(cost?.["pricing_source"])} ${String(cost?.["estimated_cost_minor"])}`;
        }),
      );
    stored(await upload("replaced", [rule("provider_1", 100), rule("provider_2", 100)]));
    const uploadAt = (costsNow: string[], bps: number, changes: object = {}) =>
      atOnce(
        () => upload("replaced", [rule("provider_1", bps)], changes),
        async (reply) => {
          assert.deepEqual(await costs(), costsNow);
          return stored(reply);
        },
      );
    const added = await uploadAt(["merchant_contract 200", "merchant_contract 100"], 200);
    assert.deepEqual(
      (added["warnings"] as { path: string; severity: string }[]).map(({ path, severity }) => [
        path,
        severity,
      ]),
      [["rules", "warning"]],
    );
    const replacing = await uploadAt(["merchant_contract 300", "estimated_fallback 290"], 300, {
      replace: true,
    });
    assert.deepEqual(replacing["warnings"], []);
    assert.equal(((await list("replaced")).json["contracts"] as unknown[]).length, 1);
  });

  it("concurrent uploads get different versions", async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => upload("raced", [rule("provider_1", n)])),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array.from({ length: 6 }, () => 200),
    );
    const versions = ((await list("raced")).json["contracts"] as { version: string }[]).map(
      ({ version }) => version,
    );
    assert.deepEqual(versions, ["v1", "v2", "v3", "v4", "v5", "v6"]);
  });

  /** 5000 segments in less than a mebibyte. */
  const many = (): object[] => {
    const countries = ["US", "DE", "NG", "KE", "BR", "IN", "JP", "FR", "ES", "IT"];
    const currencies = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY", "CHF", "SEK"];
    const networks = ["visa", "mastercard", "amex", "discover", "verve"];
    return PROVIDERS.slice(0, 2).flatMap((provider) =>
      ["card", "wallet", "bank_transfer", "mobile_money", "card"].flatMap((payment_method, group) =>
        currencies.flatMap((currency) =>
          countries.flatMap((country) =>
            networks.map((card_network) => ({
              ...rule(provider, 100 + group, { payment_method, currency }),
              // The fifth group is card again, but without a card network. So its five rules for the networks are
              // equal.
              ...(group === 4 ? { country, card_network: undefined } : { country, card_network }),
            })),
          ),
        ),
      ),
    );
  };

  it("HTTP-18, PRICE-4: accepts 5000 rules, and refuses 5001 or a body over 1 MiB", async () => {
    // Five equal rules of the fifth group count as one.
    const rules = many();
    assert.equal(rules.length, LIMITS.rulesPerContractMax);
    const { rules_stored, warnings } = stored(await upload("big", rules));
    assert.equal(rules_stored, 4200);
    assert.equal((warnings as unknown[]).length, LIMITS.pricingWarningsMax);
    const { cost } = await decide("big", { card_network: "verve", country: "IT" });
    assert.equal(cost?.["estimated_cost_minor"], 100);
    const over = await upload("big", [...rules, rule("provider_3", 1)]);
    assert.deepEqual(
      [over.status, (over.json["issues"] as { path: string; code: string }[])[0]?.path],
      [400, "rules"],
    );
    const large = await upload("big", [rule("provider_1", 1)], {
      contract_name: "x".repeat(LIMITS.largeBodyBytesMax),
    });
    assert.equal(large.status, 413);
  });

  it("more live rules than a merchant may have give 409, and replace makes room", async () => {
    const rules = many();
    for (const expected of [200, 200, 200, 200, 409]) {
      assert.equal((await upload("full", rules)).status, expected);
    }
    assert.equal((await upload("full", rules, { replace: true })).status, 200);
    assert.equal((await upload("full", rules)).status, 200);
  });

  it("prices survive kill -9, and the next start uses them at once", async () => {
    stored(await upload("durable", [rule("provider_1", 275)]));
    await service.killAndRestart();
    assert.equal((await decide("durable", {}, ["provider_1"])).cost?.["estimated_cost_minor"], 275);
  });

  it("a node learns of prices that another node stored", async () => {
    const merchantId = `other_${newId("ws")}`;
    const merchantRow = [idToHex(workspaceId), merchantId];
    await service.pool.query(
      "insert into merchants (workspace_id, merchant_id) values ($1, $2)",
      merchantRow,
    );
    const client = await service.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        `insert into pricing_contracts (workspace_id, merchant_id, version_number, contract_id, name,
           effective_from, replaces_earlier, rules_stored, rules)
         values ($1, $2, 1, $3, 'x', '2026-01-01', false, 1, $4)`,
        [...merchantRow, idToHex(newId("prc")), JSON.stringify([rule("provider_1", 123)])],
      );
      await client.query(
        "insert into merchant_prices (workspace_id, merchant_id, contract_version) values ($1, $2, 1)",
        merchantRow,
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    await eventually(async () => {
      const body = decisionBody({ merchant_id: merchantId, available_providers: ["provider_1"] });
      const { json } = await send(service, "POST", "/v1/decision", { body, key });
      // 129 900 at 123 bps are 1597.77.
      assert.equal((json["cost"] as { estimated_cost_minor: number } | null)?.estimated_cost_minor, 1598);
    });
  });
});
