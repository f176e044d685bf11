import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { CARD_NETWORKS } from "../../../src/domain/vocabulary/vocabulary.js";
import { signIn } from "../../support/people/feedback.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, newId } from "../../support/people/tenants.js";
import { feeBody, secretOf, sendWebhook, WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

let service: RunningService;
let workspaceId: string;
let key: string;
before(async () => {
  service = await startTestService({
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    WEBHOOK_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
  });
  workspaceId = await createWorkspace(service, { merchants: ["many", "shop"] });
  key = await createKey(service.pool, workspaceId);
  const { token } = await signIn(service.pool, workspaceId, "owner");
  for (const merchant_id of ["many", "shop"]) {
    const { status } = await send(service, "PUT", "/v1/integrations/provider_1/webhook-secret", {
      body: { merchant_id, secret: secretOf("shop") },
      key: null,
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(status, 200);
  }
});

interface Fee {
  payment_method?: "card";
  card_network?: string;
  country?: string;
  amount: number;
  fee_minor: number;
}
/** Stores fees as earlier webhooks left them. */
async function storeFees(merchantId: string, fees: readonly Fee[]): Promise<void> {
  await service.pool.query(
    `insert into observed_fees (workspace_id, merchant_id, fee_id, provider, payment_method, card_network, country,
                                currency, amount_minor, fee_minor)
     select $1, $2, f.id, 'provider_1', 0, f.network, f.country, 'USD', f.amount, f.fee
     from unnest($3::uuid[], $4::smallint[], $5::text[], $6::bigint[], $7::bigint[]) f (id, network, country, amount, fee)`,
    [
      idToHex(workspaceId),
      merchantId,
      fees.map(() => idToHex(newId("out"))),
      fees.map(({ card_network }) =>
        card_network === undefined ? null : CARD_NETWORKS.indexOf(card_network as "visa"),
      ),
      fees.map(({ country }) => country ?? null),
      fees.map(({ amount }) => amount),
      fees.map(({ fee_minor }) => fee_minor),
    ],
  );
}
const deliver = async (merchantId: string, data: Fee): Promise<void> => {
  const { status, text } = await sendWebhook(service, { merchantId, body: feeBody(data) });
  assert.equal(status, 200, text);
};
const observedOf = async (merchantId: string): Promise<Record<string, unknown>[]> =>
  (await send(service, "GET", `/v1/pricing/rules/${merchantId}`, { key })).json["observed"] as Record<
    string,
    unknown
  >[];
const decide = async (merchantId: string, transaction: object = {}) => {
  const { json } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({
      merchant_id: merchantId,
      available_providers: ["provider_1"],
      transaction: { amount: 10_000, currency: "USD", country: "US", payment_method: "card", ...transaction },
    }),
    key,
  });
  return json as {
    model: { model_version: string };
    cost: { estimated_cost_minor: number; pricing_source: string; confidence_score: number } | null;
    reason_codes: string[];
  };
};
const fee = (amount: number, bps = 290, fixed = 30) => ({
  amount,
  fee_minor: Math.round((amount * bps) / 10_000) + fixed,
});
/** 290 bps of these amounts are whole numbers, so the fit is exact. */
const round = (count: number) => Array.from({ length: count }, (_, n) => 1000 * (1 + (n % 90)));
const amounts = (count: number) => Array.from({ length: count }, (_, n) => 1000 + ((n * 7919) % 90_000));

describe("Model v2: provider_webhook_observed", () => {
  it("COST-2, COST-4, HOOK-9: the 200th fee turns them into real pricing, at the terms that they follow", async () => {
    await storeFees(
      "shop",
      round(198).map((amount) => fee(amount)),
    );
    await deliver("shop", fee(55_000));
    await eventually(async () => assert.equal((await observedOf("shop")).length, 1));
    const before = await decide("shop");
    assert.deepEqual([before.model.model_version, before.cost], ["deterministic-v1", null]);
    await deliver("shop", fee(66_000));
    await eventually(async () => {
      const { model, cost, reason_codes } = await decide("shop");
      assert.deepEqual(
        [model.model_version, cost?.pricing_source],
        ["deterministic-v2", "provider_webhook_observed"],
      );
      assert.equal(cost?.estimated_cost_minor, 320);
      assert.ok(reason_codes.includes("OBSERVED_PRICING_USED"));
    });
    assert.deepEqual((await observedOf("shop"))[0], {
      provider: "provider_1",
      payment_method: "card",
      currency: "USD",
      percentage_bps: 290,
      fixed_minor: 30,
      sample_size: 200,
      median_error_bps: 0,
      counts_as_pricing: true,
    });
  });

  it("COST-3: a contract takes precedence over them", async () => {
    const rules = [
      {
        provider: "provider_1",
        payment_method: "card",
        currency: "USD",
        percentage_bps: 100,
        fixed_minor: 0,
      },
    ];
    const { status } = await send(service, "POST", "/v1/pricing/rules", {
      body: { merchant_id: "shop", contract_name: "x", effective_from: "2026-01-01T00:00:00Z", rules },
      key,
    });
    assert.equal(status, 200);
    assert.equal((await decide("shop")).cost?.pricing_source, "merchant_contract");
    assert.equal((await decide("shop", { currency: "EUR" })).cost?.pricing_source, "estimated_fallback");
  });

  it("COST-4: a network with a country has its own price; noise does not become real pricing", async () => {
    const mixed = amounts(250).flatMap((amount) => [
      { ...fee(amount, 290, 30), card_network: "visa", country: "US" },
      { ...fee(amount, 350, 30), card_network: "amex", country: "US" },
      // These fees alternate between 100 and 500 basis points, so there is no common price.
      { ...fee(amount, amount % 2 === 0 ? 100 : 500, 0), card_network: "verve", country: "NG" },
    ]);
    await storeFees("many", mixed);
    await deliver("many", { ...fee(5000, 290, 30), card_network: "visa", country: "US" });
    await eventually(async () => assert.ok((await observedOf("many")).length > 0));
    await eventually(async () => {
      const visa = await decide("many", { card_network: "visa" });
      assert.deepEqual(
        [visa.cost?.pricing_source, visa.cost?.estimated_cost_minor],
        ["provider_webhook_observed", 320],
      );
    });
    const amex = await decide("many", { card_network: "amex" });
    assert.deepEqual(
      [amex.cost?.pricing_source, amex.cost?.estimated_cost_minor],
      ["provider_webhook_observed", 380],
    );
    const verve = await decide("many", { card_network: "verve", country: "NG" });
    assert.equal(verve.cost?.pricing_source, "estimated_fallback");
  });

  it("the next start evaluates the fees that arrived just before kill -9", async () => {
    await storeFees(
      "many",
      amounts(300).map((amount) => ({ ...fee(amount, 120, 5), card_network: "discover", country: "FR" })),
    );
    await service.killAndRestart();
    await eventually(async () => {
      const { cost } = await decide("many", { card_network: "discover", country: "FR" });
      assert.deepEqual(
        [cost?.pricing_source, cost?.estimated_cost_minor],
        ["provider_webhook_observed", 125],
      );
    });
  });

  it("an unchanged price is not stored again", async () => {
    const versionOf = async (merchantId: string) => {
      const { rows } = await service.pool.query<{ observed_version: number }>(
        "select observed_version from merchant_prices where workspace_id = $1 and merchant_id = $2",
        [idToHex(workspaceId), merchantId],
      );
      return rows[0]?.observed_version ?? 0;
    };
    const [shop, many] = [await versionOf("shop"), await versionOf("many")];
    assert.ok(shop >= 1);
    // The new fee changes nothing: all fees follow the same line, and 201 fees are reported as 200. Merchants are
    // evaluated in turn. Once `many` has its new version, `shop` has been evaluated as well.
    await deliver("shop", fee(10_000));
    await storeFees(
      "many",
      round(40).map((amount) => ({ ...fee(amount), country: "DE" })),
    );
    await deliver("many", { ...fee(1000), country: "DE" });
    await eventually(async () => assert.ok((await versionOf("many")) > many));
    assert.equal(await versionOf("shop"), shop);
  });
});
