import assert from "node:assert/strict";
import { decisionBody, send, type RunningService } from "../service/service.js";

/** Makes decisions worth explaining, over HTTP in test mode, for the demo merchant. */

/** A policy whose rules hold, step up, exclude, block and prefer. */
export const EXPLAINED_RULES = [
  {
    name: "Review large guest payments",
    when: { amount_gte: 500_000, currency_in: ["USD"], customer_type_in: ["guest"] },
    then: { type: "hold" },
  },
  {
    name: "Authenticate new customers",
    when: { customer_type_in: ["new"] },
    then: { type: "step_up" },
  },
  {
    name: "No provider_3 in Nigeria",
    when: { country_in: ["NG"] },
    then: { type: "exclude_provider", providers: ["provider_3"] },
  },
  { name: "Block extreme risk", when: { computed_risk_score_gte: 85 }, then: { type: "block" } },
  {
    name: "Lean towards provider_2",
    when: { payment_method_in: ["card"], country_in: ["NG", "KE"] },
    then: { type: "prefer_provider", providers: ["provider_2"], strict: false, boost: 8 },
  },
] as const;

const OFFERED = ["provider_1", "provider_2", "provider_3"];

export async function publishOver(
  service: RunningService,
  rules: readonly object[],
  key = service.key,
): Promise<void> {
  const body = { merchant_id: "demo_merchant", name: "Checkout", rules, publish: true };
  const { status, text } = await send(service, "POST", "/v1/policies", { body, key });
  assert.equal(status, 200, text);
}

export interface Decided {
  decision_id: string;
  order_id: string;
  action: string;
  route: { primary_provider: string; fallback_provider: string | null } | null;
}

/** Makes one decision. `transaction` replaces single fields. */
export async function decideOrder(
  service: RunningService,
  orderId: string,
  {
    transaction = {},
    key = service.key,
    ...changes
  }: { transaction?: object; key?: string; [field: string]: unknown } = {},
): Promise<Decided> {
  const base = decisionBody()["transaction"] as object;
  const body = decisionBody({
    order_id: orderId,
    available_providers: OFFERED,
    ...changes,
    transaction: { ...base, ...transaction },
  });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return { ...(json as unknown as Decided), order_id: orderId };
}

/** A payment that the policy holds. */
export function holdOrder(service: RunningService, orderId: string, key = service.key): Promise<Decided> {
  return decideOrder(service, orderId, {
    key,
    transaction: { amount: 1_250_000, customer_type: "guest" },
    risk_signals: { device_risk_band: "medium", previous_decline_count: 2 },
  });
}

export async function reportOutcome(
  service: RunningService,
  { decision_id, order_id, route }: Decided,
  { key = service.key, ...changes }: { key?: string; [field: string]: unknown } = {},
): Promise<void> {
  const body = {
    decision_id,
    order_id,
    provider_used: route?.primary_provider ?? "provider_1",
    outcome: "approved",
    provider_latency_ms: 312,
    amount: 129_900,
    currency: "USD",
    ...changes,
  };
  const { status, text } = await send(service, "POST", "/v1/outcomes", { body, key });
  assert.equal(status, 200, text);
}

/** Uploads contract prices of the offered providers. The second is cheapest, and decisions become deterministic-v2. */
export async function uploadPrices(service: RunningService, key = service.key): Promise<void> {
  const rules = OFFERED.map((provider, at) => ({
    provider,
    payment_method: "card",
    currency: "USD",
    percentage_bps: [290, 180, 240][at],
    fixed_minor: 30,
  }));
  const body = {
    merchant_id: "demo_merchant",
    contract_name: "2026",
    effective_from: "2020-01-01T00:00:00.000Z",
    rules,
  };
  const { status, text } = await send(service, "POST", "/v1/pricing/rules", { body, key });
  assert.equal(status, 200, text);
}
