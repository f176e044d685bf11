import { pathToFileURL } from "node:url";
import type { DecideInput, DecisionContext } from "../src/decision/decision.js";
import { decide } from "../src/decision/decide.js";
import { renderDecision } from "../src/decision/render.js";
import { toPolicyFacts } from "../src/decision/facts.js";
import type { HealthSnapshot, HealthView } from "../src/health/snapshot.js";
import { compilePolicy } from "../src/policy/compile-policy.js";
import type { PolicyFacts } from "../src/policy/policy-facts.js";
import { assessRisk } from "../src/risk/assess-risk.js";
import type { DecisionRequest } from "../src/shared/decision-request.js";
import { CARD_NETWORKS, CUSTOMER_TYPES, PAYMENT_METHODS } from "../src/shared/vocabulary.js";
import { COUNTRIES, CURRENCIES, pick, policy, PROVIDERS } from "./engine-policy.js";
import { measurePolicyCheck } from "./policy-check.js";

/** One row of the table; times are microseconds per request, medians over the repetitions. */
export interface EngineMeasurement {
  rules: number;
  /** Evaluating the compiled policy alone. */
  policyUs: number;
  /** decide(), the policy's evaluation included. */
  decideUs: number;
  /** renderDecision(), read to its last byte as a socket would. */
  renderUs: number;
}

const RULE_COUNTS = [1, 10, 100] as const;
const REQUESTS = 512;
const REPETITIONS = 15;
const CALLS_PER_REPETITION = 20_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Mixed optional fields, as different merchants send them: parsed from text, so that shapes differ as in service. */
function request(index: number): DecisionRequest {
  const body: DecisionRequest = {
    merchant_id: "demo_merchant",
    order_id: `order_${100_000 + index}`,
    transaction: {
      amount: 500 + ((index * 7919) % 250_000),
      currency: pick(CURRENCIES, index),
      country: pick(COUNTRIES, index >> 1),
      payment_method: pick(PAYMENT_METHODS, index >> 2),
    },
    available_providers: PROVIDERS,
  };
  if (index % 2 === 0) body.transaction.card_network = pick(CARD_NETWORKS, index >> 1);
  if (index % 3 !== 0) body.transaction.customer_type = pick(CUSTOMER_TYPES, index);
  if (index % 5 === 0) body.transaction.risk_score = index % 91;
  if (index % 4 === 0) {
    body.risk_signals = {
      velocity_count_10m: index % 7,
      previous_success_count: index % 12,
      ip_country_match: true,
    };
  }
  if (index % 16 === 0) body.previous_attempt = { provider: "provider_2", outcome: "timeout" };
  return JSON.parse(JSON.stringify(body)) as DecisionRequest;
}

function healthView(): HealthView {
  const snapshots = new Map<string, HealthSnapshot>();
  PROVIDERS.forEach((provider, index) => {
    for (const method of PAYMENT_METHODS) {
      for (const currency of CURRENCIES) {
        const segment_key = `${provider}:${method}:${currency}`;
        snapshots.set(segment_key, {
          provider,
          segment_key,
          score: 96.37 - index * 7.13,
          state: index === 2 ? "watch" : "healthy",
          confidence: 85.71,
          p95_latency_ms: 320 + index * 140,
          timeout_rate: 0.0125,
          error_5xx_rate: 0.004,
          throttle_429_rate: 0,
          approval_rate: 0.91 - index * 0.02,
          approval_rate_baseline: 0.9,
          webhook_lag_seconds: 3,
          sample_size: 300,
          window_seconds: 300,
          reason_codes: ["HEALTHY_FOR_SEGMENT"],
          updated_at: "2026-11-20T12:00:00.000Z",
          source: "probe",
        });
      }
    }
  });
  return {
    version: "1",
    find: (provider, method, currency) =>
      snapshots.get(`${provider}:${method}:${currency}`) as HealthSnapshot,
  };
}

/** Median over the repetitions of the mean time of one call, microseconds. */
function medianUs(call: (index: number) => number): number {
  const perCallUs: number[] = [];
  let sink = 0;
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const startedAt = process.hrtime.bigint();
    for (let i = 0; i < CALLS_PER_REPETITION; i++) sink += call(i % REQUESTS);
    // The first repetition only warms up.
    if (repetition > 0) {
      perCallUs.push(Number(process.hrtime.bigint() - startedAt) / 1000 / CALLS_PER_REPETITION);
    }
  }
  if (Number.isNaN(sink)) throw new Error("a call gave no number");
  return perCallUs.toSorted((a, b) => a - b)[REPETITIONS >> 1] as number;
}

/** The pure engine on one thread, 3 offered providers, policies of 1, 10 and 100 rules of 3 conditions. */
export async function measureEngine(): Promise<EngineMeasurement[]> {
  const health = healthView();
  const requests = Array.from({ length: REQUESTS }, (_, index) => request(index));
  const reply = Buffer.allocUnsafe(16_384);

  return RULE_COUNTS.map((rules) => {
    const compiled = compilePolicy(policy(rules));
    const context: DecisionContext = {
      policy: compiled,
      health,
      riskBlockThreshold: 90,
      normalAmountMaxMinor: 100_000,
      defaultDecisionMode: "enforce",
      pricing: null,
    };
    const inputs: DecideInput[] = requests.map((body) => ({
      request: body,
      context,
      mode: "test",
      decisionId: "dec_01jd4wqk2m0000000000000000",
      nowMs: NOW_MS,
    }));
    const facts: PolicyFacts[] = requests.map((body) =>
      toPolicyFacts(
        body,
        "test",
        "enforce",
        assessRisk({
          transaction: body.transaction,
          signals: body.risk_signals ?? {},
          normalAmountMaxMinor: null,
        }),
        NOW_MS,
        health,
      ),
    );
    const decisions = inputs.map(decide);

    const policyUs = medianUs((index) => compiled.evaluate(facts[index] as PolicyFacts).matchedRules.length);
    const decideUs = medianUs((index) => decide(inputs[index] as DecideInput).reasonCodes.length);
    const renderUs = medianUs((index) =>
      reply.write(renderDecision(decisions[index] as (typeof decisions)[number], index / 1000), "latin1"),
    );
    return { rules, policyUs, decideUs, renderUs };
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rows = await measureEngine();
  const cell = (text: string): string => text.padStart(16);
  const lines = rows.map(({ rules, policyUs, decideUs, renderUs }) =>
    [String(rules), ...[policyUs, decideUs, renderUs, decideUs + renderUs].map((us) => us.toFixed(2))]
      .map(cell)
      .join(""),
  );
  const head = ["rules", "evaluate policy", "decide", "render", "decide + render"].map(cell).join("");
  const title = "microseconds per request, medians; 3 offered providers, rules of 3 conditions";
  const check = measurePolicyCheck();
  const checked = `validating and compiling ${check.rules} rules: ${check.checkMs.toFixed(2)} ms, median`;
  process.stdout.write(`${[title, head, ...lines, checked].join("\n")}\n`);
}
