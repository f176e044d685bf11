import type { Examples } from "../../../platform/wire/operation.js";

/** Recorded from the service. */
export const POLICY_TRIAL_EXAMPLES: Examples = {
  simulatePolicy: {
    request: {
      merchant_id: "demo_merchant",
      policy: {
        rules: [
          {
            name: "Hold large payments of guests",
            when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
            then: { type: "hold" },
          },
          {
            name: "Cards in Nigeria by provider_2",
            when: { payment_method_in: ["card"], country_in: ["NG"] },
            then: { type: "prefer_provider", provider: "provider_2" },
          },
        ],
      },
      transaction: {
        amount: 600000,
        currency: "USD",
        country: "US",
        payment_method: "card",
        card_network: "visa",
        customer_type: "guest",
      },
      available_providers: ["provider_1", "provider_2"],
    },
    "200": {
      action: "hold",
      route: { primary_provider: "provider_1", fallback_provider: "provider_2" },
      risk: { score: 25, band: "low", recommended_action: "route", reason_codes: ["RISK_ACCEPTABLE"] },
      matched_rules: ["Hold large payments of guests"],
      excluded_providers: [],
      provider_evaluations: [
        {
          provider: "provider_1",
          eligible: true,
          route_score: 90.47,
          health_score: 97.25,
          health_state: "healthy",
          exclusion_reason: null,
          components: {
            health: 48.63,
            approval_rate: 32.36,
            latency: 12.21,
            confidence_adjustment: -2.73,
            degraded_penalty: 0,
            preference_boost: 0,
            estimated_cost_minor: 17430,
            effective_bps: 290.5,
            pricing_source: "merchant_contract",
            approval_probability: 0.924851,
          },
        },
        {
          provider: "provider_2",
          eligible: true,
          route_score: 90.28,
          health_score: 97.58,
          health_state: "healthy",
          exclusion_reason: null,
          components: {
            health: 48.79,
            approval_rate: 32.46,
            latency: 11.75,
            confidence_adjustment: -2.71,
            degraded_penalty: 0,
            preference_boost: 0,
            estimated_cost_minor: 15025,
            effective_bps: 250.41666666666666,
            pricing_source: "merchant_contract",
            approval_probability: 0.927578,
          },
        },
      ],
      route_scores: { provider_1: 90.47, provider_2: 90.28 },
      reason_codes: [
        "HOLD_REQUIRED_BY_POLICY",
        "PROVIDER_1_HEALTHY_FOR_SEGMENT",
        "MERCHANT_CONTRACT_PRICING_USED",
        "RISK_ACCEPTABLE",
      ],
      model: { model_version: "deterministic-v2", route_scores: { provider_1: 90.47, provider_2: 90.28 } },
      cost: {
        estimated_cost_minor: 17430,
        effective_bps: 290.5,
        currency: "USD",
        pricing_source: "merchant_contract",
        confidence_score: 100,
        reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
      },
      economics: {
        expected_value_minor: 538790.63,
        model_version: "deterministic-v2",
        optimization_mode: "balanced",
      },
      policy: { policy_id: null, policy_version: null, matched_rules: ["Hold large payments of guests"] },
      rule_evaluations: [
        {
          rule_id: "rule_01m7x2m8rwrhf6m6k74dcznjhs",
          name: "Hold large payments of guests",
          matched: true,
          failed_condition: null,
        },
        {
          rule_id: "rule_01m7x2m8rwrhf6m6k74dcznjht",
          name: "Cards in Nigeria by provider_2",
          matched: false,
          failed_condition: "country_in",
        },
      ],
      validation: { valid: true, errors: [], warnings: [] },
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "available_providers", code: "invalid_type", message: "Required" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
  },
  backtestPolicy: {
    request: {
      merchant_id: "demo_merchant",
      days: 7,
      policy: {
        rules: [
          {
            name: "Block large payments",
            when: { amount_gte: 500000, currency_in: ["USD"] },
            then: { type: "block" },
          },
        ],
      },
    },
    "200": {
      type: "result",
      replayed: 3,
      not_replayable: 0,
      changed: 1,
      by_action_before: [
        { action: "route", count: 2 },
        { action: "hold", count: 1 },
      ],
      by_action_after: [
        { action: "route", count: 2 },
        { action: "block", count: 1 },
      ],
      transitions: [
        { before: "route", after: "route", count: 2 },
        { before: "hold", after: "block", count: 1 },
      ],
      changed_decisions: [
        {
          decision_id: "dec_01m7x2m8byhjqbhybnca7rrvg4",
          before: "hold",
          after: "block",
          provider_before: "provider_1",
          provider_after: null,
          matched_rules: ["Block large payments"],
        },
      ],
      outcomes: {
        known: 3,
        not_known: 0,
        unchanged: { decisions: 2, approved: 1 },
        provider_changed: { decisions: 0, approved: 0 },
        would_be_blocked: { decisions: 1, approved: 0 },
        would_be_held: { decisions: 0, approved: 0 },
        no_longer_held: { decisions: 0, approved: 0 },
      },
      warnings: [],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "policy", code: "invalid_type", message: "Required" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
  },
};
