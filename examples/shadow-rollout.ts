import { PayInferenceClient, PayInferenceError, type DecisionRequest } from "payinference/client";

/**
 * Shadow mode beside the shop's own router. docs/shadow-rollout.md explains the steps.
 * `npm run build && PAYINFERENCE_KEY=pi_test_… node dist/examples/shadow-rollout.js`
 */
const { PAYINFERENCE_URL: baseUrl = "http://127.0.0.1:8080", PAYINFERENCE_KEY: apiKey = "" } = process.env;
const payinference = new PayInferenceClient({ baseUrl, apiKey });
const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
const ORDERS = 30;

/** The current routing: the providers take turns. */
const ownRoute = (position: number): string => PROVIDERS[position % PROVIDERS.length] ?? "provider_1";

async function pay(order: DecisionRequest, position: number): Promise<void> {
  // Not awaited before the payment: in shadow mode nobody waits for advice.
  const advising = payinference.decide({ ...order, decision_mode: "shadow" });
  const provider_used = ownRoute(position);
  const outcome = position % 10 === 9 ? "soft_declined" : "approved";
  const advice = await advising;
  if (!advice.ok) throw new PayInferenceError(advice.problem);
  if (advice.source === "fallback") return;
  const { order_id, transaction } = order;
  const { decision_id } = advice.decision;
  const { amount, currency } = transaction;
  const used = { provider_used, outcome, provider_latency_ms: 400 } as const;
  const reported = await payinference.reportOutcome({ decision_id, order_id, ...used, amount, currency });
  if (!reported.ok) throw new PayInferenceError(reported.problem);
}

const run = Date.now();
for (let position = 0; position < ORDERS; position++) {
  const transaction = { amount: 5000, currency: "USD", country: "US", payment_method: "card" } as const;
  const order = { merchant_id: "demo_merchant", order_id: `shadow_${run}_${position}`, transaction };
  await pay({ ...order, available_providers: PROVIDERS }, position);
}

const report = await payinference.shadowReport({ days: 7 });
if (!report.ok) throw new PayInferenceError(report.problem);
const { total_shadow_decisions, route_comparison } = report.value;
console.log(JSON.stringify({ total_shadow_decisions, ...route_comparison }, null, 2));
// Prints where the two routers differ: the newest ten, each with the service's reasons.
let shown = 0;
for await (const row of payinference.decisions({ decision_mode: "shadow", range: "24h" })) {
  const used = row.outcome?.provider_used ?? null;
  if (used === null || used === row.primary_provider || used === row.fallback_provider) continue;
  console.log(`${row.order_id}: ${used}, not ${row.primary_provider}: ${row.reason_codes.join(", ")}`);
  if (++shown === 10) break;
}
payinference.close();
