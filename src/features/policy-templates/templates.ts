import type { Rule } from "../../domain/policy/policy.js";

/** A place in the rules whose value is the customer's to choose. */
export interface TemplateChoice {
  /** Dotted, as in a validation issue. */
  path: string;
  english: string;
}

export interface PolicyTemplate {
  template_id: string;
  name: string;
  /** POL-26: describes the effect on the payments that the template decides. */
  english: string;
  /** `$1` stands for the deployment's first provider, and `$2` for its second one. */
  rules: readonly Pick<Rule, "name" | "when" | "then">[];
  choices: readonly TemplateChoice[];
}

/**
 * POL-24: typical first policies. AQ (Antarctica) is a placeholder for the customer's own countries. The service
 * accepts the code, but hardly any payment matches it.
 */
export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  {
    template_id: "cheapest_healthy_route",
    name: "Cheapest healthy route",
    english:
      "A payment goes to the cheapest provider with a health score of at least 60 that approves at most one point less.",
    rules: [
      { name: "Leave out weak providers", when: {}, then: { type: "require_min_health", min_score: 60 } },
      {
        name: "Cheapest route",
        when: {},
        then: { type: "optimize_for", mode: "cost", margin_bps: 2000, max_approval_drop_bps: 100 },
      },
    ],
    choices: [
      { path: "rules.0.then.min_score", english: "The least health score of a provider." },
      {
        path: "rules.1.then.max_approval_drop_bps",
        english: "How much approval a lower cost may lose, in basis points.",
      },
    ],
  },
  {
    template_id: "first_provider_with_failover",
    name: "Failover while a provider is down",
    english:
      "A payment goes to the first provider while it is healthy, and to the second one while it is not.",
    rules: [
      {
        name: "First choice and its stand-in",
        when: {},
        then: { type: "prefer_provider", providers: ["$1", "$2"], strict: true, boost: 15 },
      },
      {
        name: "Away from a weak first choice",
        when: {
          provider_health_state_in: { provider: "$1", states: ["degraded"] },
          offered_provider_count_gte: 2,
        },
        then: { type: "exclude_provider", providers: ["$1"] },
      },
    ],
    choices: [
      {
        path: "rules.0.then.providers",
        english: "The first choice, and the provider that stands in for it.",
      },
      { path: "rules.1", english: "The first choice again, in condition and action." },
    ],
  },
  {
    template_id: "hold_high_amounts",
    name: "Review high amounts",
    english: "A payment of 5,000 USD or more is held for review.",
    rules: [
      {
        name: "Hold high amounts",
        when: { amount_gte: 500_000, currency_in: ["USD"] },
        then: { type: "hold", reason_code: "HIGH_AMOUNT" },
      },
    ],
    choices: [
      { path: "rules.0.when.amount_gte", english: "From which amount a payment is held, in minor units." },
      { path: "rules.0.when.currency_in", english: "The currency of that amount." },
    ],
  },
  {
    template_id: "step_up_countries",
    name: "Step up risky countries",
    english: "A payment from a listed country asks for step-up.",
    rules: [
      {
        name: "Step up risky countries",
        when: { country_in: ["AQ"] },
        then: { type: "step_up", reason_code: "RISKY_COUNTRY" },
      },
    ],
    choices: [{ path: "rules.0.when.country_in", english: "The countries. AQ only stands in for them." }],
  },
  {
    template_id: "block_countries",
    name: "Block by country",
    english: "A payment from a listed country is blocked.",
    rules: [
      {
        name: "Block countries",
        when: { country_in: ["AQ"] },
        then: { type: "block", reason_code: "COUNTRY_NOT_SERVED" },
      },
    ],
    choices: [{ path: "rules.0.when.country_in", english: "The countries. AQ only stands in for them." }],
  },
  {
    template_id: "retry_within_scheme_rules",
    name: "Retry within the schemes’ rules",
    english:
      "Another attempt after a decline is made only where the card scheme allows it, three in 24 hours at most.",
    rules: [
      {
        name: "Retry as the scheme allows",
        when: {},
        then: { type: "retry_within_scheme_rules", max_attempts_24h: 3 },
      },
    ],
    choices: [
      {
        path: "rules.0.then.max_attempts_24h",
        english: "Attempts of an order in 24 hours, the first one included.",
      },
    ],
  },
  {
    template_id: "stop_card_testing",
    name: "Stop card testing",
    english:
      "A customer's sixth attempt within ten minutes is blocked, and from the third on attempts ask for step-up.",
    rules: [
      {
        name: "Block a burst",
        when: { velocity_count_10m_gte: 6 },
        then: { type: "block", reason_code: "TOO_MANY_ATTEMPTS" },
      },
      {
        name: "Step up repeated attempts",
        when: { velocity_count_10m_gte: 3, velocity_count_10m_lt: 6 },
        then: { type: "step_up", reason_code: "REPEATED_ATTEMPTS" },
      },
    ],
    choices: [
      { path: "rules.0.when.velocity_count_10m_gte", english: "From which attempt on payments are blocked." },
      { path: "rules.1.when.velocity_count_10m_gte", english: "From which attempt on they ask for step-up." },
    ],
  },
  {
    template_id: "try_new_provider",
    name: "Try a new provider with a tenth",
    english: "One order in ten goes to the second provider, and all others to the first one.",
    rules: [
      {
        name: "A tenth to the new provider",
        when: {},
        then: { type: "split_traffic", weights: { $1: 90, $2: 10 } },
      },
    ],
    choices: [{ path: "rules.0.then.weights", english: "The two providers, and their percentages." }],
  },
  {
    template_id: "cost_limit",
    name: "Limit the cost of a payment",
    english:
      "A provider that costs more than 3.5 % of the amount gets no payment that another one can take for less.",
    rules: [{ name: "Cost limit", when: {}, then: { type: "max_cost", max_effective_bps: 350 } }],
    choices: [{ path: "rules.0.then.max_effective_bps", english: "The highest cost, in basis points." }],
  },
];
