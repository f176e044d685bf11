import { feeBody, signatureOf } from "../service/webhooks.js";
import { newId } from "../people/tenants.js";
import { MERCHANT, UNKNOWN_MERCHANT, type Callers } from "./account-calls.js";
import { memberOf, type DocumentedCalls } from "./documented-calls.js";

const POLICY = {
  default_provider: "provider_1",
  rules: [
    {
      name: "Hold large guest payments",
      when: { amount_gte: 500_000, currency_in: ["USD"], customer_type_in: ["guest"] },
      then: { type: "hold", reason_code: "LARGE_GUEST_PAYMENT" },
    },
    {
      name: "Prefer provider_2 for returning customers",
      when: { customer_type_in: ["returning"] },
      then: { type: "prefer_provider", provider: "provider_2" },
    },
    {
      name: "Cards in Nigeria",
      when: { country_in: ["NG"] },
      then: { type: "max_cost", max_effective_bps: 900 },
    },
  ],
} as const;
const [HOLD, PREFER, COST] = POLICY.rules;
/** This body must not become an example, because Redocly cannot check an example with nested conditions. */
const WITH_BRANCHES = {
  ...POLICY,
  rules: [HOLD, { ...PREFER, when: { any_of: [PREFER.when, { previous_success_count_gte: 3 }] } }, COST],
};
const MERCHANT_PATH = { merchantId: MERCHANT };
const NO_MERCHANT_PATH = { merchantId: UNKNOWN_MERCHANT };
/** A header with the ETag that a merchant has while no policy is live. */
const NONE_LIVE = { "if-match": '"none"' };

/** Writes, publishes and tries policies. The second one stays live. */
export async function callPolicies(calls: DocumentedCalls, { key: headers }: Callers): Promise<void> {
  const call = calls.call.bind(calls);
  await call("listRetryRules", 400, { query: "?page_size=0" });
  await call("listRetryRules", 200, { query: "?page_size=2" });
  await call("listPolicyTemplates", 400, { query: "?page_size=0" });
  await call("listPolicyTemplates", 200, { query: "?page_size=2" });
  const launch = {
    merchant_id: MERCHANT,
    name: "Launch",
    comment: "First rules of the shop",
    ...POLICY,
    publish: true,
  };
  await call("createPolicy", 400, { headers, body: { ...launch, name: "" } });
  await call("createPolicy", 403, { headers, body: { ...launch, merchant_id: UNKNOWN_MERCHANT } });
  await call("createPolicy", 200, { headers, body: launch });
  await call("createPolicy", 412, { headers: { ...headers, ...NONE_LIVE }, body: launch });
  const draft = await call("createPolicy", 200, {
    headers,
    body: { merchant_id: MERCHANT, name: "Second", ...WITH_BRANCHES },
  });
  await call("createPolicy", 409, { headers, body: { ...launch, name: "Third" } });
  const path = { policyId: memberOf(draft, "policy", "policy_id") };
  await call("publishPolicy", 404, { headers, path: { policyId: newId("pol") } });
  await call("publishPolicy", 412, { headers: { ...headers, ...NONE_LIVE }, path });
  await call("publishPolicy", 200, { headers, path });
  await call("listPolicies", 403, { headers, path: NO_MERCHANT_PATH });
  await call("listPolicies", 200, { headers, path: MERCHANT_PATH });

  const text = "Hold payments over 5000 USD from guests. Sing a song.";
  await call("translatePolicy", 400, { headers, body: { merchant_id: MERCHANT } });
  await call("translatePolicy", 403, { headers, body: { merchant_id: UNKNOWN_MERCHANT, text } });
  await call("translatePolicy", 200, { headers, body: { merchant_id: MERCHANT, text } });
  const sample = {
    merchant_id: MERCHANT,
    policy: POLICY,
    transaction: {
      amount: 600_000,
      currency: "USD",
      country: "US",
      payment_method: "card",
      card_network: "visa",
      customer_type: "guest",
    },
  };
  const available_providers = ["provider_1", "provider_2"];
  await call("simulatePolicy", 400, { headers, body: sample });
  await call("simulatePolicy", 403, {
    headers,
    body: { ...sample, available_providers, merchant_id: UNKNOWN_MERCHANT },
  });
  await call("simulatePolicy", 200, { headers, body: { ...sample, available_providers } });
}

/** Providers' prices, from contracts and from their webhooks. */
export async function callPricing(calls: DocumentedCalls, { key, session }: Callers): Promise<void> {
  const call = calls.call.bind(calls);
  const price = { payment_method: "card", currency: "USD" };
  const contract = {
    merchant_id: MERCHANT,
    contract_name: "Contract 2020",
    effective_from: "2020-01-01T00:00:00Z",
    rules: [
      { provider: "provider_1", ...price, percentage_bps: 290, fixed_minor: 30 },
      {
        provider: "provider_2",
        ...price,
        card_network: "visa",
        percentage_bps: 250.5,
        fixed_minor: 25,
        tiers: [{ amount_gte: 1_000_000, percentage_bps: 200, fixed_minor: 25 }],
      },
    ],
  };
  await call("uploadPricing", 400, { headers: key, body: { ...contract, rules: [] } });
  await call("uploadPricing", 403, { headers: key, body: { ...contract, merchant_id: UNKNOWN_MERCHANT } });
  await call("uploadPricing", 200, { headers: key, body: contract });
  await call("uploadPricing", 409, { headers: key, body: contract });
  await call("listPricing", 403, { headers: key, path: NO_MERCHANT_PATH });
  await call("listPricing", 200, { headers: key, path: MERCHANT_PATH });

  const secretOf = (status: number, provider: string, body: object) =>
    call("setWebhookSecret", status, { headers: session, path: { provider }, body });
  await secretOf(400, "provider_1", {});
  await secretOf(403, "provider_1", { merchant_id: UNKNOWN_MERCHANT });
  await secretOf(404, "provider_9", { merchant_id: MERCHANT });
  const secret = memberOf(await secretOf(200, "provider_1", { merchant_id: MERCHANT }), "secret");
  await secretOf(200, "provider_2", { merchant_id: MERCHANT, secret });
  await secretOf(409, "provider_3", { merchant_id: MERCHANT });
  await call("listIntegrations", 400, { headers: session, query: "?page_size=0" });
  await call("listIntegrations", 200, { headers: session });

  const report = (status: number, id: string, body: string, signed = body) => {
    const timestamp = Math.floor(Date.now() / 1000);
    return call("receiveProviderWebhook", status, {
      path: { providerSlug: "provider_1", ...MERCHANT_PATH },
      body,
      headers: {
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureOf(secret, id, timestamp, signed),
      },
    });
  };
  const fee = feeBody({ card_network: "visa", amount: 129_900, fee_minor: 3797 });
  await report(400, "evt_1", feeBody({ currency: undefined }));
  await report(401, "evt_1", fee, "another body");
  await report(200, "evt_1", fee);
}
