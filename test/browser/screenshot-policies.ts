import assert from "node:assert/strict";
import { openDashboard } from "../support/people/dashboard.js";
import type { RunningService } from "../support/service/service.js";

const MERCHANT = "demo_merchant";

const RULES = [
  {
    name: "Hold big payments of guests",
    when: { amount_gte: 500_000, currency_in: ["USD"], customer_type_in: ["guest", "new"] },
    then: { type: "hold", reason_code: "BIG_GUEST_PAYMENT" },
  },
  {
    name: "Prefer provider_1 for Visa",
    when: { card_network_in: ["visa"] },
    then: { type: "prefer_provider", providers: ["provider_1", "provider_2"] },
  },
  {
    name: "Step up where risk is high",
    when: { any_of: [{ risk_band_in: ["high", "extreme"] }, { velocity_count_10m_gte: 5 }] },
    then: { type: "step_up" },
  },
  { name: "Retry on timeout", when: {}, then: { type: "retry_on_timeout" } },
] as const;

/** Stores three versions of a policy as a shop may have it. The last one is live. */
export async function storePolicies(service: RunningService): Promise<void> {
  const owner = await openDashboard(service, service.workspaceId);
  const versions = [
    ["Opening policy", RULES.slice(3)],
    ["Black Friday", RULES.slice(0, 3)],
    ["Black Friday, with retries", RULES],
  ] as const;
  for (const [name, rules] of versions) {
    const body = { merchant_id: MERCHANT, name, publish: true, default_provider: "provider_1", rules };
    assert.equal((await owner.request("POST", "/v1/policies", body)).status, 200);
  }
}

export async function storePrices(service: RunningService): Promise<void> {
  const owner = await openDashboard(service, service.workspaceId);
  const providers = ["provider_1", "provider_2", "provider_3"];
  const body = {
    merchant_id: MERCHANT,
    contract_name: "Acquirers 2026",
    effective_from: "2026-01-01T00:00:00.000Z",
    rules: ["USD", "EUR", "JPY", "KWD"].flatMap((currency, at) =>
      providers.map((provider, rank) => ({
        provider,
        payment_method: "card",
        currency,
        percentage_bps: 180 + 25 * rank + 10 * at,
        fixed_minor: 10 + 5 * rank,
      })),
    ),
  };
  assert.equal((await owner.request("POST", "/v1/pricing/rules", body)).status, 200);
}
