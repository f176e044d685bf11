import { PayInferenceClient, type DecisionRequest } from "payinference/client";

/** A checkout. `npm run build && PAYINFERENCE_KEY=pi_test_… node dist/examples/checkout.js` */
const { PAYINFERENCE_URL: baseUrl = "http://127.0.0.1:8080", PAYINFERENCE_KEY: apiKey = "" } = process.env;
// A checkout must always get a decision. Over the rate limit too, the client decides by its safe default.
const limits = { decisionTimeoutMs: 250, rateLimitIsOutage: true };
const payinference = new PayInferenceClient({ baseUrl, apiKey, ...limits });

async function checkout(order: DecisionRequest): Promise<string> {
  const asked = await payinference.decide(order);
  // A 4xx means a bug of ours, or an expired key. Payments go on without advice. Alert somebody here.
  if (!asked.ok) return `paid as before, since ${asked.problem.kind}`;
  const { action, route, decision_id, reason_codes } = asked.decision;
  if (action === "block" || route === null) return `declined: ${reason_codes.join(", ")}`;
  if (action === "hold") return "waits for a review";
  if (action === "step_up") await confirmWithCustomer();

  const startedMs = performance.now();
  const outcome = await payWith(route.primary_provider);
  const provider_latency_ms = Math.round(performance.now() - startedMs);
  const { amount, currency } = order.transaction;
  const { order_id } = order;
  const used = { provider_used: route.primary_provider, outcome, provider_latency_ms };
  // The service does not know a decision that the client made alone.
  if (asked.source === "fallback") return `${outcome} with ${route.primary_provider}, decided locally`;
  const reported = await payinference.reportOutcome({ decision_id, order_id, ...used, amount, currency });
  return `${outcome} with ${route.primary_provider}, ${reported.ok ? "reported" : reported.problem.kind}`;
}

/** Stand-ins for your provider's SDK and your 3-D Secure page. */
const payWith = async (_provider: string) => "approved" as const;
const confirmWithCustomer = async () => undefined;

const transaction = { amount: 129_900, currency: "USD", country: "US", payment_method: "card" } as const;
const order = { merchant_id: "demo_merchant", order_id: `order_${Date.now()}`, transaction };
console.log(await checkout({ ...order, available_providers: ["provider_1", "provider_2"] }));
payinference.close();
