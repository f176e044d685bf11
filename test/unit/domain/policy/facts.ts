import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";
import type { PolicyFacts } from "../../../../src/domain/policy/policy-facts.js";

/** Health states by provider; healthy where not named. */
export function states(byProvider: Record<string, HealthState>): PolicyFacts["health"] {
  return { find: (provider) => ({ state: byProvider[provider] ?? "healthy" }) };
}

/** A request with every optional field absent, on Friday 2026-11-20 at 12:30 UTC. */
export function facts(overrides: Partial<PolicyFacts> = {}): PolicyFacts {
  return {
    orderId: "order_1",
    amount: 10_000,
    currency: "USD",
    country: "US",
    paymentMethod: "card",
    cardNetwork: undefined,
    transactionType: "authorization",
    customerType: undefined,
    riskLevel: undefined,
    riskScore: undefined,
    velocityCount10m: undefined,
    velocityCount1h: undefined,
    velocityAmount1h: undefined,
    previousSuccessCount: undefined,
    previousDeclineCount: undefined,
    orderAgeSeconds: undefined,
    deviceRiskBand: undefined,
    ipCountryMatch: undefined,
    merchantSuppliedRiskScore: undefined,
    computedRiskScore: 10,
    riskBand: "low",
    hasPreviousAttempt: false,
    previousProvider: undefined,
    previousOutcome: undefined,
    previousReasonCode: undefined,
    offeredProviders: ["provider_1", "provider_2"],
    mode: "test",
    decisionMode: "enforce",
    nowMs: Date.UTC(2026, 10, 20, 12, 30),
    health: states({}),
    ...overrides,
  };
}
